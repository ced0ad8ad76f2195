import CommandLineOptions
import Foundation
import TestSupport
import Testing

/// Each script is loaded into the real shell and asked what it would offer.
@Suite("completions")
struct CompletionTests {
  /// What is typed, and what must be among, and what must not be among, the words offered.
  static let cases: [(line: String, offered: [String], not: [String])] = [
    ("sample ", ["show", "event", "shells"], ["--format"]),
    ("sample sh", ["show", "shells"], ["event"]),
    ("sample --fo", ["--format"], ["--days"]),
    ("sample show --", ["--format", "--days", "--help"], ["--secret", "show"]),
    ("sample event --", ["--format"], ["--days"]),
    ("sample show --format ", ["text", "json", "jsonl"], ["show"]),
    ("sample show --format j", ["json", "jsonl"], ["text"]),
    ("sample show -f j", ["json", "jsonl"], ["text"]),
    ("sample --format j", ["json", "jsonl"], ["show"]),
    ("sample --format json ev", ["event"], ["show"]),
    ("sample show --calendar ", ["home", "work"], ["show"]),
    ("sample show --media fol", ["folder"], ["file.ics"]),
    ("sample show fi", ["file.ics"], ["show"]),
    ("sample shells z", ["zsh"], ["bash"]),
  ]

  /// A folder with a file, a folder and a program `sample` that lists calendars.
  private static func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let manager = FileManager.default
    try manager.createDirectory(
      at: folder.appendingPathComponent("folder"), withIntermediateDirectories: true)
    defer { try? manager.removeItem(at: folder) }
    try Data().write(to: folder.appendingPathComponent("file.ics"))
    let program = folder.appendingPathComponent("sample")
    try Data(
      "#!/bin/sh\n[ \"$*\" = 'completions --words calendars' ] && printf 'home\\nwork\\n'\n".utf8
    ).write(to: program)
    try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
    try body(folder)
  }

  private static func environment(_ folder: URL) -> [String: String] {
    [
      "PATH": "\(folder.path):/usr/bin:/bin", "HOME": folder.path, "LC_ALL": "C.UTF-8",
      "TERM": "dumb",
    ]
  }

  private func expect(
    _ words: Set<String>, _ item: (line: String, offered: [String], not: [String])
  ) {
    for word in item.offered { #expect(words.contains(word), "\(item.line)| \(words.sorted())") }
    for word in item.not { #expect(!words.contains(word), "\(item.line)| \(words.sorted())") }
  }

  @Test(
    "each shell offers what fits, and nothing else", .requires("bash", "zsh", "fish"),
    arguments: CompletingShell.allCases)
  func offers(shell: CompletingShell) throws {
    let script =
      switch shell {
      case .bash: BashCompletion(Sample.program).script()
      case .zsh: ZshCompletion(Sample.program).script()
      case .fish: FishCompletion(Sample.program).script()
      }
    try Self.withFolder { folder in
      let answers = try shell.words(
        for: Self.cases.map(\.line), of: "sample", script: script, in: folder,
        environment: Self.environment(folder))
      for (item, words) in zip(Self.cases, answers) { expect(words, item) }
    }
  }

  @Test(
    "bash splits a line at the equals sign, and the value is still completed", .requires("bash"))
  func bashEqualsSign() throws {
    let bash = try Tool("bash")
    for words in [["sample", "show", "--format", "=", "j"], ["sample", "show", "--format", "="]] {
      let script = """
        \(BashCompletion(Sample.program).script())
        COMP_WORDS=(\(words.joined(separator: " ")))
        COMP_CWORD=\(words.count - 1)
        _sample
        printf '%s\\n' "${COMPREPLY[@]}"
        """
      let output = try bash.run(["--norc", "-s"], input: script).output
      #expect(output.contains("json\n"), "\(words)")
    }
  }
}
