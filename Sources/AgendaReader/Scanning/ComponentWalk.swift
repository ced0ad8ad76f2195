internal import ICalendar

/// Goes through the properties of one component, and of its alarms: the content lines between its
/// BEGIN and its END, without those of other nested components.
struct ComponentWalk {
  private let bytes: Bytes
  private let room: UnfoldingBuffer
  private var cursor: LineCursor
  private var nesting = Nesting()
  private var alarmCount = 0
  /// The number of alarms beyond the limit.
  private(set) var omittedAlarms = 0
  /// The ordinal of the alarm that contains the last line; `nil` for a line of the component
  /// itself.
  private(set) var alarm: Int?

  /// The most alarms of a component that are read.
  private static let mostAlarms = 100

  init(_ stub: ComponentStub, of bytes: Bytes, _ room: UnfoldingBuffer) {
    self.init(stub.range, line: Int(stub.line), of: bytes, room)
  }

  init(_ component: Range<Int>, line: Int, of bytes: Bytes, _ room: UnfoldingBuffer) {
    self.bytes = bytes
    self.room = room
    cursor = LineCursor(
      bytes, from: component.lowerBound, to: component.upperBound, line: line)
    _ = cursor.next()
  }

  /// The next line and the name of its property.
  @inline(__always)
  mutating func next() -> (name: PropertyName, line: ContentLine, nameEnd: Int)? {
    while let line = cursor.next() {
      let (name, nameEnd) = room.name(of: line, in: bytes)
      switch name {
      case .begin: begin(room.componentName(line, nameEnd: nameEnd, in: bytes))
      case .end: end(room.componentName(line, nameEnd: nameEnd, in: bytes))
      default:
        guard nesting.isEmpty || alarm != nil && nesting.depth == 1 else { continue }
        return (name.unlessProse(line, nameEnd: nameEnd, bytes), line, nameEnd)
      }
    }
    return nil
  }

  private mutating func begin(_ name: Bytes) {
    if nesting.isEmpty, name.isName("VALARM") {
      if alarmCount < Self.mostAlarms { alarm = alarmCount } else { omittedAlarms += 1 }
    }
    nesting.begin(name)
  }

  private mutating func end(_ name: Bytes) {
    _ = nesting.end(name)
    if alarm != nil, nesting.isEmpty {
      alarm = nil
      alarmCount += 1
    }
  }
}
