package import AgendaCore

/// What the import of one source did. `components` is always the sum of `added`, `updated`,
/// `unchanged`, `superseded` and `rejected`.
package struct ImportReport: Hashable, Sendable {
  package var source: String
  /// `nil` for a cancellation, which goes into whichever calendar has what it cancels.
  package var calendar: String?
  /// The calendar that the source was in before, where that was another one.
  package var previousCalendar: String?
  /// VEVENTs and VTODOs that begin in the source.
  package var components = 0
  package var added = 0
  package var updated = 0
  package var removed = 0
  package var unchanged = 0
  /// Exact duplicates, and versions that a later one in the same source replaces.
  package var superseded = 0
  package var rejected = 0
  /// VJOURNALs and VFREEBUSYs that begin in the source.
  package var journals = 0
  package var freeBusy = 0
  /// Why the whole source was refused; then nothing was changed and all counts are 0.
  package var error: String?
  /// Each with its document: the name of a file within a folder, else empty.
  package var findings: [SourceFinding] = []

  package init(source: String, calendar: String?) {
    self.source = source
    self.calendar = calendar
  }

  /// Whether the store is different now.
  package var hasChanges: Bool {
    added > 0 || updated > 0 || removed > 0 || previousCalendar != nil
  }

  func refused(_ reason: ImportRefusal) -> ImportReport {
    var report = ImportReport(source: source, calendar: calendar)
    report.error = reason.description
    report.findings = findings
    return report
  }
}

/// Why a source as a whole was left out.
enum ImportRefusal: Hashable, CustomStringConvertible {
  /// It came back with nothing, or with less than half of what it had.
  case shrunk(from: Int, to: Int)
  case rejectedComponents(Int)

  var description: String {
    switch self {
    case .shrunk(let before, 0):
      "the source has no events any more, but had \(before); kept the old ones, "
        + "--allow-shrink removes them"
    case .shrunk(let before, let after):
      "the source has only \(after) events left of \(before); kept the old ones, "
        + "--allow-shrink removes them"
    case .rejectedComponents(let count):
      "rejected components: \(count), and --strict is set"
    }
  }
}
