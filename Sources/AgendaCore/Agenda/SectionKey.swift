public import CivilTime

/// What an agenda is grouped by.
public enum SectionKey: String, Hashable, Sendable, CaseIterable {
  case day, week, month, year
  case calendar, category, location, status
  /// The first letter of the title.
  case initial
  /// No grouping: one section for all.
  case none

  /// Whether its sections follow the time line.
  public var isTime: Bool {
    switch self {
    case .day, .week, .month, .year: true
    case .calendar, .category, .location, .status, .initial, .none: false
    }
  }
}

/// What the entries of one section have in common.
public enum SectionValue: Hashable, Sendable {
  case day(CivilDate)
  case week(ISOWeek)
  /// The month is 1 to 12.
  case month(year: Int, month: Int)
  case year(Int)
  /// A calendar, category, location or initial, as its source has it.
  case name(String)
  case status(Event.Status)
  /// The entries that lack the key, always the last section.
  case missing
  /// All entries, of an agenda that is not grouped.
  case all

  /// `2026-11-21`, `2026-W47`, `2026011` (year × 1000 + month), `2026`, the name itself, or empty
  /// without a name.
  public var id: String {
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

/// The words for sections, in some language.
public protocol SectionWording: Sendable {
  /// A heading: `Saturday, 21 November 2026`, `No location`.
  func title(of section: SectionValue, groupedBy key: SectionKey) -> String
  /// A few letters for an index: `21`, `Nov`, `B`.
  func indexTitle(of section: SectionValue, groupedBy key: SectionKey) -> String
}

/// Sections named by their identifiers, in no language: `2026-11-21`.
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
  /// The heading over the entries that lack the key: `No location`.
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
