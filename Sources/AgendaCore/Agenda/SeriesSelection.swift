/// A selection for the occurrences of one series. An event is checked once, and not for each of its
/// occurrences.
package struct SeriesSelection {
  private let selection: Selection
  private let details: (EventReference) -> EventDetails
  private var judged: (event: EventReference, isAdmitted: Bool)?

  package init(_ selection: Selection, details: @escaping (EventReference) -> EventDetails) {
    self.selection = selection
    self.details = details
  }

  package mutating func admits(_ occurrence: borrowing Occurrence) -> Bool {
    admitsEvent(of: occurrence) && selection.admitsTimes(of: occurrence, details: details)
  }

  private mutating func admitsEvent(of occurrence: borrowing Occurrence) -> Bool {
    let reference = occurrence.event.reference
    if let judged, judged.event == reference { return judged.isAdmitted }
    let isAdmitted = selection.admits(occurrence.event, details: details)
    judged = (reference, isAdmitted)
    return isAdmitted
  }
}
