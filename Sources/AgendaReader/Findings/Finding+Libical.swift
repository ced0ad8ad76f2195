internal import AgendaCore
internal import ICalendar

// What programs built on libical make of a component.

extension Finding {
  static func libical(_ change: LibicalCheck.Change) -> Finding {
    switch change {
    case .losesParameters(let limit):
      Finding(
        .note, "libical-loses-parameters",
        "libical reads only the first \(varying: limit) parameters",
        "programs built on libical lose the others")
    case .isRefused:
      Finding(
        .note, "libical-refuses", "libical does not accept this property",
        "programs built on libical leave it out")
    case .losesBackslash:
      Finding(
        .note, "libical-changes-text",
        "libical reads a backslash that does not begin an escape as a space",
        "programs built on libical change the text")
    case .acceptsInvalidTime(let text):
      Finding(
        .note, "libical-accepts-invalid-time",
        "\"\(listed: text)\" is not a date, but libical accepts it",
        "programs built on libical show another date")
    case .reads(let value):
      Finding(
        .note, "libical-reads", "libical reads this value as \(numbered: value)",
        "programs built on libical show that")
    case .losesValues(let read, let count):
      Finding(
        .note, "libical-loses-values",
        "libical reads only the first \(varying: read) of \(varying: count) values",
        "programs built on libical lose the others")
    case .ignoresValue:
      Finding(
        .note, "libical-ignores-value", "libical does not know this value",
        "programs built on libical may ignore it")
    case .ignoresKeyword(let parameter, let text):
      Finding(
        .note, "libical-ignores-keyword",
        "libical does not know the \(parameter) \"\(listed: text)\"",
        "programs built on libical may ignore it")
    }
  }
}
