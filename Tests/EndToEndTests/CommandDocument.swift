import Foundation
import TestSupport

/// The code blocks of a Markdown document, with their headings.
struct CommandDocument {
  struct Block {
    let heading: String
    /// What follows the three backticks: `sh`, `cron`, `ini`.
    let language: String
    let text: String
  }

  let blocks: [Block]

  init(_ name: String) throws {
    let file = Repository.root.appendingPathComponent(name)
    let text = try String(contentsOf: file, encoding: .utf8)
    var blocks: [Block] = []
    var heading = ""
    var open: (language: String, lines: [Substring])?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        if let (language, lines) = open {
          blocks.append(
            Block(heading: heading, language: language, text: lines.joined(separator: "\n")))
          open = nil
        } else {
          open = (String(line.dropFirst(3)), [])
        }
      } else if open != nil {
        open?.lines.append(line)
      } else if line.hasPrefix("#") {
        heading = String(line.drop { $0 == "#" || $0 == " " })
      }
    }
    self.blocks = blocks
  }

  var headings: [String] {
    var seen: [String] = []
    for block in blocks where seen.last != block.heading { seen.append(block.heading) }
    return seen
  }
}

/// A temporary home in which the commands of a document are run, with fake programs that send,
/// install or show something. Each of them records its arguments and its input.
final class CommandHome {
  let folder: ScratchFolder
  private let environment: [String: String]

  /// Only what the commands may find: the built programs, the fake programs, the system.
  init() throws {
    folder = try ScratchFolder()
    let home = folder.url.path
    let products = AgendaRun.program.deletingLastPathComponent().path
    environment = [
      "HOME": home, "TZ": "Europe/Berlin", "TERM": "dumb",
      "PATH": "\(home)/.fake-programs:\(products):/usr/bin:/bin",
      "PRODUCTS": products, "GIT_AUTHOR_NAME": "Ana", "GIT_AUTHOR_EMAIL": "ana@example.com",
      "GIT_COMMITTER_NAME": "Ana", "GIT_COMMITTER_EMAIL": "ana@example.com",
    ]
    let note = "{ printf '%s' \"${0##*/}\"; printf ' [%s]' \"$@\"; echo; } >> \"$HOME/.record\"\n"
    try standIn("notify-send", note)
    try standIn("systemctl", note)
    try standIn("apt-get", note)
    try standIn(
      "mail",
      """
      body=$(cat)
      case " $* " in *" -E "*) [ -z "$body" ] && exit 0 ;; esac
      \(note)printf '%s\\n' "$body" >> "$HOME/.record"
      """)
    try standIn(
      "sendmail",
      "body=$(cat)\n[ -z \"$body\" ] && exit 0\n\(note)printf '%s\\n' \"$body\" >> \"$HOME/.record\""
    )
    // Building is done; what was built is run.
    try standIn(
      "swift",
      """
      \(note)case "$*" in
        *--show-bin-path) echo "$PRODUCTS" ;;
        run*) while [ "$1" != agenda ]; do shift; done; exec "$@" ;;
      esac
      """)
  }

  private func standIn(_ name: String, _ body: String) throws {
    let path = try folder.write(".fake-programs/\(name)", "#!/bin/sh\n\(body)")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  /// The moment at which everything happens from now on.
  func setNow(_ now: String) throws {
    try folder.write(
      ".config/agenda/config",
      "now = \(now)\ntimezone = Europe/Berlin\nlocale = en_GB\n")
  }

  func run(_ line: String) throws -> AgendaRun {
    try AgendaRun(shell: line, environment: environment, in: folder.url)
  }

  /// What the fake programs have recorded since the last call.
  func record() throws -> String {
    let file = folder.url.appendingPathComponent(".record")
    defer { try? FileManager.default.removeItem(at: file) }
    return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  }

  func content(_ name: String) -> String? {
    try? String(contentsOf: folder.url.appendingPathComponent(name), encoding: .utf8)
  }
}
