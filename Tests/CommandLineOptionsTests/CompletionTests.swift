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
      "#!/bin/sh\n[ \"$*\" = 'completions --list calendars' ] && printf 'home\\nwork\\n'\n".utf8
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

  @Test("bash")
  func bash() throws {
    guard let bash = Tool("bash") else { return }
    try Self.withFolder { folder in
      for item in Self.cases {
        let script = """
          cd \(folder.path)
          \(BashCompletion(Sample.program).script())
          COMP_LINE='\(item.line)'
          read -r -a COMP_WORDS <<< "$COMP_LINE"
          [[ $COMP_LINE == *' ' ]] && COMP_WORDS+=("")
          COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
          _sample
          printf '%s\\n' "${COMPREPLY[@]}"
          """
        let result = try bash.run(
          ["--norc", "-s"], input: script, environment: Self.environment(folder))
        #expect(result.errors == "")
        expect(Set(result.output.split(separator: "\n").map(String.init)), item)
      }
    }
  }

  @Test("bash cuts a line at the equals sign, and the value is completed all the same")
  func bashEqualsSign() throws {
    guard let bash = Tool("bash") else { return }
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

  @Test("fish")
  func fish() throws {
    guard let fish = Tool("fish") else { return }
    try Self.withFolder { folder in
      for item in Self.cases {
        let script = """
          cd \(folder.path)
          \(FishCompletion(Sample.program).script())
          complete -C '\(item.line)'
          """
        let result = try fish.run(
          ["--no-config"], input: script, environment: Self.environment(folder))
        #expect(result.errors == "")
        let words = result.output.split(separator: "\n").map { line in
          let word = line.prefix { $0 != "\t" }
          return String(word.hasSuffix("/") ? word.dropLast() : word)
        }
        expect(Set(words), item)
      }
    }
  }

  @Test("zsh")
  func zsh() throws {
    guard let zsh = Tool("zsh") else { return }
    try Self.withFolder { folder in
      try Data(ZshCompletion(Sample.program).script().utf8).write(
        to: folder.appendingPathComponent("_sample"))
      for item in Self.cases {
        // zsh completes only at a prompt: a shell in a pseudo-terminal is asked to list what it
        // would offer.
        let script = """
          zmodload zsh/zpty
          cd \(folder.path)
          zpty shell 'zsh -f -i'
          zpty -w shell 'PS1=; PROMPT=; RPROMPT=; cd \(folder.path); fpath=(\(folder.path) $fpath)'
          zpty -w shell 'autoload -Uz compinit; compinit -u -D; unsetopt prompt_cr prompt_sp'
          zpty -w shell 'compadd() { builtin compadd "$@"; local code=$?; [[ " ${*%% - *} " == *" -"[OAD]" "* ]] && return code; local -a found; builtin compadd -A found "$@"; print -rl -- $found >> words; return code; }'
          zpty -w shell 'print ready > ready'
          for try in {1..200}; do [[ -e ready ]] && break; sleep 0.05; done
          zpty -n -w shell $'\(item.line)\\t'
          for try in {1..60}; do sleep 0.05; [[ -s words ]] && break; done
          sleep 0.2
          zpty -d shell
          cat words
          """
        let result = try zsh.run(["-f"], input: script, environment: Self.environment(folder))
        let words = result.output.split(separator: "\n").map {
          String($0.hasSuffix("=") || $0.hasSuffix("/") ? $0.dropLast() : $0)
        }
        expect(Set(words), item)
        try? FileManager.default.removeItem(at: folder.appendingPathComponent("words"))
        try? FileManager.default.removeItem(at: folder.appendingPathComponent("ready"))
      }
    }
  }
}
