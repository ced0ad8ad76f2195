import Foundation
import TestSupport
import Testing

/// `agenda-fetch` against a server of its own that does what servers do, well and badly.
@Suite("agenda-fetch", .serialized)
struct FetchTests {
  private let folder: ScratchFolder
  private let server: CalendarServer?

  init() throws {
    folder = try ScratchFolder()
    server = try CalendarServer()
  }

  private func fetch(_ arguments: String..., input: String = "") throws -> AgendaRun {
    try AgendaRun(program: "agenda-fetch", arguments, input: input, in: folder.url)
  }

  private func content(_ name: String) -> String? {
    try? String(contentsOf: folder.url.appendingPathComponent(name), encoding: .utf8)
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
  }

  @Test("to standard output, and to a file that only its owner can read")
  func fetches() throws {
    guard let server else { return }
    try fetch(server.url("ok.ics")).expect(0, output: CalendarServer.calendar)
    try fetch(server.url("ok.ics"), "-").expect(0, output: CalendarServer.calendar)
    try fetch(server.url("ok.ics"), "work.ics").expect(0, output: "")
    #expect(content("work.ics") == CalendarServer.calendar)
    #expect(try names == [".work.ics.fetched", "work.ics"])
    let attributes = try FileManager.default.attributesOfItem(
      atPath: folder.url.appendingPathComponent("work.ics").path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    try fetch(server.url("hop"), "hopped.ics").expect(0, output: "")
    #expect(content("hopped.ics") == CalendarServer.calendar)
    try fetch(server.url("gzip"), "gzip.ics").expect(0, output: "")
    #expect(content("gzip.ics") == CalendarServer.calendar)
    try fetch(server.url("utf16")).expect(0)
  }

  @Test("what has not changed is not sent again, unless the file is another one now")
  func conditional() throws {
    guard let server else { return }
    func fetched(_ path: String) throws -> [String] {
      try fetch(server.url(path), "work.ics").expect(0, output: "")
      #expect(content("work.ics") == CalendarServer.calendar)
      return server.newRequests()
    }
    let first = "GET /ok.ics 200"
    let asked = #"GET /ok.ics If-None-Match="v1" 304"#
    #expect(try fetched("ok.ics") == [first])
    #expect(try fetched("ok.ics") == [asked])
    // Touched, changed or lost: nothing the server knows of.
    try folder.write("work.ics", "mine")
    #expect(try fetched("ok.ics") == [first])
    #expect(try fetched("ok.ics") == [asked])
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent("work.ics"))
    #expect(try fetched("ok.ics") == [first])
    // Another address.
    #expect(try fetched("ok.ics?other") == ["GET /ok.ics?other 200"])
    try folder.write(".work.ics.fetched", "no notes of ours\n\n\n\n")
    #expect(try fetched("ok.ics") == [first])
    // A server that gives dates alone.
    _ = try fetched("dated.ics")
    #expect(
      try fetched("dated.ics") == [
        "GET /dated.ics If-Modified-Since=Sat, 21 Nov 2026 08:00:00 GMT 304"
      ])
    // One that gives neither.
    _ = try fetched("plain.ics")
    #expect(try fetched("plain.ics") == ["GET /plain.ics 200"])
    #expect(try names == ["work.ics"])
    // 304 to somebody who has nothing.
    try fetch(server.url("always304")).expect(
      1, output: "", errors: "agenda-fetch: \(server.origin)/…: answered with status 304\n")
  }

  @Test("the same bytes leave the file untouched, so that nobody reads it anew")
  func sameBytes() throws {
    guard let server else { return }
    let file = folder.url.appendingPathComponent("work.ics")
    func state() throws -> [String] {
      let all = try FileManager.default.attributesOfItem(atPath: file.path)
      return ["\(all[.modificationDate] ?? "")", "\(all[.systemFileNumber] ?? "")"]
    }
    _ = try fetch(server.url("plain.ics"), "work.ics")
    let before = try state()
    _ = try fetch(server.url("plain.ics"), "work.ics")
    #expect(try state() == before)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    try fetch(server.url("other.ics"), "work.ics").expect(0, output: "")
    #expect(try state() != before)
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
    #expect(mode as? Int == 0o644)
  }

  @Test(
    "whatever goes wrong, the file stays as it was, nothing is left behind, and it is said",
    arguments: [
      ("none", "404 Not Found"), ("gone", "410 Gone: the calendar was taken away for good"),
      ("login", "401 Unauthorized: a name and password can stand in ~/.netrc"),
      ("broken", "500: the server has a problem of its own"),
      ("loop", "more than 5 redirects"),
      (
        "to-file",
        "redirected to an address that is not followed: neither http nor https, or from https to http"
      ),
      ("short", "transfer closed with"), ("reset", "Empty reply from server"),
      ("cut", "cut short on its way: there is no END:VCALENDAR at its end"),
      ("html", "answered with HTML or XML, which is no calendar"),
      ("json", "answered with JSON, which is no calendar"),
      ("empty", "answered with nothing, which is no calendar"),
      ("nothing", "answered with nothing, which is no calendar"),
      ("big", "longer than 100000 bytes: --max-size allows more"),
      ("endless", "longer than 100000 bytes: --max-size allows more"),
      ("bomb", "longer than 100000 bytes: --max-size allows more"),
      ("slow", "no complete answer within 2 s: --timeout gives it longer"),
      ("drip", "no complete answer within 2 s: --timeout gives it longer"),
      ("to-escape", ""),
    ])
  func failures(path: String, message: String) throws {
    guard let server else { return }
    try folder.write("work.ics", "the former one")
    // The others get what a busy machine needs.
    let timeout = ["slow", "drip"].contains(path) ? "2" : "60"
    let run = try fetch(
      "--timeout", timeout, "--max-size=100000", server.url(path + "?key=secret"), "work.ics")
    #expect(run.status == 1)
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("agenda-fetch: \(server.origin)/…: \(message)"), "\(run.errors)")
    #expect(run.errors.hasSuffix("\n") && run.errors.split(separator: "\n").count == 1)
    #expect(!run.errors.contains("secret"))
    #expect(!run.errors.dropLast().unicodeScalars.contains { $0.value < 32 })
    #expect(content("work.ics") == "the former one")
    #expect(try names == ["work.ics"])
  }

  @Test("nobody there, no such host, a folder that is not there, a FIFO")
  func nowhere() throws {
    let dead = try fetch("http://127.0.0.1:1/x.ics", "work.ics")
    #expect(dead.status == 1)
    #expect(dead.errors.hasPrefix("agenda-fetch: http://127.0.0.1:1/…: Failed to connect"))
    #expect(try fetch("http://nowhere.invalid/x.ics").status == 1)
    guard let server else { return }
    try fetch(server.url("ok.ics"), "no/such/folder.ics").expect(
      1, output: "", errors: "agenda-fetch: no/such/folder.ics: No such file or directory\n")
    let fifo = try AgendaRun(
      shell: "mkfifo fifo; agenda-fetch '\(server.url("ok.ics"))' fifo", in: folder.url)
    fifo.expect(
      1, output: "", errors: "agenda-fetch: fifo: is no regular file, and is left alone\n")
    try fetch(server.url("ok.ics"), ".").expect(
      1, output: "", errors: "agenda-fetch: .: is no regular file, and is left alone\n")
    // webcal means https, and the server here speaks http alone.
    let webcal = try fetch(server.url("ok.ics").replacing("http:", with: "webcal:"))
    #expect(webcal.status == 1)
    #expect(webcal.errors.hasPrefix("agenda-fetch: https://127.0.0.1"))
  }

  @Test("a certificate that nobody vouches for is refused")
  func certificate() throws {
    guard let server = try CalendarServer(certified: true) else { return }
    try folder.write("work.ics", "the former one")
    let run = try fetch(server.url("ok.ics"), "work.ics")
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("agenda-fetch: \(server.origin)/…: "))
    #expect(run.errors.contains("certificate"), "\(run.errors)")
    #expect(content("work.ics") == "the former one")
  }

  @Test("a link leads to the file that is replaced")
  func link() throws {
    guard let server else { return }
    try folder.write("real.ics", "old")
    try FileManager.default.createSymbolicLink(
      atPath: folder.url.appendingPathComponent("link.ics").path, withDestinationPath: "real.ics")
    try fetch(server.url("ok.ics"), "link.ics").expect(0, output: "")
    #expect(content("real.ics") == CalendarServer.calendar)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(
        atPath: folder.url.appendingPathComponent("link.ics").path) == "real.ics")
  }

  @Test("the address from a file or standard input; a name and password from ~/.netrc")
  func secrets() throws {
    guard let server else { return }
    try fetch("--url-from", "-", input: server.url("ok.ics") + "\nmore\n").expect(
      0, output: CalendarServer.calendar)
    try folder.write("address", "  \(server.url("ok.ics"))\r\n")
    try fetch("--url-from=address", "work.ics").expect(0, output: "")
    try folder.write(".netrc", "machine 127.0.0.1 login ana password pass\n")
    try AgendaRun(
      program: "agenda-fetch", [server.url("login")], environment: ["HOME": folder.url.path]
    ).expect(0, output: CalendarServer.calendar)
  }

  @Test(
    "a wrong command line is status 2",
    arguments: [
      ([], "URL is missing: see agenda-fetch --help"),
      (["work.ics"], "an address begins with https://, http:// or webcal://"),
      (["ftp://example.com/a.ics"], "only https, http and webcal are fetched"),
      (["file:///etc/passwd"], "only https, http and webcal are fetched"),
      (["https:///a.ics"], "the address is not one: it has blanks, or no host"),
      (["https://x/a b"], "the address is not one: it has blanks, or no host"),
      (["--bogus", "https://x"], "unknown option --bogus: see agenda-fetch --help"),
      (["https://x", "a", "b"], "unexpected argument \"b\": see agenda-fetch --help"),
      (["--timeout", "0", "https://x"], "--timeout: \"0\" is no number from 1 to 3600"),
      (
        ["--max-size", "2G", "https://x"], "--max-size: \"2G\" is no size from 1 to 1G, such as 64M"
      ),
      (["--max-redirects"], "option --max-redirects needs a value: --max-redirects N"),
      (["--any=yes", "https://x"], "option --any takes no value"),
      (["--timeuot", "5", "https://x"], "unknown option --timeuot: did you mean --timeout?"),
      (["--max", "5", "https://x"], "option --max is ambiguous: --max-size, --max-redirects"),
      (
        ["--completions", "ksh"],
        "--completions: \"ksh\" is none of bash, zsh, fish: did you mean zsh?"
      ),
      (["--url-from", "-", "a", "b"], "unexpected argument \"b\": see agenda-fetch --help"),
    ])
  func wrongCommandLines(arguments: [String], message: String) throws {
    try AgendaRun(program: "agenda-fetch", arguments).expect(
      2, output: "", errors: "agenda-fetch: \(message)\n")
  }

  @Test("help, the version of agenda, a clean manual page")
  func help() throws {
    #expect(try fetch("--help").output.hasPrefix("agenda-fetch - fetch a calendar"))
    let version = try AgendaRun(["--version"]).output.dropFirst("agenda ".count).dropLast()
    #expect(try fetch("--version").output.hasPrefix("agenda-fetch \(version), libcurl/"))
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/mandoc") else {
      print("skipped: mandoc is not installed")
      return
    }
    let lint = try AgendaRun(shell: "agenda-fetch --man | mandoc -T lint -W style").output
    #expect(
      lint.split(separator: "\n").filter { !$0.contains("referenced manual not found") }.isEmpty,
      "\(lint)")
  }

  @Test("without agenda-fetch addresses are refused, and the message names it")
  func withoutTheProgram() throws {
    let alone = folder.url.appendingPathComponent("agenda")
    try FileManager.default.copyItem(at: AgendaRun.program, to: alone)
    let run = try AgendaRun(
      shell: "exec ./agenda show https://127.0.0.1:1/x",
      environment: ["PATH": folder.url.path], in: folder.url)
    #expect(run.status == 1)
    #expect(
      run.errors.hasSuffix(
        ": addresses are fetched by agenda-fetch, which is neither beside agenda nor in PATH\n"))
  }

  @Test("agenda reads an address by agenda-fetch: show, check, import, refresh")
  func byAgenda() throws {
    guard let server else { return }
    let store = ["AGENDA_STORE": folder.url.appendingPathComponent("s.sqlite").path]
    let url = server.url("ok.ics?key=secret")
    func agenda(_ arguments: String...) throws -> AgendaRun {
      try AgendaRun(arguments + AgendaRun.pinned.prefix(2), environment: store, in: folder.url)
    }
    let shown = try agenda("show", url, "-f", "tsv")
    #expect(shown.status == 0)
    #expect(shown.errors == "")
    #expect(shown.rows.map { $0["title"] } == ["Fetched"])
    #expect(try agenda("check", url).status == 0)
    let imported = try agenda("import", url)
    #expect(imported.status == 0)
    #expect(imported.output.hasSuffix(": 1 component, calendar 127.0.0.1: 1 added\n"))
    #expect(try agenda("calendars").output.contains("\(server.origin)/…#"))
    #expect(try agenda("refresh").output.hasSuffix(": 1 unchanged\n"))
    for run in [imported, try agenda("calendars"), try agenda("refresh")] {
      #expect(!(run.output + run.errors).contains("secret"))
    }
    let failed = try agenda("import", server.url("none?key=secret"))
    #expect(failed.status == 1)
    #expect(failed.errors.hasPrefix("agenda: \(server.origin)/…#"))
    #expect(failed.errors.hasSuffix(": 404 Not Found\n"), "\(failed.errors)")
    #expect(!failed.errors.contains("secret"))
    #expect(try agenda("show", "-f", "tsv").rows.map { $0["title"] } == ["Fetched"])
  }
}
