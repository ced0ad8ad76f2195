package import AgendaCore
public import CivilTime

/// Formats dates and times in the language and with the conventions of a locale.
public struct DateWording: Sendable {
  /// The locale whose conventions are used.
  package let locale: LocaleData
  /// The words of the locale's language; English if it has no table.
  package let words: Words

  /// The words and conventions of a locale.
  public init(_ locale: LocaleData) {
    self.locale = locale
    words = Words.words(for: LocaleIdentifier(locale.identifier))
  }

  /// Whether `words` are in the language of the dates.
  var hasOwnWords: Bool {
    words !== Words.english || LocaleIdentifier(locale.identifier)?.language ?? "en" == "en"
  }

  /// Whether dates in numbers have dots, as `24.12.2026` in German.
  package var datesHaveDots: Bool {
    let elements = locale.shortDate.elements
    let isAfterDay = zip(elements, elements.dropFirst()).contains { element, next in
      if case .day = element, case .text(let text) = next { return text.hasPrefix(".") }
      return false
    }
    let others = ["be", "bg", "hy", "ka", "kk", "pl", "ro", "ru", "sq", "tr", "uk"]
    return isAfterDay || others.contains(LocaleIdentifier(locale.identifier)?.language ?? "")
  }

  /// A long date: `Saturday, 21 November 2026`
  public func fullDate(_ date: CivilDate) -> String { text(locale.fullDate, date: date) }

  /// A short date: `Sat, 21 Nov 2026`
  public func shortDate(_ date: CivilDate) -> String { text(locale.shortDate, date: date) }

  /// A short date without the year: `Sat 21 Nov`
  package func shortDateWithoutYear(_ date: CivilDate) -> String {
    text(locale.shortDateWithoutYear, date: date)
  }

  /// `21 November 2026`
  package func longDate(_ date: CivilDate) -> String { text(locale.longDate, date: date) }

  /// `21 November`. The month may lack the day.
  func dayAndMonth(day: Int, month: Int) -> String {
    text(locale.dayAndMonth, year: 1, month: month, day: day)
  }

  /// A date, in whatever form, and a time: `21 November 2026, 09:30`.
  package func dateAndTime(_ date: String, _ time: String) -> String {
    locale.dateAndTime(time, date)
  }

  /// The name of a month without a day.
  package func monthName(_ month: Int) -> String { name(month - 1, in: locale.monthsAlone) }

  /// The short name of a weekday in front of a time.
  func shortWeekday(_ weekday: Weekday) -> String {
    name(Int(weekday.rawValue) - 1, in: locale.shortWeekdays)
  }

  /// The name of a weekday without a date.
  package func weekdayName(_ weekday: Weekday) -> String {
    name(Int(weekday.rawValue) - 1, in: locale.weekdaysAlone)
  }

  /// A month: `November 2026`
  public func monthAndYear(_ date: CivilDate) -> String { text(locale.monthAndYear, date: date) }

  /// A week: `Week 47 of 2026`
  package func week(_ week: ISOWeek) -> String {
    sentenceCase(text(locale.weekOfYear, week: week))
  }

  /// `2026`
  package func year(_ year: Int) -> String {
    text(locale.year, date: CivilDate(year: year, month: 1, day: 1) ?? .first)
  }

  /// The words for an all-day entry: `all day`
  public var allDay: String { words.entries.allDay }

  /// A time of day without seconds: `09:30` or `9:30 AM`
  public func time(_ time: TimeOfDay) -> String { text(locale.time, time: time) }

  func timeWithoutDayPeriod(_ time: TimeOfDay) -> String {
    text(locale.timeWithoutDayPeriod, time: time)
  }

  /// `AM`; empty on a clock of 24 hours.
  func dayPeriod(at time: TimeOfDay) -> String {
    locale.dayPeriods.last { $0.hour <= time.hour }?.name ?? ""
  }

  /// `today`, `tomorrow` or `yesterday`, and nothing for other days.
  public func relativeDay(_ date: CivilDate, today: CivilDate) -> String? {
    switch today.days(until: date) {
    case 0: locale.today
    case 1: locale.tomorrow
    case -1: locale.yesterday
    default: nil
    }
  }

  /// A number in the digits of the locale.
  package func number(_ number: Int, digits: Int = 1) -> String {
    let decimal = String(number.magnitude)
    let padding = String(repeating: "0", count: max(0, digits - decimal.utf8.count))
    var text = (number < 0 ? "-" : "") + padding + decimal
    if locale.zeroDigit != "0" {
      text = String(
        String.UnicodeScalarView(
          text.unicodeScalars.map { scalar in
            guard ("0"..."9").contains(scalar) else { return scalar }
            return Unicode.Scalar(locale.zeroDigit.value + scalar.value - 0x30) ?? scalar
          }))
    }
    return text
  }

  // MARK: Patterns

  private func text(
    _ pattern: DatePattern, date: CivilDate = .first, time: TimeOfDay = .midnight,
    week: ISOWeek? = nil
  ) -> String {
    let (year, month, day) = date.components
    return text(pattern, year: year, month: month, day: day, date: date, time: time, week: week)
  }

  private func text(
    _ pattern: DatePattern, year: Int, month: Int, day: Int, date: CivilDate = .first,
    time: TimeOfDay = .midnight, week: ISOWeek? = nil
  ) -> String {
    let weekday = Int(date.weekday.rawValue) - 1
    var text = ""
    for element in pattern.elements {
      switch element {
      case .text(let literal): text += literal
      case .weekday: text += name(weekday, in: locale.weekdays)
      case .weekdayAlone: text += name(weekday, in: locale.weekdaysAlone)
      case .shortWeekday: text += name(weekday, in: locale.shortWeekdays)
      case .shortWeekdayAlone: text += name(weekday, in: locale.shortWeekdaysAlone)
      case .month: text += name(month - 1, in: locale.months)
      case .monthAlone: text += name(month - 1, in: locale.monthsAlone)
      case .shortMonth: text += name(month - 1, in: locale.shortMonths)
      case .shortMonthAlone: text += name(month - 1, in: locale.shortMonthsAlone)
      case .monthNumber(let digits): text += number(month, digits: digits)
      case .day(let digits): text += number(day, digits: digits)
      case .year: text += number(year)
      case .weekYear: text += number(week?.year ?? year)
      case .week: text += number(week?.number ?? ISOWeek(containing: date).number)
      case .era: text += locale.era
      case .hour24(let digits): text += number(time.hour, digits: digits)
      case .hour12(let digits): text += number((time.hour + 11) % 12 + 1, digits: digits)
      case .minute(let digits): text += number(time.minute, digits: digits)
      case .dayPeriod: text += dayPeriod(at: time)
      }
    }
    return text
  }

  func name(_ index: Int, in names: [String]) -> String {
    names.indices.contains(index) ? names[index] : ""
  }

  /// With a capital first letter, for a heading.
  private func sentenceCase(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }
}

extension DateWording: SectionWording {
  package func title(of section: SectionValue, groupedBy key: SectionKey) -> String {
    switch section {
    case .day(let date): fullDate(date)
    case .week(let week): self.week(week)
    case .month(let year, let month):
      CivilDate(year: year, month: month, day: 1).map(monthAndYear) ?? section.id
    case .year(let year): self.year(year)
    case .status(let status): sentenceCase(words.statuses.text(of: status))
    case .missing: titleWhereMissing(key)
    case .all: words.groups.allEntries
    case .name(let name): name
    }
  }

  /// The heading of the entries without a value for the key.
  private func titleWhereMissing(_ key: SectionKey) -> String {
    switch key {
    case .calendar: words.groups.noCalendar
    case .category: words.groups.noCategory
    case .location: words.groups.noLocation
    case .status: words.groups.noStatus
    case .initial: words.groups.noTitle
    case .day, .week, .month, .year, .none, .custom: words.groups.noDate
    }
  }

  package func indexTitle(of section: SectionValue, groupedBy key: SectionKey) -> String {
    switch section {
    case .day(let date): number(date.day)
    case .week(let week): number(week.number)
    case .month(_, let month): name(month - 1, in: locale.shortMonthsAlone)
    case .year(let year): number(year)
    case .name, .status, .missing, .all:
      PlainSectionWording().indexTitle(of: section, groupedBy: key)
    }
  }
}
