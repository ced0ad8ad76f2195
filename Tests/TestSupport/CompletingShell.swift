public import Foundation

/// A real shell that is asked what it would offer at the end of a line.
public enum CompletingShell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// The words offered at the end of each line, as they would be inserted, with the completion script
  /// of that program. One shell answers for all lines: its start takes longer than an answer.
  public func words(
    for lines: [String], of program: String, script: String, in folder: URL,
    environment: [String: String]
  ) throws -> [Set<String>] {
    let tool = try Tool(rawValue)
    let result =
      switch self {
      case .bash:
        try tool.run(
          ["--norc", "-s"],
          input: """
            cd \(folder.path)
            \(script)

            """
              + lines.map { line in
                """
                COMP_LINE='\(line)'
                COMPREPLY=()
                read -r -a COMP_WORDS <<< "$COMP_LINE"
                [[ $COMP_LINE == *' ' ]] && COMP_WORDS+=("")
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _\(program)
                printf '%s\\n' "${COMPREPLY[@]}"
                printf '\\036'

                """
              }.joined(), environment: environment)
      case .fish:
        try tool.run(
          ["--no-config"],
          input: """
            cd \(folder.path)
            \(script)

            """
              + lines.map { line in
                """
                complete -C '\(line)'
                printf '\\036'

                """
              }.joined(), environment: environment)
      case .zsh: try inZsh(tool, lines, program, script, folder, environment)
      }
    if self != .zsh, !result.errors.isEmpty { throw Complaint(words: result.errors) }
    let answers = result.output.split(separator: "\u{1e}", omittingEmptySubsequences: false)
    guard answers.count == lines.count + 1 else { throw Complaint(words: result.output) }
    return answers.dropLast().map { answer in
      Set(
        answer.split(separator: "\n").map { line in
          let word = line.prefix { $0 != "\t" }
          // zsh says how it would quote them.
          return String(word.hasSuffix("=") || word.hasSuffix("/") ? word.dropLast() : word)
            .replacing("\\ ", with: " ")
        })
    }
  }

  public struct Complaint: Error {
    public let words: String
  }

  /// zsh completes only at a prompt: a shell in a pseudo-terminal is asked to list what it would
  /// offer. Control-U then empties the line. The lists that it shows are read away, because it waits
  /// when the terminal is full.
  private func inZsh(
    _ zsh: Tool, _ lines: [String], _ program: String, _ script: String, _ folder: URL,
    _ environment: [String: String]
  ) throws -> ProgramRun {
    try Data(script.utf8).write(to: folder.appendingPathComponent("_\(program)"))
    defer {
      for name in ["words", "ready"] {
        try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
      }
    }
    return try zsh.run(
      ["-f"],
      input: """
        zmodload zsh/zpty
        cd \(folder.path)
        zpty -b shell 'zsh -f -i'
        zpty -w shell 'PS1=; PROMPT=; RPROMPT=; LISTMAX=10000; cd \(folder.path); fpath=(\(folder.path) $fpath)'
        zpty -w shell 'autoload -Uz compinit; compinit -u -D; unsetopt prompt_cr prompt_sp'
        zpty -w shell 'compadd() { builtin compadd "$@"; local code=$?; [[ " ${*%% - *} " == *" -"[OAD]" "* ]] && return code; local -a found; builtin compadd -A found "$@"; print -rl -- $found >> words; return code; }'
        zpty -w shell 'print ready > ready'
        for try in {1..200}; do [[ -e ready ]] && break; sleep 0.05; done

        """
          + lines.map { line in
            """
            zpty -n -w shell $'\(line)\\t'
            for try in {1..200}; do sleep 0.05; [[ -s words ]] && break; done
            sleep 0.2
            [[ -s words ]] && cat words
            printf '\\036'
            rm -f words
            zpty -n -w shell $'\\C-u'

            """
          }.joined() + "zpty -d shell\n", environment: environment)
  }
}
