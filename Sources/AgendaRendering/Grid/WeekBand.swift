internal import AgendaCore

/// The entries of whole days above the hours of a week, each in one piece over all its days.
struct WeekBand {
  struct Piece {
    let entry: Entry
    let firstDay: Int
    var lastDay: Int
    let line: Int
  }

  private(set) var pieces: [Piece] = []
  /// How many entries of each day have no line.
  private(set) var rests: [Int]

  var lineCount: Int { (pieces.map(\.line).max() ?? -1) + 1 }

  private static let mostLines = 5

  /// `days` are the entries of each day that take the whole day.
  init(_ days: [[Entry]]) {
    rests = Array(repeating: 0, count: days.count)
    for (day, entries) in days.enumerated() {
      var taken = Set<Int>()
      var new: [Entry] = []
      for entry in entries {
        let id = entry.id
        // The same occurrence the day before. Two occurrences can share an id.
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
