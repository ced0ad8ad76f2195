import AgendaRendering

/// A terminal that knows the sequences of `ScreenWriter`, without looks.
struct TestTerminal {
  private(set) var cells: [[String]] = []
  private var (column, row) = (0, 0)
  private var region: ClosedRange<Int> = 0...0

  mutating func resize(columns: Int, rows: Int) {
    guard cells.count != rows || cells.first?.count != columns else { return }
    cells = Array(repeating: Array(repeating: "?", count: columns), count: rows)
    region = 0...(rows - 1)
  }

  mutating func feed(_ bytes: [UInt8]) {
    var rest = String(decoding: bytes, as: UTF8.self)[...]
    while let start = rest.unicodeScalars.firstIndex(of: "\u{1b}") {
      write(String(rest.unicodeScalars[..<start]))
      let sequence = rest.unicodeScalars[start...].dropFirst(2)
      guard let end = sequence.firstIndex(where: { $0.properties.isAlphabetic }) else { return }
      let numbers = String(sequence[..<end]).split(separator: ";").map { Int($0) ?? 0 }
      perform(sequence[end], numbers)
      rest = Substring(rest.unicodeScalars[sequence.index(after: end)...])
    }
    write(String(rest))
  }

  private mutating func write(_ text: String) {
    for character in text {
      let width = DisplayWidth.of(character)
      guard width > 0, cells.indices.contains(row) else { continue }
      // Without wrapping, the last column is written again and again.
      let place = min(column, cells[row].count - width)
      guard place >= 0 else { continue }
      cells[row][place] = String(character)
      if width == 2 { cells[row][place + 1] = "" }
      column = place + width
    }
  }

  private mutating func perform(_ letter: Unicode.Scalar, _ numbers: [Int]) {
    let blank = Array(repeating: " ", count: cells.first?.count ?? 0)
    switch letter {
    case "H": (row, column) = ((numbers.first ?? 1) - 1, (numbers.last ?? 1) - 1)
    case "G": column = (numbers.first ?? 1) - 1
    case "J": cells = Array(repeating: blank, count: cells.count)
    case "K": for place in column..<max(column, blank.count) { cells[row][place] = " " }
    case "r":
      region = numbers.count == 2 ? (numbers[0] - 1)...(numbers[1] - 1) : 0...(cells.count - 1)
      (row, column) = (0, 0)
    case "M":
      for _ in 0..<(numbers.first ?? 1) {
        cells.remove(at: row)
        cells.insert(blank, at: region.upperBound)
      }
    case "L":
      for _ in 0..<(numbers.first ?? 1) {
        cells.remove(at: region.upperBound)
        cells.insert(blank, at: row)
      }
    default: break
    }
  }
}
