internal import CivilTime

/// A format for a date or time with the conversions of `strftime` (POSIX): `%a %d %b, %H:%M`.
struct TimePattern: Sendable {
  enum Conversion: Character, Sendable {
    case weekdayName = "A"
    case shortWeekdayName = "a"
    case monthName = "B"
    case shortMonthName = "b"
    case day = "d"
    case paddedDay = "e"
    case date = "F"
    case weekYear = "G"
    case hour = "H"
    case hourOfTwelve = "I"
    case dayOfYear = "j"
    case minute = "M"
    case month = "m"
    case dayPeriod = "p"
    case hourAndMinute = "R"
    case second = "S"
    case secondsSinceEpoch = "s"
    case time = "T"
    case weekday = "u"
    case week = "V"
    case year = "Y"
    case yearOfCentury = "y"
    case offset = "z"

    /// Whether a date alone has no value for it.
    var needsTime: Bool {
      switch self {
      case .hour, .hourOfTwelve, .minute, .dayPeriod, .hourAndMinute, .second, .secondsSinceEpoch,
        .time, .offset:
        true
      default: false
      }
    }
  }

  enum Element: Sendable {
    case text(Character)
    case conversion(Conversion)
  }

  let elements: [Element]
  /// Whether it prints a time of day, so that a date alone prints nothing.
  let needsTime: Bool

  /// The indices of the text are those of the whole template.
  init(_ text: ArraySlice<Character>) throws(EntryTemplateError) {
    guard !text.isEmpty else {
      throw EntryTemplateError(
        column: text.startIndex + 1, problem: .other("missing time format, such as %H:%M"))
    }
    var elements: [Element] = []
    var place = text.startIndex
    while place < text.endIndex {
      let start = place
      place += 1
      guard text[start] == "%" else {
        elements.append(.text(text[start]))
        continue
      }
      let letter = place < text.endIndex ? text[place] : nil
      place += 1
      if letter == "%" {
        elements.append(.text("%"))
      } else if let conversion = letter.flatMap(Conversion.init) {
        elements.append(.conversion(conversion))
      } else {
        let typed = "%" + (letter.map(String.init) ?? "")
        throw EntryTemplateError(
          column: start + 1, problem: .other("unknown time format \"\(typed)\""))
      }
    }
    self.elements = elements
    needsTime = elements.contains {
      if case .conversion(let conversion) = $0 { conversion.needsTime } else { false }
    }
  }
}

extension DateWording {
  /// A date in this format; empty if the pattern needs a time of day.
  func text(_ pattern: TimePattern, date: CivilDate) -> String {
    guard !pattern.needsTime else { return "" }
    return pattern.elements.map { element in
      switch element {
      case .text(let character): String(character)
      case .conversion(let conversion): text(conversion, date: date)
      }
    }.joined()
  }

  /// A moment in this format, on the clocks of a zone.
  func text(_ pattern: TimePattern, moment: Instant, zone: Zone) -> String {
    let civil = zone.civil(at: moment)
    return pattern.elements.map { element in
      switch element {
      case .text(let character): String(character)
      case .conversion(.secondsSinceEpoch): String(moment.secondsSinceEpoch)
      case .conversion(.offset): Self.offset(zone.utcOffset(at: moment))
      case .conversion(let conversion) where conversion.needsTime:
        text(conversion, time: civil.time)
      case .conversion(let conversion): text(conversion, date: civil.date)
      }
    }.joined()
  }

  /// Names are those of the locale. Numbers have ASCII digits, as in `strftime`.
  private func text(_ conversion: TimePattern.Conversion, date: CivilDate) -> String {
    let (year, month, day) = date.components
    let weekday = Int(date.weekday.rawValue)
    switch conversion {
    case .weekdayName: return name(weekday - 1, in: locale.weekdays)
    case .shortWeekdayName: return name(weekday - 1, in: locale.shortWeekdays)
    case .monthName: return name(month - 1, in: locale.months)
    case .shortMonthName: return name(month - 1, in: locale.shortMonths)
    case .day: return padded(day, to: 2)
    case .paddedDay: return day < 10 ? " \(day)" : String(day)
    case .date: return date.description
    case .weekYear: return padded(ISOWeek(containing: date).year, to: 4)
    case .dayOfYear: return padded(date.dayOfYear, to: 3)
    case .month: return padded(month, to: 2)
    case .weekday: return String(weekday)
    case .week: return padded(ISOWeek(containing: date).number, to: 2)
    case .year: return padded(year, to: 4)
    case .yearOfCentury: return padded(year % 100, to: 2)
    case .hour, .hourOfTwelve, .minute, .dayPeriod, .hourAndMinute, .second, .secondsSinceEpoch,
      .time, .offset:
      return ""
    }
  }

  private func text(_ conversion: TimePattern.Conversion, time: TimeOfDay) -> String {
    let hour = padded(time.hour, to: 2)
    let minute = padded(time.minute, to: 2)
    let second = padded(time.second, to: 2)
    switch conversion {
    case .hour: return hour
    case .hourOfTwelve: return padded((time.hour + 11) % 12 + 1, to: 2)
    case .minute: return minute
    case .second: return second
    case .hourAndMinute: return "\(hour):\(minute)"
    case .time: return "\(hour):\(minute):\(second)"
    case .dayPeriod:
      let name = dayPeriod(at: time)
      return name.isEmpty ? (time.hour < 12 ? "AM" : "PM") : name
    default: return ""
    }
  }

  /// `+0100`
  private static func offset(_ seconds: Int) -> String {
    let minutes = abs(seconds) / 60
    return (seconds < 0 ? "-" : "+") + padded(minutes / 60, to: 2) + padded(minutes % 60, to: 2)
  }
}
