package import CivilTime

/// A section that was decoded.
package struct ListedSection {
  /// An entry that was decoded.
  package struct Member {
    package let occurrence: Occurrence
    /// The day on which it is listed, if that is not the day of its section or its first one.
    package let day: CivilDate?

    package init(_ occurrence: Occurrence, on day: CivilDate? = nil) {
      self.occurrence = occurrence
      self.day = day
    }
  }

  package let value: SectionValue
  package let title: String
  package let indexTitle: String
  package let entries: [Member]

  package init(_ value: SectionValue, title: String, indexTitle: String, _ entries: [Member]) {
    self.value = value
    self.title = title
    self.indexTitle = indexTitle
    self.entries = entries
  }
}
