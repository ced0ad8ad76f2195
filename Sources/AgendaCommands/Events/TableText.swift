internal import AgendaRendering

/// A table with a header row, its columns divided by tabs.
struct TableText {
  private let columns: [String]
  private var rows: [[String]] = []

  init(_ columns: [String]) { self.columns = columns }

  mutating func add(_ cells: [String]) { rows.append(cells) }

  func write(to sink: inout ByteSink) {
    sink.write(columns.joined(separator: "\t") + "\n")
    for row in rows {
      for (index, cell) in row.enumerated() {
        if index > 0 { sink.write("\t") }
        sink.write(cell: cell)
      }
      sink.write("\n")
    }
  }
}
