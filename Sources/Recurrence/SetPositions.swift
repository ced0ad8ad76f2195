/// BYSETPOS: which of a period's occurrences stay, counted from its first or its last.
struct SetPositions: Sendable {
  let numbers: [Int]

  var isEmpty: Bool { numbers.isEmpty }

  /// The places from 0, in order, that are meant in a set of that size.
  func places(inSetOf count: Int, into places: inout [Int]) {
    places.removeAll(keepingCapacity: true)
    for number in numbers {
      let place = number > 0 ? number - 1 : count + number
      if place >= 0, place < count { places.append(place) }
    }
    places.sort()
    // 1 and -1 are the same in a set of one.
    var kept = 0
    for place in places where kept == 0 || places[kept - 1] != place {
      places[kept] = place
      kept += 1
    }
    places.removeSubrange(kept...)
  }

  /// What stays of a list.
  func applied(to list: [Int32]) -> [Int32] {
    if isEmpty { return list }
    var kept: [Int] = []
    places(inSetOf: list.count, into: &kept)
    return kept.map { list[$0] }
  }
}
