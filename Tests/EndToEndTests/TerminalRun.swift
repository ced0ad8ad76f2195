import Foundation
import TestSupport

/// A program run in a separate terminal, which Python's pty makes.
struct TerminalRun {
  let status: Int32
  /// What a person would see: both streams, with line feeds alone.
  let screen: String

  /// `keys` are typed when the screen shows the text before them.
  init(
    _ line: String, rows: Int = 24, columns: Int = 80, keys: [(after: String, typed: String)] = [],
    environment: [String: String] = [:], in folder: ScratchFolder
  ) throws {
    let typed = keys.map { [$0.after, $0.typed] }
    let request = try JSONSerialization.data(withJSONObject: [
      "line": line, "rows": rows, "columns": columns, "keys": typed,
    ])
    let script = try folder.write(".terminal.py", Self.script)
    let python = try Tool("python3")
    let run = try AgendaRun(
      shell: "exec '\(python.url.path)' '\(script)'",
      input: String(decoding: request, as: UTF8.self),
      environment: ["TERM": "xterm"].merging(environment) { $1 }, in: folder.url)
    guard
      let answer = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any],
      let status = answer["status"] as? Int, let screen = answer["screen"] as? String
    else { throw CocoaError(.coderReadCorrupt) }
    self.status = Int32(status)
    self.screen = screen.replacing("\r\n", with: "\n")
  }

  private static let script = #"""
    import fcntl, json, os, pty, select, signal, struct, sys, termios, time
    request = json.load(sys.stdin)
    child, terminal = pty.fork()
    if child == 0:
        size = struct.pack("HHHH", request["rows"], request["columns"], 0, 0)
        fcntl.ioctl(0, termios.TIOCSWINSZ, size)
        os.execv("/bin/sh", ["sh", "-c", request["line"]])
    screen, keys, deadline = b"", request["keys"], time.time() + 20
    while time.time() < deadline:
        if keys and keys[0][0].encode() in screen:
            os.write(terminal, keys.pop(0)[1].encode())
        if select.select([terminal], [], [], 0.05)[0]:
            try: more = os.read(terminal, 65536)
            except OSError: break
            if not more: break
            screen += more
    else:
        os.kill(child, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    json.dump({"status": status, "screen": screen.decode(errors="replace")}, sys.stdout)
    """#
}
