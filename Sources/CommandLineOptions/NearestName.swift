/// The name that somebody most likely meant, if one is near enough: at most a third of its letters
/// differ, or what was typed begins it.
///
///     nearestName(to: "timzone", among: ["to", "timezone"])  // "timezone"
package func nearestName(to typed: String, among names: [String]) -> String? {
  let letters = Array(typed.unicodeScalars.prefix(longestNameCompared))
  guard !letters.isEmpty else { return nil }
  var best: (name: String, distance: Int)?
  for name in names {
    let candidate = Array(name.unicodeScalars)
    let distance = editDistance(letters, candidate)
    let allowed = max(1, (max(letters.count, candidate.count) + 1) / 3)
    guard distance <= allowed, distance < max(letters.count, candidate.count) else { continue }
    if best.map({ distance < $0.distance }) ?? true { best = (name, distance) }
  }
  if let best { return best.name }
  let begun = names.filter { letters.count > 2 && $0.hasPrefix(typed) }
  return begun.count == 1 ? begun.first : nil
}

/// All names are shorter, so longer words have no nearest name.
private let longestNameCompared = 64

/// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
  var beforePrevious: [Int] = []
  var previous = Array(0...right.count)
  for (row, letter) in left.enumerated() {
    var current = [row + 1]
    for (column, other) in right.enumerated() {
      var cost = min(
        previous[column + 1] + 1, current[column] + 1, previous[column] + (letter == other ? 0 : 1))
      if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
        cost = min(cost, beforePrevious[column - 1] + 1)
      }
      current.append(cost)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[right.count]
}
