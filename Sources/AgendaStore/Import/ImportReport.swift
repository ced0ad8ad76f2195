package import AgendaCore

/// The result of importing one source. `components` is always the sum of `added`, `updated`,
/// `unchanged`, `superseded` and `rejected`.
package struct ImportReport: Hashable, Sendable {
  package var source: String
  /// `nil` for a cancellation, which applies to every calendar with the events that it cancels.
  package var calendar: String?
  /// The previous calendar of the source, if it was another one.
  package var previousCalendar: String?
  /// VEVENTs and VTODOs that begin in the source.
  package var components = 0
  package var added = 0
  package var updated = 0
  package var removed = 0
  package var unchanged = 0
  /// Exact duplicates, and versions that a later one in the calendar replaces.
  package var superseded = 0
  package var rejected = 0
  /// VJOURNALs and VFREEBUSYs that begin in the source.
  package var journals = 0
  package var freeBusy = 0
  /// The reason why the whole source was refused. Then nothing was changed, and all counts are 0.
  package var error: String?
  /// What the user can do about the error.
  package var advice: String?
  /// Each finding with its document: the name of a file within a folder, otherwise empty.
  package var findings: [SourceFinding] = []
  /// What is wrong because other sources of the calendar have components with the same UID.
  package var commonFindings: [CommonFinding] = []

  /// A finding about components of several sources. The first one is where the problem is.
  package struct CommonFinding: Hashable, Sendable {
    package var finding: Finding
    package var event: Event
    package var origins: [ComponentOrigin]
  }

  package init(source: String, calendar: String?) {
    self.source = source
    self.calendar = calendar
  }

  /// Whether the import changed the store.
  package var hasChanges: Bool {
    added > 0 || updated > 0 || removed > 0 || previousCalendar != nil
  }

  func refused(_ reason: ImportRefusal) -> ImportReport {
    var report = ImportReport(source: source, calendar: calendar)
    report.error = reason.description
    report.advice = reason.advice
    report.findings = findings
    return report
  }
}

/// The reason why a whole source was refused.
enum ImportRefusal: Hashable, CustomStringConvertible {
  /// The source is empty, or has less than half of its previous events.
  case shrunk(from: Int, to: Int)
  case rejectedComponents(Int)

  var description: String {
    switch self {
    case .shrunk(let before, 0):
      "the source has no entries left; it had \(before)"
    case .shrunk(let before, let after):
      "the source has only \(after) of \(before) entries left"
    case .rejectedComponents(let count):
      "rejected components: \(count), and --strict is set"
    }
  }

  /// What the user can do about it.
  var advice: String? {
    switch self {
    case .shrunk(_, 0): "--allow-shrink removes them from the store"
    case .shrunk(let before, let after):
      "--allow-shrink removes the other \(before - after) from the store"
    case .rejectedComponents: nil
    }
  }
}
