internal import ICalendar

/// The positions at which some lines of a source begin, at regular distances. So any line is found
/// without reading the whole source again.
struct LineIndex: Sendable {
  private static let stride = 256
  /// The positions of line 1, 1 + stride, 1 + 2 × stride, …
  private var starts: [Int] = []

  init(_ bytes: Bytes, from start: Int) {
    var cursor = LineCursor(bytes, from: start, to: bytes.count)
    while true {
      if (cursor.line - 1) % Self.stride == 0 { starts.append(cursor.position) }
      if cursor.nextPhysical() == nil { break }
    }
  }

  /// The bytes of line `number`, from 1, without its end; `nil` if the line does not exist.
  func range(ofLine number: Int, in bytes: Bytes) -> Range<Int>? {
    guard number >= 1, (number - 1) / Self.stride < starts.count else { return nil }
    var cursor = LineCursor(bytes, from: starts[(number - 1) / Self.stride], to: bytes.count)
    for _ in 0..<(number - 1) % Self.stride where cursor.nextPhysical() == nil { return nil }
    return cursor.nextPhysical()
  }

  /// The number of the line that contains this byte.
  static func line(at position: Int, in bytes: Bytes) -> Int {
    var cursor = LineCursor(bytes, from: 0, to: bytes.count)
    var line = 1
    while cursor.position <= position {
      line = cursor.line
      if cursor.nextPhysical() == nil { break }
    }
    return line
  }
}
