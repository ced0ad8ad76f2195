package import AgendaRendering

/// Writes to a terminal what differs from the picture that it shows.
///
/// Terminals and fonts do not agree on the width of emoji and marks. After each letter whose width is
/// not certain, the cursor is therefore set to its column by number: a disagreement never moves the
/// rest of a line.
package struct ScreenWriter {
  private let depth: ColorDepth
  /// What the terminal shows; `nil` if that is not known.
  private var shown: [[GridCanvas.Cell]]?
  private var shownCursor: (column: Int, row: Int)?

  package init(depth: ColorDepth) { self.depth = depth }

  /// Everything is written again by the next picture: the terminal was used by another program, or has
  /// another size.
  package mutating func forget() { shown = nil }

  /// The bytes that turn the present picture into this one.
  package mutating func bytes(for frame: BrowserFrame) -> [UInt8] {
    var output = Output()
    let lines = frame.canvas.lines
    let isNew =
      shown == nil || shown?.count != lines.count || shown?.first?.count != lines.first?.count
    if isNew { output.write("\u{1b}[0m\u{1b}[2J") }
    if !isNew, let old = shown, let scrolled = ScrolledLines(from: old, to: lines) {
      output.write(scrolled.sequence)
      shown = scrolled.applied(to: old)
    }
    let blank = [GridCanvas.Cell](repeating: .init(), count: frame.canvas.width)
    for (row, line) in lines.enumerated() {
      let old = isNew ? blank : shown?[row] ?? blank
      if old == line { continue }
      write(line, over: old, row: row, to: &output)
    }
    output.setLook("")
    if frame.cursor?.column != shownCursor?.column || frame.cursor?.row != shownCursor?.row
      || isNew || frame.cursor != nil && !output.bytes.isEmpty
    {
      if let cursor = frame.cursor {
        output.write("\u{1b}[\(cursor.row + 1);\(cursor.column + 1)H")
        if shownCursor == nil { output.write("\u{1b}[?25h") }
      } else if shownCursor != nil {
        output.write("\u{1b}[?25l")
      }
    }
    shownCursor = frame.cursor
    shown = lines
    return output.bytes
  }

  private struct Output {
    var bytes: [UInt8] = []
    private var look = ""

    mutating func write(_ text: String) { bytes += text.utf8 }

    mutating func setLook(_ wanted: String) {
      guard wanted != look else { return }
      write(
        wanted.isEmpty ? "\u{1b}[0m" : look.isEmpty ? "\u{1b}[\(wanted)m" : "\u{1b}[0;\(wanted)m")
      look = wanted
    }
  }

  /// A gap of this many equal cells costs fewer bytes than moving the cursor.
  private static let shortestGap = 5

  private func write(
    _ line: [GridCanvas.Cell], over old: [GridCanvas.Cell], row: Int, to output: inout Output
  ) {
    // Blank cells at the end are erased at once.
    let end = (line.lastIndex { !$0.isBlank } ?? -1) + 1
    let oldEnd = (old.lastIndex { !$0.isBlank } ?? -1) + 1
    /// The column of the cursor in this row; `nil` if it is elsewhere or not certain.
    var cursor: Int?
    var column = 0
    /// A letter that a terminal shows wider has covered the cells up to here.
    var covered = 0
    while column < end {
      guard
        column < covered || line[column] != old[column]
          || isWideHead(line, column) != isWideHead(old, column)
          || isWideHead(line, column) && line[column + 1] != old[column + 1]
      else {
        column += 1
        continue
      }
      // The second half of a wide letter is written with its first.
      if line[column].text.isEmpty {
        column += 1
        continue
      }
      if let from = cursor, column > from, column - from < Self.shortestGap,
        line[from..<column].allSatisfy({ Self.isCertain($0.text) })
      {
        for cell in line[from..<column] { put(cell, to: &output) }
      } else if cursor != column {
        output.write(row == 0 && column == 0 ? "\u{1b}[H" : "\u{1b}[\(row + 1);\(column + 1)H")
      }
      let cell = line[column]
      let width = isWideHead(line, column) ? 2 : 1
      if Self.isCertain(cell.text) {
        put(cell, to: &output)
        cursor = column + width
      } else {
        // A terminal that shows it narrower would keep what was in the other column.
        output.setLook(cell.parameters(depth))
        output.write(String(repeating: " ", count: width))
        output.write("\u{1b}[\(column + 1)G" + cell.text)
        cursor = nil
        // Two columns for each code point are the most.
        covered = max(covered, column + 2 * cell.text.unicodeScalars.count)
      }
      column += width
    }
    // In the last column, the cursor of a terminal stays before the end of its line.
    if cursor == line.count { cursor = nil }
    guard oldEnd > end || covered > end else { return }
    if cursor != end { output.write("\u{1b}[\(row + 1);\(end + 1)H") }
    output.setLook("")
    output.write("\u{1b}[K")
  }

  private func put(_ cell: GridCanvas.Cell, to output: inout Output) {
    output.setLook(cell.parameters(depth))
    output.write(cell.text)
  }

  private func isWideHead(_ line: [GridCanvas.Cell], _ column: Int) -> Bool {
    column + 1 < line.count && line[column + 1].text.isEmpty
  }

  /// Whether every terminal shows the letter in as many columns as `DisplayWidth` says: one code point
  /// of a script without marks and emoji.
  private static func isCertain(_ text: String) -> Bool {
    var scalars = text.unicodeScalars.makeIterator()
    guard let first = scalars.next() else { return true }
    guard scalars.next() == nil else { return false }
    switch first.value {
    case 0..<0x300, 0x370..<0x483, 0x2010...0x2027, 0x2190...0x21ff, 0x2500...0x259f: return true
    case 0x3041...0x30ff, 0x4e00...0x9fff, 0xac00...0xd7a3: return true
    default: return false
    }
  }
}
