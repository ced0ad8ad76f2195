/// The lines of a document on which its components began at the last import, as the value of a
/// column. After them is the number of other rows that were written with the revision.
///
/// The line numbers of a revision are one value. A new line at the top of a file changes all of
/// them, but the rows of unchanged components stay the same.
enum LineNumbers {
  typealias Entry = (component: Int, line: Int)

  /// Packs entries in the order of their components. `otherRows` is the number of findings and calendar
  /// objects.
  static func bytes(_ entries: [Entry], otherRows: Int? = nil) -> [UInt8] {
    var writer = PackedBytesWriter()
    var last: Entry = (0, 0)
    for next in entries {
      writer.add(next.component &- last.component)
      writer.add(next.line &- last.line)
      last = next
    }
    // One number alone is no entry.
    if let otherRows { writer.add(otherRows) }
    return writer.bytes
  }

  static func entries(in bytes: [UInt8]) -> [Entry] {
    var reader = PackedBytesReader(bytes)
    var entries: [Entry] = []
    var last: Entry = (0, 0)
    while let step = reader.number(), let lines = reader.number() {
      last.component &+= step
      last.line &+= lines
      entries.append(last)
    }
    return entries
  }

  /// `nil` if it is not known.
  static func otherRows(in bytes: [UInt8]) -> Int? {
    var reader = PackedBytesReader(bytes)
    while let number = reader.number() {
      if reader.number() == nil { return number }
    }
    return nil
  }

  /// `entries` are in the order of their components.
  static func line(of component: Int, in entries: [Entry]) -> Int? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].component < component { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].component == component ? entries[low].line : nil
  }
}
