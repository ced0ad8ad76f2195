internal import CivilTime

/// How entries become sections: which entries, in which order, under which headings.
///
///     let agenda = try calendars.agenda(in: window, options: .init(.months))
///     let rooms = SectionLayout(sectionedBy: \.location) { $0 ?? "elsewhere" }
///
/// The sections of times and names are in the order of their values. Those of a program are in the order
/// of their first entries: to sort them, make their key the first of `order`.
public struct SectionLayout: Sendable {
  enum Kind: Sendable {
    case key(SectionKey)
    case custom(any EntryGrouping)
  }

  let kind: Kind
  private var indexKey: SectionKey?
  /// The keys by which the entries of a section are sorted, the most important one first. Entries with
  /// equal keys are sorted by day, all-day entries first, then by start, end and title.
  public var order: [EntryOrder] = []
  /// Returns whether an entry is included; `nil` includes all.
  public var predicate: (@Sendable (Entry) -> Bool)?

  package init(_ key: SectionKey) { kind = .key(key) }

  /// Sections of entries with the same key, which is a key path (`\.calendar`) or a closure. It is
  /// computed once for an entry, and again only after the entry has changed. An entry of several days is
  /// listed on each of them.
  ///
  /// - Parameters:
  ///   - key: Returns the key of an entry.
  ///   - title: Makes the heading of a section. Without a closure, it is the text of the key; a key that
  ///     is `nil` has an empty title.
  ///   - indexTitle: Makes the index title of a section, which is a few letters. Neighbouring sections
  ///     can share one. Without a closure, it is the first letter of the key's text.
  public init<Key: Hashable & Sendable>(
    sectionedBy key: @escaping @Sendable (Entry) -> Key,
    title: (@Sendable (Key) -> String)? = nil, indexTitle: (@Sendable (Key) -> String)? = nil
  ) {
    kind = .custom(
      KeyGrouping(
        key: key, title: title ?? { SectionID($0).description },
        indexTitle: indexTitle ?? { String(SectionID($0).description.prefix(1)) }))
  }

  /// A section for each day. An entry of several days is listed on each of them.
  public static let days = SectionLayout(.day)
  /// A section for each ISO 8601 week, which begins on Monday.
  public static let weeks = SectionLayout(.week)
  /// A section for each month of a year.
  public static let months = SectionLayout(.month)
  /// A section for each year.
  public static let years = SectionLayout(.year)
  /// A section for each calendar.
  public static let calendars = SectionLayout(.calendar)
  /// A section for each category. An entry with several categories is in the section of each.
  public static let categories = SectionLayout(.category)
  /// A section for each location.
  public static let locations = SectionLayout(.location)
  /// A section for each status.
  public static let statuses = SectionLayout(.status)
  /// A section for each first letter of a title.
  public static let initials = SectionLayout(.initial)
  /// One section for all entries.
  public static let single = SectionLayout(.none)

  /// The same sections of days, with the months as their index titles.
  public func indexedByMonth() -> SectionLayout {
    var layout = self
    layout.indexKey = .month
    return layout
  }

  /// What the sections are.
  var key: SectionKey {
    switch kind {
    case .key(let key): key
    case .custom: .custom
    }
  }

  func indexTitle(of value: SectionValue, _ wording: any SectionWording) -> String {
    if indexKey != nil, case .day(let date) = value {
      return wording.indexTitle(of: .month(year: date.year, month: date.month), groupedBy: .month)
    }
    return wording.indexTitle(of: value, groupedBy: key)
  }
}

/// Makes sections by a key of a program.
protocol EntryGrouping: Sendable {
  /// The entries by key, in the order of the first entry of each. `known` returns the key of an entry
  /// whose key is known already.
  func groups(
    _ entries: [Entry], known: ((Entry) -> SectionID?)?
  ) -> [(id: SectionID, entries: [Entry])]
  func title(of id: SectionID) -> String
  func indexTitle(of id: SectionID) -> String
}

private struct KeyGrouping<Key: Hashable & Sendable>: EntryGrouping {
  let key: @Sendable (Entry) -> Key
  let title: @Sendable (Key) -> String
  let indexTitle: @Sendable (Key) -> String

  func groups(
    _ entries: [Entry], known: ((Entry) -> SectionID?)?
  ) -> [(id: SectionID, entries: [Entry])] {
    var groups: [(key: Key, entries: [Entry])] = []
    var numbers: [Key: Int] = [:]
    var last = -1
    for entry in entries {
      let key = if let id = known?(entry), let kept = id.key as? Key { kept } else { key(entry) }
      // Neighbours mostly share a section.
      if last < 0 || groups[last].key != key {
        last = numbers[key] ?? groups.count
        if last == groups.count {
          numbers[key] = last
          groups.append((key, []))
        }
      }
      groups[last].entries.append(entry)
    }
    return groups.map { (SectionID($0.key), $0.entries) }
  }

  func title(of id: SectionID) -> String { (id.key as? Key).map(title) ?? "" }
  func indexTitle(of id: SectionID) -> String { (id.key as? Key).map(indexTitle) ?? "" }
}
