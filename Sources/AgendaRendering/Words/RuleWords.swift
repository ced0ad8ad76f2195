internal import CivilTime
internal import Recurrence

extension Words {
  /// Words for recurrence rules.
  ///
  /// A rule is a sentence of clauses: how often, on which days, in which months, at what time, how
  /// long. Every clause is complete by itself, so no language has to fit words into the grammar of
  /// another one: `every 2 months` + `on the last Friday` + `until 3 May 2027`.
  package struct Rules: Sendable {
    let texts: Texts

    /// Whether months and weeks come before days: `3月、最後の日曜日`.
    var isLargestFirst: Bool { texts("monthsBeforeDays") == "yes" }

    /// `every month`
    func every(_ frequency: Rule.Frequency) -> String { texts("every." + Self.unit(frequency)) }

    /// `every 2 months`
    func everyNumber(_ frequency: Rule.Frequency) -> Plural {
      texts("everyNumber." + Self.unit(frequency))
    }

    private static func unit(_ frequency: Rule.Frequency) -> String {
      switch frequency {
      case .secondly: "second"
      case .minutely: "minute"
      case .hourly: "hour"
      case .daily: "day"
      case .weekly: "week"
      case .monthly: "month"
      case .yearly: "year"
      }
    }

    /// The names of weekdays in a clause, from Monday; empty if they are those without a date.
    enum WeekdayList: String { case everyWeekdayNames, onWeekdayNames, ordinalWeekdayNames }

    func weekdayName(_ weekday: Weekday, _ list: WeekdayList) -> String? {
      texts.list(list.rawValue).element(Int(weekday.rawValue) - 1)
    }

    /// Of a weekday with an ordinal.
    func gender(of weekday: Weekday) -> Gender {
      texts.list("ordinalWeekdayGenders").element(Int(weekday.rawValue) - 1)
        .flatMap(Gender.init) ?? .masculine
    }

    /// The name of a month from 1 to 12 as it follows "in"; `nil` if it is that without a day.
    func monthName(_ month: Int) -> String? { texts.list("monthNames").element(month - 1) }

    /// `second Tuesday`, `3rd to last Sunday`. `digits` is the number without its sign, as the language
    /// writes it.
    func ordinal(_ number: Int, _ digits: String, _ noun: String, _ gender: Gender) -> String {
      let name: String? =
        switch number {
        case 1: "first"
        case 2: "second"
        case 3: "third"
        case 4: "fourth"
        case 5: "fifth"
        case -1: "last"
        default: nil
        }
      if let name {
        let phrase: Phrase1 = texts(key(name, gender))
        return phrase(noun)
      }
      let phrase: Phrase2 = texts(key(number < 0 ? "fromEnd" : "other", gender))
      return phrase(ordinalNumber(Int(number.magnitude), digits), noun)
    }

    /// A language without genders has masculine ordinals only.
    private func key(_ name: String, _ gender: Gender) -> String {
      let key = "ordinals.\(gender.rawValue).\(name)"
      return texts.has(key) ? key : "ordinals.masculine.\(name)"
    }

    /// `3rd`
    private var ordinalNumber: Plural { texts.ordinal() }
    /// A day of a month: `15th`
    var dayOfMonth: Plural { texts.ordinal() }
    var separator: String { texts() }
    var everyWeekday: Phrase1 { texts() }
    var onWeekday: Phrase1 { texts() }
    var everyWorkday: String { texts() }
    var onWorkdays: String { texts() }
    var onOrdinal: Phrase1 { texts() }
    var day: String { texts() }
    var workday: String { texts() }
    var weekendDay: String { texts() }
    var date: String { texts() }
    var onDaysOfMonth: Phrase1 { texts() }
    var inMonths: Phrase1 { texts() }
    var onDates: Phrase1 { texts() }
    var onDaysOfYear: Phrase1 { texts() }
    var onDaysFromEndOfYear: Phrase1 { texts() }
    var inWeeks: Phrase1 { texts() }
    var inWeeksFromEndOfYear: Phrase1 { texts() }
    var weeksBeginOn: Phrase1 { texts() }
    var atTimes: Phrase1 { texts() }
    var inHours: Phrase1 { texts() }
    var atMinutes: Phrase1 { texts() }
    var atSeconds: Phrase1 { texts() }
    var only: Phrase1 { texts() }
    var onlyPositions: Phrase1 { texts() }
    var until: Phrase1 { texts() }
    var times: Plural { texts() }
    var atMost: Phrase1 { texts() }
    var skipBackward: String { texts() }
    var skipForward: String { texts() }
  }

  enum Gender: String { case masculine, feminine, neuter }
}

extension [String] {
  fileprivate func element(_ index: Int) -> String? { indices.contains(index) ? self[index] : nil }
}
