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
