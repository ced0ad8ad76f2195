public import AgendaCore
public import AgendaRendering
public import CivilTime

/// How entries become sections: which entries, in which order, under which headings.
public struct ResultsLayout<SectionID: Hashable & Sendable>: Sendable {
  /// What the entries of a section have in common: a key path (`\.calendar`) or a closure. It is
  /// computed once for an entry, and again only after the entry has changed.
  public var sectionID: @Sendable (Entry) -> SectionID
  /// The keys by which entries are sorted, the most important one first. Entries with equal keys keep
  /// the order of an agenda: by day, all-day entries first, then by start, end and title.
  public var order: [EntryOrder] = []
  /// Returns whether an entry is included; `nil` includes all.
  public var predicate: (@Sendable (Entry) -> Bool)?
  /// Makes the name of a section, which is its heading. Without a closure, it is the text of the key;
  /// a key that is `nil` has an empty name.
  public var sectionName: @Sendable (SectionID) -> String = { text(of: $0) }
  /// Makes the index title of a section, which is a few letters. Neighbouring sections can share one.
  /// Without a closure, it is the first letter of the key's text.
  public var indexTitle: @Sendable (SectionID) -> String = { String(text(of: $0).prefix(1)) }

  /// Sections of entries with the same key, which is a key path (`\.calendar`) or a closure.
  public init(sectionedBy sectionID: @escaping @Sendable (Entry) -> SectionID) {
    self.sectionID = sectionID
  }
}

/// The text of a key: of an optional key, that of the value in it, and nothing if there is none.
private func text(of key: some Any) -> String {
  guard let optional = key as? any OptionalKey else { return "\(key)" }
  return optional.wrappedText
}

/// An optional, whatever type its value has.
private protocol OptionalKey {
  var wrappedText: String { get }
}

extension Optional: OptionalKey {
  fileprivate var wrappedText: String { map { text(of: $0) } ?? "" }
}

extension ResultsLayout where SectionID == CivilDate {
  /// A section for each day, with the long date as its heading and the month as its index title.
  public static func days(_ locale: LocaleData = .plain) -> ResultsLayout {
    var layout = ResultsLayout(sectionedBy: \.date)
    let wording = DateWording(locale)
    layout.sectionName = { wording.title(of: .day($0), groupedBy: .day) }
    layout.indexTitle = {
      wording.indexTitle(of: .month(year: $0.year, month: $0.month), groupedBy: .month)
    }
    return layout
  }
}

extension ResultsLayout where SectionID == Int {
  /// A section for each month, identified by year × 1000 + month.
  public static func months(_ locale: LocaleData = .plain) -> ResultsLayout {
    var layout = ResultsLayout { $0.date.year * 1000 + $0.date.month }
    let wording = DateWording(locale)
    layout.sectionName = {
      wording.title(of: .month(year: $0 / 1000, month: $0 % 1000), groupedBy: .month)
    }
    layout.indexTitle = {
      wording.indexTitle(of: .month(year: $0 / 1000, month: $0 % 1000), groupedBy: .month)
    }
    return layout
  }
}
