import Foundation
import TestSupport

/// A web server of the tests, in Python, that is gone with this object.
final class CalendarServer {
  static let calendar = """
    BEGIN:VCALENDAR
    VERSION:2.0
    BEGIN:VEVENT
    UID:fetched
    DTSTART;TZID=Europe/Berlin:20261124T090000
    SUMMARY:Fetched
    END:VEVENT
    END:VCALENDAR

    """.replacingOccurrences(of: "\n", with: "\r\n")

  private let process = Process()
  private let folder: ScratchFolder
  private let port: Int
  private var told = 0
  private let isCertified: Bool

  /// `nil` where there is no Python; the test says so and passes.
  ///
  /// With `certified` it speaks TLS, under a certificate that nobody has a reason to trust.
  init?(certified: Bool = false) throws {
    folder = try ScratchFolder()
    guard let python = Tool("python3") else { return nil }
    let script = try folder.write("server.py", Self.script)
    try folder.write("calendar.ics", Self.calendar)
    process.executableURL = python.url
    process.arguments = [script, folder.url.path]
    isCertified = certified
    if certified {
      guard let openssl = Tool("openssl") else { return nil }
      let file = folder.url.appendingPathComponent("certificate.pem").path
      let made = try openssl.run([
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
        "-keyout", file, "-out", file + ".crt",
      ])
      guard made.status == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      process.terminate()
      throw CocoaError(.fileReadUnknown)
    }
    self.port = port
  }

  deinit { if process.isRunning { process.terminate() } }

  var origin: String { "\(isCertified ? "https" : "http")://127.0.0.1:\(port)" }

  func url(_ path: String) -> String { "\(origin)/\(path)" }

  /// What was asked and answered since the last time.
  func newRequests() -> [String] {
    let log = folder.url.appendingPathComponent("log")
    let lines = ((try? String(contentsOf: log, encoding: .utf8)) ?? "").split(separator: "\n")
    defer { told = lines.count }
    return lines.dropFirst(told).map(String.init)
  }

  private static let script = #"""
    import gzip, http.server, os, ssl, sys, time
    folder = sys.argv[1]
    calendar = open(folder + "/calendar.ics", "rb").read()
    DATE = "Sat, 21 Nov 2026 08:00:00 GMT"

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *arguments): pass

        def note(self, status):
            asked = "".join(" %s=%s" % (name, self.headers[name])
                for name in ("If-None-Match", "If-Modified-Since") if name in self.headers)
            with open(folder + "/log", "a") as log:
                log.write("GET %s%s %d\n" % (self.path, asked, status))

        def answer(self, status, body=b"", length=None, **headers):
            self.note(status)
            self.send_response(status)
            for name, value in headers.items(): self.send_header(name.replace("_", "-"), value)
            if length is None: length = len(body)
            if length >= 0: self.send_header("Content-Length", str(length))
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(body)
            self.close_connection = True

        def do_GET(self):
            path = self.path.split("?")[0][1:]
            if path == "ok.ics":
                if self.headers.get("If-None-Match") == '"v1"': return self.answer(304)
                return self.answer(200, calendar, ETag='"v1"', Last_Modified=DATE)
            if path == "dated.ics":
                if self.headers.get("If-Modified-Since") == DATE: return self.answer(304)
                return self.answer(200, calendar, Last_Modified=DATE)
            if path == "plain.ics": return self.answer(200, calendar)
            if path == "other.ics": return self.answer(200, calendar.replace(b"Fetched", b"Other"))
            if path == "utf16": return self.answer(200, calendar.decode().encode("utf-16"))
            if path == "gzip":
                return self.answer(200, gzip.compress(calendar), Content_Encoding="gzip")
            if path == "always304": return self.answer(304)
            if path == "hop": return self.answer(302, Location="/ok.ics")
            if path == "loop": return self.answer(302, Location="/loop")
            if path == "to-file": return self.answer(302, Location="file:///etc/passwd")
            if path == "to-escape": return self.answer(302, Location="http://a\x1b]0;x\x07b.invalid/")
            if path == "gone": return self.answer(410)
            if path == "broken": return self.answer(500, b"secret")
            if path == "login":
                if "Authorization" in self.headers: return self.answer(200, calendar)
                return self.answer(401, WWW_Authenticate='Basic realm="x"')
            if path == "short": return self.answer(200, calendar, length=len(calendar) + 10)
            if path == "reset":
                self.close_connection = True
                return
            if path == "cut": return self.answer(200, calendar[:60], length=-1)
            if path == "html": return self.answer(200, b"\n <!DOCTYPE html><html></html>")
            if path == "json": return self.answer(200, b'{"error": "log in"}')
            if path == "empty": return self.answer(200)
            if path == "nothing": return self.answer(204)
            if path == "big": return self.answer(200, b"x" * 200000)
            if path == "bomb":
                return self.answer(200, gzip.compress(b"x" * 5_000_000), Content_Encoding="gzip")
            if path == "endless":
                self.answer(200, length=-1)
                try:
                    for _ in range(1000): self.wfile.write(b"x" * 100000)
                except OSError: pass
                return
            if path == "slow":
                time.sleep(5)
                return
            if path == "drip":
                self.answer(200, length=-1)
                try:
                    for _ in range(50):
                        self.wfile.write(b"B")
                        self.wfile.flush()
                        time.sleep(0.1)
                except OSError: pass
                return
            self.answer(404)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if os.path.exists(folder + "/certificate.pem.crt"):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder + "/certificate.pem.crt", folder + "/certificate.pem")
        server.socket = context.wrap_socket(server.socket, server_side=True)
    print(server.server_port, flush=True)
    server.serve_forever()
    """#
}
