internal import CivilTime
internal import Synchronization

/// The occurrences that the entries of an agenda refer to, and the days of each.
///
/// It is a class, so that entries can share it. Only its cache ever changes.
final class ListedOccurrences: Sendable {
  let occurrences: [Occurrence]
  let days: OccurrenceDays
  let window: DateWindow
  /// Which occurrences belong to a component, made when first asked for.
  private let componentsOfOccurrences = Mutex<[EventReference]?>(nil)

  init(_ occurrences: [Occurrence], _ days: OccurrenceDays, in window: DateWindow) {
    self.occurrences = occurrences
    self.days = days
    self.window = window
  }

  convenience init(_ occurrences: [Occurrence], in window: DateWindow) {
    self.init(occurrences, OccurrenceDays(of: occurrences, zone: window.zone), in: window)
  }

  /// The component of each occurrence. In this list a search takes a tenth of the time of one in the
  /// events.
  var components: [EventReference] {
    componentsOfOccurrences.withLock { cache in
      if let cache { return cache }
      let made = occurrences.map(\.event.reference)
      cache = made
      return made
    }
  }
}
