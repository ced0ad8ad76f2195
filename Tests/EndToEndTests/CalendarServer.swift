import Foundation
import TestSupport

/// A web server in Python that runs as long as this object lives.
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
  private var seen = 0
  private let isCertified: Bool

  /// The system's Python, which alone sees the modules of Debian's packages.
  private static let systemPython = URL(fileURLWithPath: "/usr/bin/python3")

  /// Whether a server with TLS offers HTTP/2.
  static let speaksHTTP2 =
    (try? ProgramRun(systemPython, ["-c", "import h2"]))?.status == 0

  /// With `certified` it speaks TLS with a self-signed certificate.
  init(certified: Bool = false) throws {
    folder = try ScratchFolder()
    let python = certified && Self.speaksHTTP2 ? Self.systemPython : try Tool("python3").url
    let script = try folder.write("server.py", Self.script)
    try folder.write("calendar.ics", Self.calendar)
    process.executableURL = python
    process.arguments = [script, folder.url.path]
    isCertified = certified
    if certified {
      let openssl = try Tool("openssl")
      let file = folder.url.appendingPathComponent("certificate.pem").path
      let made = try openssl.run([
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
        "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", file, "-out",
        file + ".crt",
      ])
      guard made.status == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      kill(process.processIdentifier, SIGKILL)
      throw CocoaError(.fileReadUnknown)
    }
    self.port = port
  }

  // The server inherits the signal mask of the thread that started it, which may block SIGTERM.
  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  var origin: String { "\(isCertified ? "https" : "http")://127.0.0.1:\(port)" }

  func url(_ path: String) -> String { "\(origin)/\(path)" }

  /// A URL of the same server whose host has another name.
  func otherHostURL(_ path: String) -> String {
    url(path).replacing("127.0.0.1", with: "localhost")
  }

  /// The certificate that signs the server's own.
  var certificatePath: String {
    folder.url.appendingPathComponent("certificate.pem.crt").path
  }

  /// Sets a word that decides how the server answers the paths that begin with `many/`.
  func setState(_ word: String) throws { try folder.write("state", word) }

  /// Whether the addresses `turns/WAY` are bad in that way.
  func setBad(_ isBad: Bool) throws {
    let file = folder.url.appendingPathComponent("bad")
    if isBad { try Data().write(to: file) } else { try FileManager.default.removeItem(at: file) }
  }

  /// The requests and their status codes since the last call.
  func newRequests() -> [String] {
    let log = folder.url.appendingPathComponent("log")
    let lines = ((try? String(contentsOf: log, encoding: .utf8)) ?? "").split(separator: "\n")
    defer { seen = lines.count }
    return lines.dropFirst(seen).map(String.init)
  }

  private static let script = #"""
    import gzip, http.server, os, socket, ssl, sys, threading, time
    folder = sys.argv[1]

    def end_with_parent(parent=os.getppid()):
        while os.getppid() == parent: time.sleep(1)
        os._exit(0)

    threading.Thread(target=end_with_parent, daemon=True).start()
    calendar = open(folder + "/calendar.ics", "rb").read()
    DATE = "Sat, 21 Nov 2026 08:00:00 GMT"

    lock = threading.Lock()
    active = {"all": 0}
    peak = {"all": 0}
    answered = 0
    changed = threading.Condition(lock)
    # No test waits this long: whatever it waits for happens first, or the test has found a defect.
    longest_wait = 60
    attempts = {}

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *arguments): pass

        def note(self, status):
            asked = "".join(" %s=%s" % (name, self.headers[name])
                for name in ("If-None-Match", "If-Modified-Since") if name in self.headers)
            if "Authorization" in self.headers: asked += " Authorization"
            with open(folder + "/log", "a") as log:
                log.write("%s %s%s %d\n" % (self.command, self.path, asked, status))

        def answer(self, status, body=b"", length=None, **headers):
            self.note(status)
            self.send_response(status)
            for name, value in headers.items(): self.send_header(name.replace("_", "-"), value)
            if length is None: length = len(body)
            if length >= 0: self.send_header("Content-Length", str(length))
            self.close_connection = not path_keeps_connection(self.path)
            if self.close_connection: self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(body)
            global answered
            with changed:
                answered += 1
                changed.notify_all()

        def do_CONNECT(self): self.answer(403)

        def do_GET(self):
            path = self.path.split("?")[0][1:]
            if path == "moved": return self.answer(301, Location="/moved-too")
            if path == "moved-too": return self.answer(308, Location="/ok.ics")
            if path == "moved-then-found": return self.answer(301, Location="/hop")
            if path == "found-then-moved": return self.answer(302, Location="/moved")
            if path == "moved-to-nothing": return self.answer(301, Location="/none")
            if path == "elsewhere":
                host = self.headers["Host"].replace("127.0.0.1", "localhost")
                return self.answer(302, Location="http://%s/login" % host)
            if path == "at-home": return self.answer(302, Location="/login")
            if path == "flaky":
                with lock: attempts[self.path] = attempts.get(self.path, 0) + 1
                if attempts[self.path] == 1: return self.answer(200, calendar, length=len(calendar) + 10)
                return self.answer(200, calendar)
            if path.startswith("turns/"):
                way = path.split("/")[1]
                if not os.path.exists(folder + "/bad"):
                    text = calendar.decode().replace("Fetched", way)
                    text = text.replace("VERSION:2.0", "VERSION:2.0\r\nX-WR-CALNAME:" + way)
                    return self.answer(200, text.encode(), ETag='"%s"' % way)
                path = way
            state = open(folder + "/state").read() if os.path.exists(folder + "/state") else ""
            if path == "flip":
                if state == "bad": return self.answer(404)
                if state == "gone": return self.answer(410)
                if state == "busy": return self.answer(429, Retry_After="3600")
                return self.answer(200, calendar)
            if path == "slow-login":
                time.sleep(0.3)
                path = "login"
            if path == "late":
                time.sleep(1.5)
                return self.answer(200, calendar)
            if path == "flawed":
                tag = '"%s"' % state
                if self.headers.get("If-None-Match") == tag: return self.answer(304, ETag=tag)
                bad = "BEGIN:VEVENT\r\nUID:bad%s\r\nDTSTART:20260230T090000\r\nEND:VEVENT\r\n" % state
                odd = "BEGIN:VEVENT\r\nUID:odd\r\nDTSTART;TZID=Nowhere:20261124T090000\r\nEND:VEVENT\r\n"
                text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n%s%sEND:VCALENDAR\r\n" % (bad, odd)
                return self.answer(200, text.encode(), ETag=tag)
            if path == "flawed-plain":
                text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:bad\r\nEND:VEVENT\r\n"
                return self.answer(200, (text + "END:VCALENDAR\r\n").encode())
            if path == "fresh": return self.answer(200, calendar, Cache_Control="max-age=600")
            if path == "hourly":
                return self.answer(200, calendar.replace(
                    b"BEGIN:VEVENT", b"REFRESH-INTERVAL;VALUE=DURATION:PT1H\r\nBEGIN:VEVENT", 1))
            if path == "restless":
                with lock: attempts[path] = attempts.get(path, 0) + 1
                stamp = "20261121T09%02d00Z" % attempts[path]
                events = [
                    "BEGIN:VEVENT\r\nUID:%d\r\nDTSTAMP:%s\r\nLAST-MODIFIED:%s\r\n"
                    "DTSTART:20261124T090000Z\r\nSUMMARY:Event %d\r\nEND:VEVENT\r\n"
                    % (number, stamp, stamp, number) for number in range(12)]
                if attempts[path] % 2: events.reverse()
                text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + "".join(events) + "END:VCALENDAR\r\n"
                return self.answer(200, text.encode())
            if path.startswith("many/"):
                number = int(path.split("/")[1])
                tag = '"%s"' % (state if number % 10 == 0 else "")
                if self.headers.get("If-None-Match") == tag: return self.answer(304, ETag=tag)
                text = calendar.decode().replace("Fetched", "Event %d %s" % (number, tag[1:-1]))
                text = text.replace("VERSION:2.0", "VERSION:2.0\r\nX-WR-CALNAME:c%03d" % number)
                return self.answer(200, text.encode(), ETag=tag)
            if path == "busy": return self.answer(429, Retry_After="120")
            if path.startswith("counted"):
                host = self.headers["Host"]
                with changed:
                    for key in ("all", host):
                        active[key] = active.get(key, 0) + 1
                        peak[key] = max(peak.get(key, 0), active[key])
                    changed.notify_all()
                    # The first requests wait for each other, so that a busy machine shows them too.
                    changed.wait_for(lambda: peak["all"] >= 16, longest_wait)
                time.sleep(0.05)
                with lock:
                    for key in ("all", host): active[key] -= 1
                return self.answer(200, calendar)
            if path.startswith("after/"):
                with changed:
                    is_time = changed.wait_for(
                        lambda: answered >= int(path.split("/")[1]), longest_wait)
                return self.answer(200, calendar) if is_time else self.answer(503)
            if path == "peak":
                text = "%d %d %d" % (
                    peak["all"], max(v for k, v in peak.items() if k != "all"), Handler.connections)
                return self.answer(200, text.encode())
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
            if path == "refused":
                return self.answer(401, WWW_Authenticate='Basic realm="x"')
            if path == "short": return self.answer(200, calendar, length=len(calendar) + 10)
            if path == "reset":
                self.note(0)
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
                self.note(0)
                time.sleep(longest_wait)
                return
            if path == "drip":
                self.answer(200, length=-1)
                try:
                    for _ in range(longest_wait * 10):
                        self.wfile.write(b"B")
                        self.wfile.flush()
                        time.sleep(0.1)
                except OSError: pass
                return
            self.answer(404)

    def path_keeps_connection(path): return path.startswith(("/counted", "/many"))

    Handler.connections = 0
    class Server(http.server.ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 200

        def process_request(self, request, address):
            Handler.connections += 1
            super().process_request(request, address)

    def serve_http2(connection):
        import h2.config, h2.connection, h2.events
        http2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        http2.initiate_connection()
        connection.sendall(http2.data_to_send())
        while data := connection.recv(65536):
            for event in http2.receive_data(data):
                if not isinstance(event, h2.events.RequestReceived): continue
                path = dict(event.headers)[b":path"].decode()
                with open(folder + "/log", "a") as log: log.write("HTTP/2 %s\n" % path)
                http2.send_headers(event.stream_id, [(":status", "200"), ("etag", '"v2"')])
                http2.send_data(event.stream_id, calendar, end_stream=True)
            connection.sendall(http2.data_to_send())

    def serve_tls():
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder + "/certificate.pem.crt", folder + "/certificate.pem")
        try:
            import h2
            context.set_alpn_protocols(["h2", "http/1.1"])
        except ImportError: pass
        listener = socket.create_server(("127.0.0.1", 0), backlog=200)
        print(listener.getsockname()[1], flush=True)
        def serve(connection, address):
            try:
                with context.wrap_socket(connection, server_side=True) as secured:
                    if secured.selected_alpn_protocol() == "h2": serve_http2(secured)
                    else: Handler(secured, address, None)
            except OSError: pass
        while True:
            threading.Thread(target=serve, args=listener.accept(), daemon=True).start()

    if os.path.exists(folder + "/certificate.pem.crt"): serve_tls()
    server = Server(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()
    """#
}
