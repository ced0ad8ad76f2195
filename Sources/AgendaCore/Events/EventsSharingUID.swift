internal import CivilTime
internal import Recurrence

/// Different events with one UID that a calendar shows (see `ComponentVersions`). A message names one
/// of them by its DTSTART.
struct EventsSharingUID {
  private struct Place: Hashable {
    let source: Int
    let start: ComparedStart
  }

  private var starts: Set<ComparedStart> = []
  private var masters: [Place: [Int]] = [:]
  private var overrides: [Place: [Int]] = [:]

  /// `nil` if the calendar shows only one event, or only events with one start. `sources` are those of
  /// one calendar; the calendar shows the masters with the SEQUENCE `shownSequence`.
  init?(_ sources: [NamedComponents.Members], shownSequence: Int, of events: [Event]) {
    let shown = sources.flatMap(\.masters).filter {
      events[$0].version.sequence == shownSequence
    }
    guard shown.count > 1 else { return nil }
    starts = Set(shown.compactMap { events[$0].start.map(ComparedStart.init) })
    guard starts.count > 1 else { return nil }
    let owners = OverrideOwners(shown, of: events)
    var looks = OverrideOwners.mostLooks
    for members in sources {
      for index in members.masters {
        guard let start = events[index].start else { continue }
        let place = Place(source: members.source, start: ComparedStart(start))
        masters[place, default: []].append(index)
      }
      for index in members.allOverrides {
        guard let owner = owners.owner(of: events[index], looks: &looks),
          let start = events[owner].start
        else { continue }
        let place = Place(source: members.source, start: ComparedStart(start))
        overrides[place, default: []].append(index)
      }
    }
  }

  /// The masters of a source that begin at the DTSTART of a message, and their overrides. `nil` if
  /// none of the events begins then: the message is about all of them.
  func targets(of message: Event, in source: Int) -> (masters: [Int], overrides: [Int])? {
    guard let start = message.start.map(ComparedStart.init), starts.contains(start) else {
      return nil
    }
    let place = Place(source: source, start: start)
    return (masters[place] ?? [], overrides[place] ?? [])
  }
}
