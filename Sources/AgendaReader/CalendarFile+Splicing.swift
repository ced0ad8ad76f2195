internal import ICalendar

extension CalendarFile {
  /// The bytes of the source with some of its components replaced. All others stay as they are.
  ///
  /// - Parameters:
  ///   - components: the new bytes by the number of the component's reference; an empty array
  ///     removes the component with its line end.
  ///   - definitions: VTIMEZONEs for the VCALENDAR of those components, with their line ends.
  ///   - source: the source from which this file was read.
  /// - Returns: `nil` if the source is not in UTF-8, because its bytes are not those of its text,
  ///   or if it lacks one of the components.
  package func splicing(
    _ components: [Int: [UInt8]], definitions: [UInt8] = [], into source: SourceBytes
  ) -> [UInt8]? {
    guard text.bytes.hasSameContent(as: source) else { return nil }
    let bytes = source.bytes
    var changes: [(range: Range<Int>, new: [UInt8])] = []
    for (number, new) in components {
      guard let range = stub(number)?.range else { return nil }
      let last = range.isEmpty ? 0 : bytes[range.upperBound - 1]
      // The line end after a component stays.
      let text = last == 0x0A || last == 0x0D ? new : new.withoutLineEnd
      changes.append((new.isEmpty ? Self.withLineEnd(range, in: bytes) : range, text))
    }
    if !definitions.isEmpty, let calendar = components.keys.lazy.compactMap(stub).first?.calendar {
      let starts =
        stubs.filter { $0.calendar == calendar }.map(\.start)
        + others.filter { $0.calendar == Int(calendar) }.map(\.range.lowerBound)
      if let first = starts.min() { changes.append((first..<first, definitions)) }
    }
    // The definitions come before a component that begins at the same place.
    changes.sort {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + components.values.reduce(0) { $0 + $1.count })
    var position = 0
    for (range, new) in changes where range.lowerBound >= position {
      result += bytes[position..<range.lowerBound]
      result += new
      position = range.upperBound
    }
    return result + bytes[position...]
  }

  private static func withLineEnd(_ range: Range<Int>, in bytes: Bytes) -> Range<Int> {
    let end = range.upperBound
    guard end > range.lowerBound, bytes[end - 1] != 0x0A, bytes[end - 1] != 0x0D else {
      return range
    }
    guard end < bytes.count, bytes[end] == 0x0D || bytes[end] == 0x0A else { return range }
    return range.lowerBound..<bytes.endOfLineEnd(at: end, to: bytes.count)
  }
}
