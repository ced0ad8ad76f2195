internal import CivilTime
internal import CommandLineOptions
internal import Phrases

extension DateWindow {
  /// The window of `--from`, `--to`, `--days`, `--weeks`, `--months` and `--years`. The default
  /// length ends at the last date, 9999-12-31.
  static func asked(
    by line: ParsedCommandLine, viewer: Viewer, from usualFirst: CivilDate? = nil,
    length usual: Length = .years(1)
  ) throws(CommandError) -> DateWindow {
    let first =
      try line.date(of: Options.from, .first, viewer: viewer) ?? usualFirst ?? viewer.today
    if let last = try line.date(of: Options.to, .last, viewer: viewer) {
      guard first <= last else {
        throw .wrongValue(Options.to, "the window would end before it starts (\(first) to \(last))")
      }
      return last.adding(days: 1).flatMap {
        DateWindow(firstDay: first, dayAfterLast: $0, zone: viewer.zone)
      } ?? DateWindow(from: first, zone: viewer.zone)
    }
    guard let asked = line.windowLength else {
      return DateWindow(firstDay: first, length: usual, zone: viewer.zone)
        ?? DateWindow(from: first, zone: viewer.zone)
    }
    guard let window = DateWindow(firstDay: first, length: asked, zone: viewer.zone) else {
      throw .wrongUsage("the window must be within the years 1 to 9999; see --from and --to")
    }
    return window
  }
}

extension ParsedCommandLine {
  fileprivate var windowLength: DateWindow.Length? {
    if let count = number(of: Options.days) { return .days(count) }
    if let count = number(of: Options.weeks) { return .weeks(count) }
    if let count = number(of: Options.months) { return .months(count) }
    if let count = number(of: Options.years) { return .years(count) }
    return nil
  }

  /// Whether an option on the command line, and not only the configuration, sets the window.
  var hasTypedWindow: Bool {
    [
      Options.from, Options.to, Options.days, Options.weeks, Options.months, Options.years,
    ].contains(where: isTyped)
  }

  fileprivate func date(
    of option: Option, _ side: PeriodSide, viewer: Viewer
  ) throws(CommandError) -> CivilDate? {
    guard let text = value(of: option) else { return nil }
    do throws(DatePhraseError) {
      return try DatePhrase.parse(text, today: viewer.today, side: side)
    } catch {
      throw .wrongValue(option, "\(error)")
    }
  }
}
