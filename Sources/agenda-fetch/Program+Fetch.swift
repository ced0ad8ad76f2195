internal import CommandLineOptions
internal import Platform

extension Program {
  /// `agenda-fetch`, as its user types it.
  static var fetch: Program {
    Program(
      version: agendaVersion, date: "November 21, 2026",
      sections: [
        Section(
          "ENVIRONMENT",
          [
            ("https_proxy, http_proxy, no_proxy", "proxies, as libcurl reads them"),
            (
              "CURL_CA_BUNDLE, SSL_CERT_FILE, SSL_CERT_DIR",
              "certificates to trust instead of the system's"
            ),
          ]),
        Section(
          "FILES",
          [
            ("~/.netrc", "names and passwords"),
            (
              ".FILE.fetched",
              "next to FILE: what the server sent so that it can be asked whether anything changed"
            ),
          ]),
        Section(
          "EXIT STATUS",
          [
            ("0", "success, or nothing has changed"), ("1", "failure; FILE was not changed"),
            ("2", "usage error; nothing was done"),
          ]),
      ], command: .fetch, relatedPages: ["agenda", "agenda-import"])
  }
}

extension Command {
  fileprivate static var fetch: Command {
    Command(
      "agenda-fetch", summary: "download a calendar for agenda",
      discussion: [
        "agenda-fetch downloads URL (https, http; webcal means https) to FILE, or to standard output. It replaces FILE as a whole, and only with a complete calendar; if anything fails, FILE stays as it was. If the server answers that nothing has changed since the last time (ETag, Last-Modified), FILE is not touched. The hidden file .FILE.fetched keeps what the server sent for that.",
        "The user name and password come from ~/.netrc, proxies from https_proxy and http_proxy. Messages name the host, never the rest of an address. With --batch, agenda-fetch answers many requests at once; agenda uses it to refresh its calendars.",
      ],
      operands: [
        Operand(
          Value("URL"), help: "the address; not with --url-from or --batch", isOptional: true),
        Operand(
          Value("FILE", .file(endings: [".ics"])), help: "the file to write; - is standard output",
          isOptional: true),
      ],
      options: [
        FetchOptions.addressFrom, FetchOptions.timeout, FetchOptions.size,
        FetchOptions.certificates, FetchOptions.redirects, FetchOptions.any, FetchOptions.batch,
        FetchOptions.server, FetchOptions.jobs, FetchOptions.manual, FetchOptions.completions,
      ],
      examples: [
        Example(
          "agenda-fetch https://example.com/team.ics ~/calendars/team.ics",
          "download it if it has changed"),
        Example(
          "agenda-fetch --url-from ~/.config/agenda/team.url ~/calendars/team.ics",
          "read a secret address from a file that only you can read"),
      ])
  }
}

/// Every option of `agenda-fetch`.
enum FetchOptions {
  static let addressFrom = Option(
    "url-from", value: Value("PATH", .file(endings: [])),
    help:
      "read the address from the first line of a file, or of standard input (-), to keep it out of the process list"
  )
  static let timeout = Option(
    "timeout", value: Value("SECONDS", .number(1...3_600)), help: "give up after this long",
    default: "60")
  static let size = Option(
    "max-size", value: Value("BYTES"), help: "refuse larger answers: 64M, 10K", default: "64M")
  static let certificates = Option(
    "cacert", value: Value("FILE", .file(endings: [".pem", ".crt"])),
    help: "trust the certificates in this file instead of the system's")
  static let redirects = Option(
    "max-redirects", value: Value("N", .number(0...50)),
    help:
      "follow at most N redirects; those from https to http and to other protocols are never followed",
    default: "5")
  static let any = Option("any", help: "accept an answer that is not a calendar")
  static let batch = Option(
    "batch", help: "answer the requests on standard input, many at once", group: "For agenda")
  static let server = Option(
    "caldav", help: "answer requests about the calendars of a CalDAV server on standard input",
    group: "For agenda")
  static let jobs = Option(
    "jobs", value: Value("N", .number(1...16)),
    help: "send at most N requests at once, and at most 4 to one host", group: "For agenda",
    default: "16")
  static let manual = Option(
    "man", help: "print this help as a manual page, for man -l -", group: "General")
  static let completions = Option(
    "completions",
    value: Value("SHELL", .choice(["bash", "zsh", "fish"].map { Value.Choice($0) })),
    help: "print the completion script of a shell", group: "General")
}
