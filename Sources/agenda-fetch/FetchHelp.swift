/// What the program says of itself.
enum FetchHelp {
  static let text = """
    agenda-fetch - fetch a calendar from the network for agenda

    Usage: agenda-fetch [OPTION…] URL [FILE]
           agenda-fetch [OPTION…] --url-from PATH [FILE]

    It fetches URL (https, http; webcal is asked by https) to FILE, or to standard
    output. FILE is replaced as a whole and only by a whole calendar: whatever goes
    wrong, it stays as it was. If the server says that nothing changed since the last
    time (ETag, Last-Modified), FILE is left alone; what it gave to ask by is kept in
    the hidden file .FILE.fetched beside it.

    Options:
      --url-from PATH      read the address from the first line of a file, or of
                           standard input (-): then it stands in no list of processes
      --timeout SECONDS    for all of it (default: 60)
      --max-size BYTES     a longer answer is refused; 64M, 10K (default: 64M)
      --max-redirects N    more are not followed, nor any to another protocol than
                           http and https, nor from https to http (default: 5)
      --any                take what is no calendar, too
      -h, --help           say how it is used
      --man                the same as a manual page
      --version            print the version, and that of libcurl

    A name and password come from ~/.netrc, proxies from https_proxy and http_proxy.
    The exit status is 0 for done or unchanged, 1 for failed, 2 for a wrong command
    line. Messages name the host, never the rest of an address.

    Examples:
      agenda-fetch https://example.com/team.ics ~/calendars/team.ics
          and nothing is fetched as long as nothing changes
      agenda-fetch --url-from ~/.config/agenda/team.url ~/calendars/team.ics
          a secret address, from a file that only you can read

    """

  /// In mdoc.
  static let manual = """
    .Dd November 21, 2026
    .Dt AGENDA-FETCH 1
    .Os
    .Sh NAME
    .Nm agenda-fetch
    .Nd fetch a calendar from the network for agenda
    .Sh SYNOPSIS
    .Nm
    .Op Ar OPTION ...
    .Ar URL
    .Op Ar FILE
    .Nm
    .Op Ar OPTION ...
    .Fl Fl url\\-from Ar PATH
    .Op Ar FILE
    .Sh DESCRIPTION
    Fetches
    .Ar URL
    .Pq https, http; webcal is asked by https
    to
    .Ar FILE ,
    or to standard output.
    .Ar FILE
    is replaced as a whole and only by a whole calendar: whatever goes wrong, it
    stays as it was.
    If the server says that nothing changed since the last time,
    .Ar FILE
    is left alone.
    .Pp
    Messages name the host, never the rest of an address.
    .Bl -tag -width Ds
    .It Fl Fl url\\-from Ar PATH
    Read the address from the first line of a file, or of standard input
    .Pq Sq \\- .
    Then it stands in no list of processes.
    .It Fl Fl timeout Ar SECONDS
    For all of it; 60 if not given.
    .It Fl Fl max\\-size Ar BYTES
    A longer answer is refused; 64M if not given.
    .It Fl Fl max\\-redirects Ar N
    More are not followed, nor any to another protocol than http and https, nor
    from https to http; 5 if not given.
    .It Fl Fl any
    Take what is no calendar, too.
    .It Fl h , Fl Fl help
    Say how it is used.
    .It Fl Fl man
    Print this page.
    .It Fl Fl version
    Print the version, and that of libcurl.
    .El
    .Sh ENVIRONMENT
    .Bl -tag -width Ds
    .It Ev https_proxy , http_proxy , no_proxy
    Proxies, as libcurl reads them.
    .El
    .Sh FILES
    .Bl -tag -width Ds
    .It Pa ~/.netrc
    Names and passwords.
    .It Pa .FILE.fetched
    Beside
    .Ar FILE :
    what the server gave to ask by whether anything changed.
    .El
    .Sh EXIT STATUS
    0 for done or unchanged, 1 for failed, 2 for a wrong command line.
    .Sh SEE ALSO
    .Xr agenda 1 ,
    .Xr agenda\\-import 1

    """
}
