internal import AgendaCore

// Words of pages, mails and grids.

extension DateWording {
  /// Replaces a missing title: `(no title)`.
  var noTitle: String { "(\(words.entries.noTitle))" }

  /// `Week 47`
  package func shortWeek(_ number: Int) -> String { words.entries.week(self.number(number)) }

  /// The title of an event in a grid, with a box if it is a task.
  func title(of event: Event) -> String {
    let title = SafeText.line(event.title)
    let shown = title.isEmpty ? noTitle : title
    guard event.kind == .task else { return shown }
    return (event.status == .completed ? "[x] " : "[ ] ") + shown
  }
}

extension LocaleData {
  /// The form of HTML and mail: `de-AT`.
  var languageTag: String {
    identifier == "C" ? "en" : String(identifier.map { $0 == "_" ? "-" : $0 })
  }

  /// Whether its dates are written from right to left.
  var isRightToLeft: Bool {
    let parts = identifier.split(separator: "_")
    if parts.dropFirst().contains("Arab") { return true }
    return parts.first.map(Self.rightToLeftLanguages.contains) ?? false
  }

  private static let rightToLeftLanguages: Set<Substring> = [
    "ar", "ckb", "dv", "fa", "he", "ks", "lrc", "mzn", "nqo", "ps", "sd", "syr", "ug", "ur", "yi",
  ]
}
