internal import CivilTime
internal import Recurrence

/// Decides which of several masters with one UID an override belongs to: the one with the
/// occurrence that it replaces.
///
/// If several have it, it belongs to the one that begins last. If none has it, it belongs to the
/// one whose EXDATE or UNTIL removed the occurrence, otherwise to the last recurring one that
/// begins before it.
struct OverrideOwners {
  private let only: Int?
  private let recurring: [Master]
  private let singles: [Instant: Int]

  private struct Master {
    let first: Instant
    let index: Int
    let event: Event
    let cost: Int
  }

  /// Of masters with the same start, the last one counts.
  init(_ masters: [Int], of events: [Event]) {
    only = masters.count == 1 ? masters.first { events[$0].start != nil } : nil
    var recurring: [Master] = []
    var singles: [Instant: Int] = [:]
    for index in masters {
      let event = events[index]
      guard let time = event.start else { continue }
      let start = time.instant(for: .utc)
      if event.repeats {
        recurring.append(
          Master(first: start, index: index, event: event, cost: event.costOfCheck))
      } else {
        singles[start] = index
      }
    }
    self.recurring = recurring.enumerated().sorted {
      ($0.element.first, $0.offset) < ($1.element.first, $1.offset)
    }.map(\.element)
    self.singles = singles
  }

  /// Without a budget for checks of rules, only the starts of the masters decide.
  func owner(of override: Event, _ budget: inout WorkBudget) -> Int? {
    if let only { return only }
    guard let recurrenceID = override.identity.recurrenceID else { return nil }
    let moment = recurrenceID.instant(for: .utc)
    if let single = singles[moment] { return single }
    // A date counts from its midnight, before the time at which its series begins.
    let end = moment.adding(seconds: recurrenceID.isDate ? TimeOfDay.secondsPerCivilDay : 0)
    var (low, high) = (0, recurring.count)
    while low < high {
      let middle = (low + high) / 2
      if recurring[middle].first <= end { low = middle + 1 } else { high = middle }
    }
    let before = recurring[..<low]
    // A date in RDATE can be before DTSTART.
    for master in Array(before.reversed()) + recurring[low...] {
      guard budget.spend(master.cost, on: .ruleChecks) else { break }
      let time = master.event.onOwnClock(recurrenceID, otherZone: override.dayZone)
      if master.event.occurrence(at: time) != nil { return master.index }
    }
    let removing = before.last { master in
      guard let start = master.event.start, budget.spend(master.cost, on: .ruleChecks) else {
        return false
      }
      let time = master.event.onOwnClock(recurrenceID, otherZone: override.dayZone)
      return RemovedOccurrences(of: master.event, start: start).contains(time, &budget)
    }
    return (removing ?? before.last ?? recurring.first)?.index
  }
}
