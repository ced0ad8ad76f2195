public import CivilTime

/// What an agenda is grouped by.
public enum SectionKey: String, Hashable, Sendable, CaseIterable {
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

  /// Whether the sections are days, weeks, months or years.
  package var isTime: Bool {
    switch self {
    case .day, .week, .month, .year: true
    case .calendar, .category, .location, .status, .initial, .none: false
    }
  }
}

/// What the entries of one section have in common.
public enum SectionValue: Hashable, Sendable {
  /// A day.
  case day(CivilDate)
  /// A week that begins on Monday.
  case week(ISOWeek)
  /// A month from 1 to 12 of a year.
  case month(year: Int, month: Int)
  /// A year of the Gregorian calendar.
  case year(Int)
  /// The name of a calendar, category or location, or an initial.
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
public struct PlainSectionWording: SectionWording {
  public init() {}

  public func title(of section: SectionValue, groupedBy key: SectionKey) -> String {
    switch section {
    case .month(let year, let month): "\(padded(year, to: 4))-\(padded(month, to: 2))"
    case .missing: key.titleWhereMissing
    case .all: "All entries"
    case .status(let status): status.title
    case .day, .week, .year, .name: section.id
    }
  }

  public func indexTitle(of section: SectionValue, groupedBy key: SectionKey) -> String {
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
    case .day, .week, .month, .year, .none: "No date"
    }
  }
}
