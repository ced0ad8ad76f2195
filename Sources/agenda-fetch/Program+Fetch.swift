internal import CommandLineOptions

extension Program {
  /// `agenda-fetch`, as its user types it.
  static var fetch: Program {
    Program(
      version: agendaVersion, date: "November 21, 2026",
      sections: [
        Section(
          "ENVIRONMENT", [("https_proxy, http_proxy, no_proxy", "proxies, as libcurl reads them")]),
        Section(
          "FILES",
          [
            ("~/.netrc", "names and passwords"),
            (
              ".FILE.fetched",
              "beside FILE: what the server gave to ask by whether anything changed"
            ),
          ]),
        Section(
          "EXIT STATUS",
          [
            ("0", "done, or nothing has changed"), ("1", "it failed; FILE is as it was"),
            ("2", "the command line was wrong; nothing was done"),
          ]),
      ], command: .fetch, relatedPages: ["agenda", "agenda-import"])
  }
}

extension Command {
  fileprivate static var fetch: Command {
    Command(
      "agenda-fetch", summary: "fetch a calendar from the network for agenda",
      discussion: [
        "It fetches URL (https, http; webcal is asked by https) to FILE, or to standard output. FILE is replaced as a whole and only by a whole calendar: whatever goes wrong, it stays as it was. If the server says that nothing changed since the last time (ETag, Last-Modified), FILE is left alone; what it gave to ask by is kept in the hidden file .FILE.fetched beside it.",
        "A name and password come from ~/.netrc, proxies from https_proxy and http_proxy. Messages name the host, never the rest of an address. The exit status is 0 for done or unchanged, 1 for failed, 2 for a wrong command line.",
      ],
      operands: [
        Operand(Value("URL"), help: "the address; not with --url-from", isOptional: true),
        Operand(
          Value("FILE", .file(endings: [".ics"])), help: "where it goes; - is standard output",
          isOptional: true),
      ],
      options: [
        FetchOptions.addressFrom, FetchOptions.timeout, FetchOptions.size, FetchOptions.redirects,
        FetchOptions.any, FetchOptions.manual, FetchOptions.completions,
      ],
      examples: [
        Example(
          "agenda-fetch https://example.com/team.ics ~/calendars/team.ics",
          "and nothing is fetched as long as nothing changes"),
        Example(
          "agenda-fetch --url-from ~/.config/agenda/team.url ~/calendars/team.ics",
          "a secret address, from a file that only you can read"),
      ])
  }
}

/// Every option of `agenda-fetch`.
enum FetchOptions {
  static let addressFrom = Option(
    "url-from", value: Value("PATH", .file(endings: [])),
    help:
      "read the address from the first line of a file, or of standard input (-): then it stands in no list of processes"
  )
  static let timeout = Option(
    "timeout", value: Value("SECONDS", .number(1...3_600)), help: "for all of it", default: "60")
  static let size = Option(
    "max-size", value: Value("BYTES"), help: "a longer answer is refused: 64M, 10K",
    default: "64M")
  static let redirects = Option(
    "max-redirects", value: Value("N", .number(0...50)),
    help:
      "more are not followed, nor any to another protocol than http and https, nor from https to http",
    default: "5")
  static let any = Option("any", help: "take what is no calendar, too")
  static let manual = Option(
    "man", help: "print this help as a manual page, for man -l -", group: "General")
  static let completions = Option(
    "completions",
    value: Value("SHELL", .choice(["bash", "zsh", "fish"].map { Value.Choice($0) })),
    help: "print the completion script of a shell", group: "General")
}
