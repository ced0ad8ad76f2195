internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering

extension CommandRun {
  /// Opens the text of an event in the editor until it can be read. Returns `nil` if the user
  /// changed nothing.
  func editText(
    of occurrence: Occurrence, named reference: EntryReference, _ scope: inout SeriesScope?,
    _ store: CalendarStore, isDryRun: Bool
  ) throws -> StoreWriter.Written? {
    let original = try writing(reference) {
      try withScope(&scope) { scope in
        try store.write { try $0.editableText(of: occurrence, scope: scope) }
      }
    }
    let chosen = scope
    let editor = try TextEditor(environment)
    var text = """
      # You can write one property per line. agenda ignores lines that begin with #.
      # If you save the text without a change, the event stays as it is.
      \(original)
      """
    var attempts = 0
    while true {
      attempts += 1
      let edited = try editor.edit(text)
      if Self.isWithoutContent(edited, original) {
        editor.discard()
        return nil
      }
      do {
        let written = try store.write(isDryRun: isDryRun) {
          try $0.edit(occurrence, text: edited, replacing: original, scope: chosen)
        }
        editor.discard()
        return written
      } catch CalendarError.invalidLine(let number, let reason)
        where edited != text && attempts < Self.mostAttempts
      {
        text = Self.text(edited, withError: reason, above: number)
      } catch {
        // The text was saved again without a change, or the event was changed elsewhere. The user's
        // work is kept.
        throw CommandError.failed(
          "\(ErrorWording.text(of: error)); nothing was changed, "
            + "and your text is in \(editor.path)")
      }
    }
  }

  /// A script as the editor could make the same mistake for ever.
  private static let mostAttempts = 50
  private static let errorMark = "# error: "

  /// Whether an edited text is empty or has the lines that it had before.
  private static func isWithoutContent(_ edited: String, _ original: String) -> Bool {
    let lines = edited.split(whereSeparator: \.isNewline).filter { line in
      !line.hasPrefix("#") && !line.allSatisfy(\.isWhitespace)
    }
    return lines.isEmpty || lines == original.split(whereSeparator: \.isNewline)
  }

  /// The text with the error as a comment above the line, and without earlier ones.
  private static func text(
    _ edited: String, withError reason: String, above number: Int
  ) -> String {
    var lines: [String] = []
    let all = edited.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (place, line) in all.enumerated() {
      if place == number { lines.append(errorMark + SafeText.line(reason)) }
      if !line.hasPrefix(errorMark) { lines.append(String(line)) }
    }
    return lines.joined(separator: "\n")
  }
}
