package import CivilTime

/// What an agenda is grouped by.
package enum SectionKey: String, Hashable, Sendable, CaseIterable {
  /// The day on which an entry is listed.
  case day
  /// The ISO 8601 week, which begins on Monday.
  case week
  /// The month of a year.
  case month
  /// The year.
  case year
  /// The name of the calendar.
  case calendar
  /// The category. An entry with several categories is in the section of each.
  case category
  /// The location of the event.
  case location
  /// The status of the event.
  case status
  /// The first letter of the title.
  case initial
  /// No grouping: one section for all.
  case none
  /// A key of a program.
  case custom

  /// The keys that people can choose.
  package static let allCases: [SectionKey] = [
    .day, .week, .month, .year, .calendar, .category, .location, .status, .initial, .none,
  ]

  /// Whether the sections are days, weeks, months or years.
  package var isTime: Bool {
    switch self {
    case .day, .week, .month, .year: true
    case .calendar, .category, .location, .status, .initial, .none, .custom: false
    }
  }
}

/// What the entries of one section have in common.
package enum SectionValue: Hashable, Sendable {
  /// A day.
  case day(CivilDate)
  /// A week that begins on Monday.
  case week(ISOWeek)
  /// A month from 1 to 12 of a year.
  case month(year: Int, month: Int)
  /// A year of the Gregorian calendar.
  case year(Int)
  /// The name of a calendar, category or location, an initial, or the text of a key of a program.
  case name(String)
  /// The status of the events.
  case status(Event.Status)
  /// Entries without a value for the key. This section is the last one.
  case missing
  /// All entries of an agenda that is not grouped.
  case all

  /// A text that identifies the value: `2026-11-21`, `2026-W47`, `2026011` (year × 1000 + month),
  /// `2026`, or the name. It is empty if there is no name.
  package var id: String {
    switch self {
    case .day(let date): date.description
    case .week(let week): week.description
    case .month(let year, let month): String(year * 1000 + month)
    case .year(let year): String(year)
    case .name(let name): name
    case .status(let status): status.rawValue
    case .missing, .all: ""
    }
  }
}

/// Makes the headings and index titles of sections in a language.
package protocol SectionWording: Sendable {
  /// A heading: `Saturday, 21 November 2026`, `No location`.
  func title(of section: SectionValue, groupedBy key: SectionKey) -> String
  /// A few letters for an index: `21`, `Nov`, `B`.
  func indexTitle(of section: SectionValue, groupedBy key: SectionKey) -> String
}

/// Headings without a language: the identifiers of the sections, such as `2026-11-21`.
package struct PlainSectionWording: SectionWording {
  package init() {}

  package func title(of section: SectionValue, groupedBy key: SectionKey) -> String {
    switch section {
    case .month(let year, let month): "\(padded(year, to: 4))-\(padded(month, to: 2))"
    case .missing: key.titleWhereMissing
    case .all: "All entries"
    case .status(let status): status.title
    case .day, .week, .year, .name: section.id
    }
  }

  package func indexTitle(of section: SectionValue, groupedBy key: SectionKey) -> String {
    switch section {
    case .day(let date): String(date.day)
    case .week(let week): String(week.number)
    case .month(_, let month): String(month)
    case .year(let year): String(year)
    case .name(let name): Initial.of(name) ?? "#"
    case .status(let status): Initial.of(status.rawValue) ?? "#"
    case .missing, .all: "–"
    }
  }
}

extension Event.Status {
  /// `Needs action`
  fileprivate var title: String {
    let words = rawValue.split(separator: "-").joined(separator: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}

extension SectionKey {
  /// The heading of the entries without a value for the key: `No location`.
  package var titleWhereMissing: String {
    switch self {
    case .calendar: "No calendar"
    case .category: "No category"
    case .location: "No location"
    case .status: "No status"
    case .initial: "No title"
    case .day, .week, .month, .year, .none, .custom: "No date"
    }
  }
}

extension SectionValue {
  /// Whether its section comes before another one of the same key.
  func precedes(_ other: SectionValue) -> Bool {
    switch (self, other) {
    case (.missing, _): false
    case (_, .missing): true
    case (.day(let date), .day(let other)): date < other
    case (.week(let week), .week(let other)): week < other
    case (.month(let year, let month), .month(let otherYear, let otherMonth)):
      (year, month) < (otherYear, otherMonth)
    case (.year(let year), .year(let other)): year < other
    default: SectionName(id) < SectionName(other.id)
    }
  }

  /// Reads the `id` of a section under a key; `nil` if it is malformed.
  package init?(id: String, groupedBy key: SectionKey) {
    if id.isEmpty {
      self = key == .none ? .all : .missing
      return
    }
    switch key {
    case .day:
      guard let date = CivilDate(rfc3339: id) else { return nil }
      self = .day(date)
    case .week:
      let parts = id.split(separator: "-W")
      guard parts.count == 2, let year = Int(parts[0]), let number = Int(parts[1]),
        let week = ISOWeek(year: year, number: number)
      else { return nil }
      self = .week(week)
    case .month:
      guard let number = Int(id), (1...12).contains(number % 1000), number / 1000 >= 1 else {
        return nil
      }
      self = .month(year: number / 1000, month: number % 1000)
    case .year:
      guard let year = Int(id), (1...9999).contains(year) else { return nil }
      self = .year(year)
    case .status: self = Event.Status(rawValue: id).map { .status($0) } ?? .name(id)
    case .calendar, .category, .location, .initial, .custom: self = .name(id)
    case .none: return nil
    }
  }
}
