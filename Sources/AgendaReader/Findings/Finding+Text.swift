internal import AgendaCore
internal import ICalendar
internal import Recurrence

// The text of a source, its lines and its components.

extension Finding {
  static let invalidUTF16 = Finding(
    .warning, "invalid-utf16", "the file is not valid UTF-16",
    "invalid characters read as U+FFFD")

  /// Text in another encoding that the user named.
  static func invalidText(encoding: String) -> Finding {
    Finding(
      .warning, "invalid-text", "the file is not valid \(encoding)",
      "invalid bytes read as U+FFFD")
  }

  static func nulBytes(_ count: Int) -> Finding {
    Finding(
      .warning, "nul-bytes", "\(varying: count == 1 ? "a NUL byte" : "\(count) NUL bytes")",
      "dropped")
  }

  static let linesNotUTF8 = Finding(
    .warning, "lines-not-utf8", "bytes in this line are not UTF-8", "read as Windows-1252")

  static func charset(_ problem: CharsetProblem) -> Finding {
    switch problem {
    case .notUTF8:
      Finding(
        .warning, "text-not-utf8", "bytes in this text are not UTF-8", "read as Windows-1252")
    case .unsupported(let name):
      Finding(
        .warning, "unsupported-charset", "CHARSET=\(name) is not supported",
        "read as Windows-1252")
    case .noConverter(let name):
      Finding(
        .warning, "missing-converter",
        """
        no converter for CHARSET=\(name) is installed (glibc has it in a package named \
        libc-gconv-modules-extra or glibc-gconv-extra)
        """, "read as Windows-1252")
    case .invalid(let name):
      Finding(
        .warning, "text-not-in-charset", "bytes in this text are not \(name)", "read as U+FFFD")
    }
  }

  /// A line that is not a property. `isText` if it continues the text of the line before.
  static func strayLine(isText: Bool) -> Finding {
    Finding(
      .warning, "stray-line", "this line is not a property",
      isText ? "added to the text of the line before" : "ignored")
  }

  static let openQuote = Finding(
    .warning, "open-quote", "a quote is not closed", "read without it")

  static let invalidBase64 = Finding(
    .warning, "invalid-base64", "invalid Base64", "invalid characters skipped")

  /// More parts of a mail than are read.
  static func omittedParts(most: Int, deepest: Int) -> Finding {
    Finding(
      .error, "omitted-parts", "more than \(most) parts or \(deepest) levels of parts in one mail",
      "the rest ignored")
  }

  /// More problems than are listed.
  static func moreProblems(_ count: Int) -> Finding {
    Finding(.error, "more-problems", "\(varying: count) more problems", "counted, not listed")
  }
}

// MARK: Components

extension Finding {
  /// A VCALENDAR begins in another component.
  static let unclosedBeforeCalendar = Finding(
    .warning, "unclosed-before-calendar", "begins before the previous component is closed",
    "previous component closed here")

  /// An event in which the file ends.
  static func unclosedAtEnd(_ kind: ComponentKind) -> Finding {
    Finding(
      .error, "unclosed-at-end", "is not closed: the file ends within it",
      Consequence.rejected.text(kind))
  }

  /// A VCALENDAR in which the file ends.
  static let unclosedCalendar = Finding(
    .warning, "unclosed-calendar", "is not closed: the file may be cut off",
    "complete components read")

  static let unclosed = Finding(
    .warning, "unclosed", "is not closed", "closed where the next begins")

  static let unclosedInner = Finding(
    .warning, "unclosed-inner", "holds a component that is not closed",
    "closed where the next begins")

  static func unmatchedEnd(_ name: String) -> Finding {
    Finding(.warning, "unmatched-end", "END:\(name) without its BEGIN", "ignored")
  }

  static func tooDeep(limit: Int, _ kind: ComponentKind) -> Finding {
    Finding(
      .error, "too-deep", "is nested deeper than \(varying: limit) components",
      Consequence.rejected.text(kind))
  }

  static let outsideCalendar = Finding(
    .warning, "outside-calendar", "is outside any VCALENDAR", "read anyway")

  static func severalCalendars(_ count: Int, _ severity: Severity) -> Finding {
    Finding(
      severity, "several-calendars", "\(varying: count) calendars are in one source",
      "read as one")
  }

  static let vCalendar1 = Finding(
    .note, "vcalendar-1", "is vCalendar 1.0", "read by the rules of that format")

  static func ignoredMethod(_ method: String) -> Finding {
    Finding(
      .note, "ignored-method", "\(method) messages do not change events", "ignored")
  }

  static let repeatedProperty = Finding(
    .warning, "repeated-property", "occurs more than once", "the first one is used")
}

// MARK: Details

extension Finding {
  /// `action` is what happens without the value.
  static func notUnderstood(
    _ text: String, _ action: Sentence, _ severity: Severity = .warning
  ) -> Finding {
    Finding(severity, "not-understood", "\"\(listed: text)\" is not understood", action)
  }

  static func malformedCoordinates(_ text: String, readAs: String) -> Finding {
    Finding(
      .warning, "malformed-coordinates", "\"\(listed: text)\" is malformed",
      "read as \"\(varying: readAs)\"")
  }

  static func omittedDetails(_ count: Int) -> Finding {
    Finding(
      .error, "omitted-details",
      "\(varying: count) of its properties and alarms are too long or too many",
      "not shown in the details")
  }
}
