internal import AgendaRendering

/// Lines of a picture that are in the next one, too, a few lines higher or lower. A terminal moves them
/// itself, so that they need not be sent again.
struct ScrolledLines {
  /// The lines that take part: those that move, and those that become free.
  let region: Range<Int>
  /// How far they move up; down if it is negative.
  let count: Int

  /// Fewer cells are written as fast as a region is moved.
  private static let fewestCells = 60

  /// `nil` if nothing has moved, or too little of it.
  init?(from old: [[GridCanvas.Cell]], to new: [[GridCanvas.Cell]]) {
    guard old.count == new.count else { return nil }
    // A cursor that moves changes a line or two, and the last one.
    let changed = old.indices.filter { old[$0] != new[$0] }
    guard changed.count > 4, let first = changed.first, let last = changed.last else { return nil }
    let weights = new.map { line in line.count { !$0.isBlank } }
    let oldHashes = old.map(\.hashValue)
    let newHashes = new.map(\.hashValue)
    var best: (gain: Int, region: Range<Int>, count: Int) = (Self.fewestCells, 0..<0, 0)
    for distance in 1..<max(2, last - first + 1) {
      for count in [distance, -distance] {
        var row = max(first, first - count)
        while row <= last, old.indices.contains(row + count) {
          var end = row
          var gain = 0
          while end <= last, old.indices.contains(end + count),
            newHashes[end] == oldHashes[end + count], new[end] == old[end + count]
          {
            if newHashes[end] != oldHashes[end] { gain += weights[end] }
            end += 1
          }
          if gain > best.gain {
            let region = count > 0 ? row..<(end + count) : (row + count)..<end
            // Lines that become free may have been right.
            let free = count > 0 ? end..<(end + count) : (row + count)..<row
            for line in free where newHashes[line] == oldHashes[line] { gain -= weights[line] }
            if gain > best.gain { best = (gain, region, count) }
          }
          row = max(end, row + 1)
        }
      }
    }
    guard best.count != 0 else { return nil }
    (region, count) = (best.region, best.count)
  }

  /// The sequences that move the lines: a scrolling region, lines that are deleted or inserted, and the
  /// whole screen as the region again. All terminals since the VT102 have them.
  var sequence: String {
    "\u{1b}[\(region.lowerBound + 1);\(region.upperBound)r\u{1b}[\(region.lowerBound + 1);1H"
      + "\u{1b}[\(abs(count))\(count > 0 ? "M" : "L")\u{1b}[r"
  }

  /// What the terminal shows then.
  func applied(to lines: [[GridCanvas.Cell]]) -> [[GridCanvas.Cell]] {
    var moved = lines
    let blank = [GridCanvas.Cell](repeating: .init(), count: lines.first?.count ?? 0)
    for row in region {
      moved[row] = region.contains(row + count) ? lines[row + count] : blank
    }
    return moved
  }
}
