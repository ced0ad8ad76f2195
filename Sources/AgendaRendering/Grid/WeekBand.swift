internal import AgendaCore

/// The all-day entries above the hours of a week. Each is one bar over all its days.
struct WeekBand {
  struct Piece {
    let entry: Entry
    let firstDay: Int
    var lastDay: Int
    let line: Int
  }

  private(set) var pieces: [Piece] = []
  /// The number of entries of each day without a line.
  private(set) var rests: [Int]

  var lineCount: Int { (pieces.map(\.line).max() ?? -1) + 1 }

  /// More would leave no place for other entries.
  private static let mostLines = 5

  /// `days` contains the all-day entries of each day.
  init(_ days: [[Entry]]) {
    rests = Array(repeating: 0, count: days.count)
    for (day, entries) in days.enumerated() {
      var taken = Set<Int>()
      var new: [Entry] = []
      for entry in entries {
        let id = entry.id
        // Looks for the bar of the same occurrence on the day before. Two occurrences can share an
        // id.
        let previous = pieces.indices.first { index in
          pieces[index].lastDay == day - 1 && pieces[index].entry.id == id
            && pieces[index].entry.begin == entry.begin && !taken.contains(pieces[index].line)
        }
        if let previous {
          pieces[previous].lastDay = day
          taken.insert(pieces[previous].line)
        } else {
          new.append(entry)
        }
      }
      for entry in new {
        guard let line = (0..<Self.mostLines).first(where: { !taken.contains($0) }) else {
          rests[day] += 1
          continue
        }
        taken.insert(line)
        pieces.append(Piece(entry: entry, firstDay: day, lastDay: day, line: line))
      }
    }
  }
}
