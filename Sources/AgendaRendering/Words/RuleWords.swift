internal import CivilTime

extension Words {
  /// Words for recurrence rules.
  ///
  /// A rule is a sentence of clauses: how often, on which days, in which months, at what time, how
  /// long. Every clause is complete by itself, so no language has to fit words into the grammar of
  /// another one: `every 2 months` + `on the last Friday` + `until 3 May 2027`.
  package struct Rules: Sendable {
    /// Between clauses.
    let separator: String
    /// Whether months and weeks come before days: `3月、最後の日曜日`.
    let isLargestFirst: Bool
    let every: Periods<String>
    let everyNumber: Periods<Plural>

    /// `every Monday and Thursday`, around a list of `everyWeekdayNames`.
    let everyWeekday: Phrase1
    let everyWeekdayNames: Weekdays<String>
    /// `on Monday and Thursday`, around a list of `onWeekdayNames`.
    let onWeekday: Phrase1
    let onWeekdayNames: Weekdays<String>
    /// From Monday to Friday.
    let everyWorkday: String
    let onWorkdays: String

    /// `on the second Tuesday and last Friday`, around a list of ordinals with their weekdays.
    let onOrdinal: Phrase1
    let ordinals: Gendered<Ordinals>
    let ordinalWeekdayNames: Weekdays<String>
    let ordinalWeekdayGenders: Weekdays<Gender>
    /// What can be the first or the last; masculine where there are genders.
    let day: String
    let workday: String
    let weekendDay: String
    let date: String

    let ordinalNumber: OrdinalNumber
    /// `on the 1st and 15th`, around a list of `dayOfMonth`.
    let onDaysOfMonth: Phrase1
    let dayOfMonth: OrdinalNumber
    /// Around a list of months.
    let inMonths: Phrase1
    let monthNames: MonthNames
    /// Around a list of days and months: `on 2 January`.
    let onDates: Phrase1
    /// Around a list of numbers.
    let onDaysOfYear: Phrase1
    let onDaysFromEndOfYear: Phrase1
    let inWeeks: Phrase1
    let inWeeksFromEndOfYear: Phrase1
    /// The name of a weekday; shown in brackets.
    let weeksBeginOn: Phrase1

    /// Around a list of times: `at 09:00 and 17:00`.
    let atTimes: Phrase1
    let inHours: Phrase1
    let atMinutes: Phrase1
    let atSeconds: Phrase1

    /// A clause that limits the one before it: `only on Friday`.
    let only: Phrase1
    /// BYSETPOS; shown in brackets.
    let onlyPositions: Phrase1
    let until: Phrase1
    /// COUNT.
    let times: Plural
    /// COUNT and UNTIL: whichever comes first.
    let atMost: Phrase1
    /// SKIP; shown in brackets.
    let skipBackward: String
    let skipForward: String
  }

  /// One value for each FREQ.
  struct Periods<Value: Sendable>: Sendable {
    let second: Value
    let minute: Value
    let hour: Value
    let day: Value
    let week: Value
    let month: Value
    let year: Value
  }

  enum Gender: Hashable, Sendable {
    case masculine, feminine, neuter
  }

  struct Gendered<Value: Sendable>: Sendable {
    let masculine: Value
    let feminine: Value
    let neuter: Value

    init(masculine: Value, feminine: Value, neuter: Value) {
      self.masculine = masculine
      self.feminine = feminine
      self.neuter = neuter
    }

    /// For languages without genders, and those whose weekdays are all masculine.
    init(all value: Value) {
      self.init(masculine: value, feminine: value, neuter: value)
    }

    subscript(gender: Gender) -> Value {
      switch gender {
      case .masculine: masculine
      case .feminine: feminine
      case .neuter: neuter
      }
    }
  }

  /// Ordinals around a noun: `second {0}`.
  struct Ordinals: Hashable, Sendable {
    let first: Phrase1
    let second: Phrase1
    let third: Phrase1
    let fourth: Phrase1
    let fifth: Phrase1
    let last: Phrase1
    /// A number as `OrdinalNumber` has it, and the noun.
    let other: Phrase2
    /// The same, counted from the end.
    let fromEnd: Phrase2
  }

  /// The ordinal of a number in digits.
  enum OrdinalNumber: Hashable, Sendable {
    /// The number, with the same sign for all numbers: `15.`
    case same(Phrase1)
    /// `1st`, `22nd`, `13th`
    case english
    /// `1er`, `2e`
    case french
    /// `1er`, `2`
    case frenchDay
    /// `1:a`, `12:e`
    case swedish

    func text(_ number: Int, _ digits: String) -> String {
      switch self {
      case .same(let pattern): return pattern(digits)
      case .english:
        switch (number % 100, number % 10) {
        case (11...13, _): return digits + "th"
        case (_, 1): return digits + "st"
        case (_, 2): return digits + "nd"
        case (_, 3): return digits + "rd"
        default: return digits + "th"
        }
      case .french: return digits + (number == 1 ? "er" : "e")
      case .frenchDay: return number == 1 ? digits + "er" : digits
      case .swedish:
        let isOneOrTwo = (1...2).contains(number % 10) && !(11...12).contains(number % 100)
        return digits + (isOneOrTwo ? ":a" : ":e")
      }
    }
  }

  /// One value for each weekday.
  struct Weekdays<Value: Sendable>: Sendable {
    /// From Monday.
    private let values: [Value]

    init(
      _ monday: Value, _ tuesday: Value, _ wednesday: Value, _ thursday: Value, _ friday: Value,
      _ saturday: Value, _ sunday: Value
    ) {
      values = [monday, tuesday, wednesday, thursday, friday, saturday, sunday]
    }

    init(all value: Value) { values = Array(repeating: value, count: 7) }

    subscript(weekday: Weekday) -> Value { values[Int(weekday.rawValue) - 1] }
  }

  /// The names of months as they follow "in".
  enum MonthNames: Sendable {
    /// The form without a day.
    case standingAlone
    /// A separate grammatical case.
    case declined(Months)
  }

  struct Months: Sendable {
    /// From January.
    private let names: [String]

    init(
      _ january: String, _ february: String, _ march: String, _ april: String, _ may: String,
      _ june: String, _ july: String, _ august: String, _ september: String, _ october: String,
      _ november: String, _ december: String
    ) {
      names = [
        january, february, march, april, may, june, july, august, september, october, november,
        december,
      ]
    }

    /// The name of a month from 1 to 12.
    subscript(month: Int) -> String {
      names.indices.contains(month - 1) ? names[month - 1] : String(month)
    }
  }
}
