package import CivilTime

/// Two timed occurrences that overlap.
public struct Conflict: Sendable {
  /// The occurrence that begins first.
  public let first: Occurrence
  /// The occurrence that begins while the first one is going on.
  public let second: Occurrence

  /// The moment at which the overlap begins.
  package var begin: Instant { max(first.begin, second.begin) }
  /// The moment at which the overlap ends.
  package var finish: Instant { min(first.finish, second.finish) }

  /// The largest number of pairs. If all occurrences overlap, the number of pairs grows with the
  /// square of their number.
  package static let ceiling = 10_000
  /// The most bytes of the titles of all pairs.
  private static let mostBytes = 64_000_000

  /// All pairs that overlap, sorted by the begin of the overlap, and whether there are more pairs than
  /// `ceiling`, or pairs with longer titles. Whole-day occurrences never conflict.
  public static func all(among occurrences: [Occurrence]) -> (pairs: [Conflict], wasCut: Bool) {
    let timed = timed(occurrences)
    var pairs: [Conflict] = []
    var bytes = 0
    var running: [Int] = []
    for index in timed {
      let begin = occurrences[index].begin
      running.removeAll { occurrences[$0].finish <= begin }
      for other in running {
        let pair = Conflict(first: occurrences[other], second: occurrences[index])
        bytes +=
          EntrySize.length(pair.first.event.title) + EntrySize.length(pair.second.event.title)
        guard pairs.count < ceiling, bytes <= mostBytes else { return (pairs, true) }
        pairs.append(pair)
      }
      running.append(index)
    }
    return (pairs, false)
  }

  /// The positions of all occurrences that overlap another one. The time that this takes does not depend
  /// on the number of pairs.
  package static func overlapping(among occurrences: [Occurrence]) -> Set<Int> {
    var found: Set<Int> = []
    /// The occurrence that ends last of those before.
    var last: Int?
    for index in timed(occurrences) {
      if let previous = last, occurrences[previous].finish > occurrences[index].begin {
        found.formUnion([previous, index])
        if occurrences[previous].finish >= occurrences[index].finish { continue }
      }
      last = index
    }
    return found
  }

  /// The positions of the timed occurrences, in the order of time. Positions, because a copy of many
  /// occurrences would need much memory.
  private static func timed(_ occurrences: [Occurrence]) -> [Int] {
    occurrences.indices
      .filter { occurrences[$0].takesTime && occurrences[$0].allDay == nil }
      .sorted { left, right in
        let (one, two) = (occurrences[left], occurrences[right])
        if one.begin != two.begin { return one.begin < two.begin }
        if one.finish != two.finish { return one.finish < two.finish }
        return NameOrder.precedes(one, two) ?? (left < right)
      }
  }
}
