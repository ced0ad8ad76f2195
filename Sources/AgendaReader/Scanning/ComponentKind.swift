internal import AgendaCore
internal import ICalendar

/// The components that become events of the model.
enum ComponentKind: UInt8 {
  case event, task, journal

  init?(_ name: Bytes) {
    if name.isName("VEVENT") {
      self = .event
    } else if name.isName("VTODO") {
      self = .task
    } else if name.isName("VJOURNAL") {
      self = .journal
    } else {
      return nil
    }
  }

  /// The kind of a component in a range that begins with its BEGIN line.
  init?(of component: Range<Int>, in bytes: Bytes) {
    var cursor = LineCursor(bytes, from: component.lowerBound, to: component.upperBound)
    let room = UnfoldingBuffer()
    guard let line = cursor.next() else { return nil }
    let (name, nameEnd) = room.name(of: line, in: bytes)
    guard name == .begin else { return nil }
    self.init(room.componentName(line, nameEnd: nameEnd, in: bytes))
  }

  var name: String {
    switch self {
    case .event: "VEVENT"
    case .task: "VTODO"
    case .journal: "VJOURNAL"
    }
  }

  var eventKind: Event.Kind {
    switch self {
    case .event: .event
    case .task: .task
    case .journal: .journal
    }
  }
}
