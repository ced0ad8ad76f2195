import FetchProtocol
import Foundation
import TestSupport
import Testing

/// `agenda-fetch` against a loopback server that answers in good and bad ways.
@Suite("agenda-fetch", .serialized, .requires("python3", "openssl", "mandoc"))
struct FetchTests {
  private let folder: ScratchFolder
  private let server: CalendarServer

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

  @Test("unchanged content is not sent again, unless the local file was replaced")
  func conditional() throws {
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
      1, output: "", errors: "agenda-fetch: \(server.origin)/…: unexpected status 304\n")
  }

  @Test("identical bytes leave the file untouched")
  func sameBytes() throws {
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
    "a failure is reported, the file stays as it was, and nothing is left behind",
    arguments: [
      ("none", "not found (404)"), ("gone", "gone for good (410)"),
      ("login", "not authorised (401); ~/.netrc can hold the user name and password"),
      ("broken", "server error (500)"), ("busy", "too many requests (429)"),
      ("loop", "more than 5 redirects"),
      (
        "to-file",
        "redirected to an address that is not followed: neither http nor https, or from https to http"
      ),
      ("short", "interrupted (transfer closed with"),
      ("reset", "the server closed the connection without an answer"),
      ("cut", "incomplete answer: no END:VCALENDAR at its end"),
      ("html", "answered with HTML or XML (a login page?) instead of a calendar"),
      ("json", "answered with JSON instead of a calendar"), ("empty", "empty answer"),
      ("nothing", "empty answer"), ("big", "larger than 100000 bytes; --max-size allows more"),
      ("endless", "larger than 100000 bytes; --max-size allows more"),
      ("bomb", "larger than 100000 bytes; --max-size allows more"),
      ("slow", "no complete answer within 2 s; --timeout allows more"),
      ("drip", "no complete answer within 2 s; --timeout allows more"),
      ("to-escape", ""),
    ])
  func failures(path: String, message: String) throws {
    try folder.write("work.ics", "the old one")
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
    #expect(content("work.ics") == "the old one")
    #expect(try names == ["work.ics"])
  }

  @Test("no server, an unknown host, a missing folder and a FIFO are errors")
  func nowhere() throws {
    let dead = try fetch("http://127.0.0.1:1/x.ics", "work.ics")
    #expect(dead.status == 1)
    #expect(dead.errors.hasPrefix("agenda-fetch: http://127.0.0.1:1/…: no connection"))
    #expect(try fetch("http://nowhere.invalid/x.ics").status == 1)
    try fetch(server.url("ok.ics"), "no/such/folder.ics").expect(
      1, output: "", errors: "agenda-fetch: no/such/folder.ics: No such file or directory\n")
    let fifo = try AgendaRun(
      shell: "mkfifo fifo; agenda-fetch '\(server.url("ok.ics"))' fifo", in: folder.url)
    fifo.expect(
      1, output: "", errors: "agenda-fetch: fifo: not a regular file; not changed\n")
    try fetch(server.url("ok.ics"), ".").expect(
      1, output: "", errors: "agenda-fetch: .: not a regular file; not changed\n")
    // webcal means https, and this server supports only http.
    let webcal = try fetch(server.url("ok.ics").replacing("http:", with: "webcal:"))
    #expect(webcal.status == 1)
    #expect(webcal.errors.hasPrefix("agenda-fetch: https://127.0.0.1"))
    #expect(
      webcal.errors.hasSuffix(
        "the server answered without TLS; if it supports only http, begin the address with http://\n"
      ),
      "\(webcal.errors)")
  }

  @Test("an untrusted certificate is refused")
  func certificate() throws {
    let server = try CalendarServer(certified: true)
    try folder.write("work.ics", "the old one")
    let run = try fetch(server.url("ok.ics"), "work.ics")
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("agenda-fetch: \(server.origin)/…: "))
    #expect(run.errors.contains("certificate"), "\(run.errors)")
    #expect(content("work.ics") == "the old one")
  }

  /// What `agenda-fetch --batch` answers, by number, and the order in which it did.
  private func batch(
    _ requests: [FetchRequest], _ arguments: String..., environment: [String: String] = [:]
  ) throws -> (answers: [Int: FetchAnswer], order: [Int]) {
    let run = try AgendaRun(
      program: "agenda-fetch", ["--batch"] + arguments,
      input: requests.map { String(decoding: $0.message.encoded(), as: UTF8.self) }.joined(),
      environment: environment, in: folder.url)
    #expect(run.status == 0)
    #expect(run.errors == "")
    var reader = FetchMessageReader()
    reader.append(Array(run.output.utf8))
    var answers: [FetchAnswer] = []
    while let message = try reader.next() {
      answers.append(try #require(FetchAnswer(message)))
    }
    #expect(reader.isAtBoundary)
    return (
      try Dictionary(answers.map { ($0.number, $0) }) { _, _ in throw CocoaError(.coderInvalidValue)
      },
      answers.map(\.number)
    )
  }

  private func content(_ answer: FetchAnswer?) -> String? {
    guard case .content(let bytes)? = answer?.outcome else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("a batch answers each request as soon as it can; a slow server delays no other")
  func batchOrder() throws {
    let paths = ["ok.ics", "none", "gzip", "html", "moved", "busy"]
    // The server answers this one after all others, whose redirects are answers too.
    let last = FetchRequest(number: 1, address: server.url("after/\(paths.count + 3)"))
    var known = FetchRequest(number: 20, address: server.url("ok.ics"))
    known.validators.entityTag = "\"v1\""
    let others = paths.enumerated().map { index, path in
      FetchRequest(number: index + 2, address: server.otherHostURL(path))
    }
    let bad = FetchRequest(number: 30, address: "ftp://example.com/")
    var slow = FetchRequest(number: 31, address: server.url("slow"))
    slow.limits.seconds = 2
    let result = try batch([last] + others + [known, bad, slow])
    #expect(result.order.count == paths.count + 4)
    #expect(result.order.first != 1)
    #expect(content(result.answers[1]) == CalendarServer.calendar)
    #expect(content(result.answers[2]) == CalendarServer.calendar)
    #expect(result.answers[2]?.validators.entityTag == "\"v1\"")
    #expect(result.answers[3]?.outcome == .failed(FetchFailure("not found (404)", status: 404)))
    #expect(content(result.answers[4]) == CalendarServer.calendar)
    #expect(result.answers[7]?.headers.retryAfter == "120")
    #expect(result.answers[20]?.outcome == .unchanged)
    #expect(
      result.answers[30]?.outcome
        == .failed(
          FetchFailure("ftp: addresses are not supported; use https, http or webcal")))
    #expect(
      result.answers[31]?.outcome
        == .failed(
          FetchFailure("no complete answer within 2 s", hint: "--timeout allows more")))
  }

  @Test("16 requests at once and 4 to one host, over connections that are used again")
  func limits() throws {
    let port = try #require(server.origin.split(separator: ":").last)
    let requests = (0..<120).map { number in
      // libcurl resolves every name below `localhost` to this machine.
      FetchRequest(
        number: number,
        address: "http://\(Array("abcde")[number % 5]).localhost:\(port)/counted/\(number)"
      )
    }
    let result = try batch(requests)
    #expect(result.answers.values.allSatisfy { content($0) == CalendarServer.calendar })
    let peak = try fetch("--any", server.url("peak")).output.split(separator: " ").compactMap {
      Int($0)
    }
    try #require(peak.count == 3)
    #expect(peak[0] == 16)
    #expect(peak[1] == 4)
    #expect(peak[2] <= 40, "\(peak)")
    _ = try batch(Array(requests.prefix(10)), "--jobs=1")
  }

  @Test("only a chain of permanent redirects is reported as the new address")
  func permanentRedirects() throws {
    let paths = ["moved", "moved-then-found", "found-then-moved", "hop", "moved-to-nothing"]
    let result = try batch(
      paths.enumerated().map { FetchRequest(number: $0, address: server.url($1)) })
    #expect(
      (0..<paths.count).map { result.answers[$0]?.movedTo } == [
        server.url("ok.ics"), server.url("hop"), nil, nil, nil,
      ])
  }

  @Test("credentials are sent to their own origin only")
  func credentials() throws {
    var away = FetchRequest(number: 0, address: server.url("elsewhere"))
    away.user = "ana"
    away.password = "secret"
    var home = away
    home.number = 1
    home.address = server.url("at-home")
    let inAddress = FetchRequest(
      number: 2, address: server.url("elsewhere").replacing("://", with: "://ana:secret@"))
    let inAddressAtHome = FetchRequest(
      number: 3, address: server.url("at-home").replacing("://", with: "://ana:secret@"))
    let result = try batch([away, home, inAddress, inAddressAtHome])
    for number in [0, 2] {
      guard case .failed(let failure)? = result.answers[number]?.outcome else {
        Issue.record("\(number) got an answer from another host")
        continue
      }
      #expect(failure.status == 401)
    }
    #expect(content(result.answers[1]) == CalendarServer.calendar)
    #expect(content(result.answers[3]) == CalendarServer.calendar)
  }

  @Test("an interrupted transfer gets one more attempt")
  func interruption() throws {
    let result = try batch(
      ["flaky", "short"].enumerated().map {
        FetchRequest(number: $0, address: server.url($1))
      })
    #expect(content(result.answers[0]) == CalendarServer.calendar)
    #expect(
      server.newRequests().sorted() == [
        "GET /flaky 200", "GET /flaky 200", "GET /short 200", "GET /short 200",
      ])
  }

  @Test("a proxy that refuses is reported as such")
  func proxy() throws {
    let result = try batch(
      [FetchRequest(number: 0, address: "https://example.invalid/a.ics")],
      environment: ["https_proxy": server.origin])
    #expect(
      result.answers[0]?.outcome
        == .failed(
          FetchFailure(
            "the proxy refused the connection (403)",
            hint: "the variables https_proxy, http_proxy and no_proxy choose the proxy")))
  }

  @Test("a private authority is trusted by option or variable")
  func ownAuthority() throws {
    let server = try CalendarServer(certified: true)
    try fetch("--cacert", server.certificatePath, server.url("ok.ics")).expect(
      0, output: CalendarServer.calendar)
    for variable in ["SSL_CERT_FILE", "CURL_CA_BUNDLE"] {
      try AgendaRun(
        program: "agenda-fetch", [server.url("ok.ics")],
        environment: [variable: server.certificatePath]
      ).expect(0, output: CalendarServer.calendar)
    }
    // OpenSSL looks for a certificate by the digest of its name.
    let digest = try Tool("openssl").run([
      "x509", "-noout", "-subject_hash", "-in", server.certificatePath,
    ]).output.split(separator: "\n").first
    try FileManager.default.copyItem(
      atPath: server.certificatePath,
      toPath: folder.url.appendingPathComponent("\(try #require(digest)).0").path)
    try AgendaRun(
      program: "agenda-fetch", [server.url("ok.ics")],
      environment: ["SSL_CERT_DIR": folder.url.path]
    ).expect(0, output: CalendarServer.calendar)
  }

  @Test(
    "HTTP/2 is used if the server offers it",
    .enabled(if: CalendarServer.speaksHTTP2, "Debian's package python3-h2 is not installed"))
  func http2() throws {
    let server = try CalendarServer(certified: true)
    let requests = (0..<20).map { number in
      var request = FetchRequest(number: number, address: server.url("ok.ics"))
      request.certificates = server.certificatePath
      return request
    }
    let result = try batch(requests)
    #expect(result.answers.values.allSatisfy { content($0) == CalendarServer.calendar })
    #expect(server.newRequests() == Array(repeating: "HTTP/2 /ok.ics", count: 20))
  }

  @Test("a link leads to the file that is replaced")
  func link() throws {
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
    try fetch("--url-from", "-", input: server.url("ok.ics") + "\nmore\n").expect(
      0, output: CalendarServer.calendar)
    try folder.write("address", "  \(server.url("ok.ics"))\r\n")
    try fetch("--url-from=address", "work.ics").expect(0, output: "")
    try folder.write(".netrc", "machine 127.0.0.1 login ana password pass\n")
    let refused = try AgendaRun(
      program: "agenda-fetch", [server.url("refused")], environment: ["HOME": folder.url.path])
    #expect(
      refused.errors.contains("the user name or password was refused (401)"), "\(refused)")
    try AgendaRun(
      program: "agenda-fetch", [server.url("login")], environment: ["HOME": folder.url.path]
    ).expect(0, output: CalendarServer.calendar)
  }

  @Test(
    "a wrong command line is status 2",
    arguments: [
      ([], "missing URL; see agenda-fetch --help"),
      (["work.ics"], "expected an address that begins with https://, http:// or webcal://"),
      (
        ["ftp://example.com/a.ics"],
        "ftp: addresses are not supported; use https, http or webcal"
      ),
      (
        ["file:///etc/passwd"],
        "file: addresses are not supported; use https, http or webcal"
      ),
      (["https:///a.ics"], "invalid address: it contains a blank, or no host"),
      (["https://x/a b"], "invalid address: it contains a blank, or no host"),
      (["--bogus", "https://x"], "unknown option --bogus; agenda-fetch --help lists all options"),
      (["https://x", "a", "b"], "unexpected argument \"b\"; see agenda-fetch --help"),
      (["--timeout", "0", "https://x"], "--timeout: expected a number from 1 to 3600, got 0"),
      (
        ["--max-size", "2G", "https://x"],
        "--max-size: expected a size from 1 to 1G, such as 64M, got \"2G\""
      ),
      (["--max-redirects"], "--max-redirects: missing value; write --max-redirects N"),
      (["--any=yes", "https://x"], "--any: this option does not take a value"),
      (["--timeuot", "5", "https://x"], "unknown option --timeuot; did you mean --timeout?"),
      (["--max", "5", "https://x"], "unknown option --max; did you mean --man?"),
      (
        ["--completions", "ksh"],
        "--completions: expected one of bash, zsh, fish, got \"ksh\"; did you mean zsh?"
      ),
      (["--url-from", "-", "a", "b"], "unexpected argument \"b\"; see agenda-fetch --help"),
    ])
  func wrongCommandLines(arguments: [String], message: String) throws {
    try AgendaRun(program: "agenda-fetch", arguments).expect(
      2, output: "", errors: "agenda-fetch: \(message)\n")
  }

  @Test("help, the version of agenda, a clean manual page")
  func help() throws {
    #expect(try fetch("--help").output.hasPrefix("agenda-fetch - download a calendar"))
    let version = try AgendaRun(process: ["--version"]).output.dropFirst("agenda ".count).dropLast()
    #expect(try fetch("--version").output.hasPrefix("agenda-fetch \(version), libcurl/"))
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
        ": agenda-fetch, which downloads addresses, is neither next to agenda nor in PATH\n"))
  }

  @Test("agenda reads an address by agenda-fetch: show, check, import, refresh")
  func byAgenda() throws {
    let store = ["AGENDA_STORE": folder.url.appendingPathComponent("s.sqlite").path]
    let url = server.url("ok.ics?key=secret")
    func agenda(_ arguments: String...) throws -> AgendaRun {
      try AgendaRun(
        process: arguments + AgendaRun.pinned.prefix(2), environment: store, in: folder.url)
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
    #expect(
      failed.errors.hasPrefix("agenda: 127.0.0.1: not found (404) at \(server.origin)/…#"),
      "\(failed.errors)")
    #expect(!failed.errors.contains("secret"))
    #expect(try agenda("show", "-f", "tsv").rows.map { $0["title"] } == ["Fetched"])
  }
}
