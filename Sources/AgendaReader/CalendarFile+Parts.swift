package import AgendaCore
internal import ICalendar

/// The content of a source that a store keeps in addition to its events.
extension CalendarFile {
  /// The kind of event that a component became, by its ordinal.
  package func kind(ofComponent ordinal: Int) -> Event.Kind? {
    stubs.indices.contains(ordinal) ? stubs[ordinal].kind.eventKind : nil
  }

  /// The VCALENDAR of a component, as an index of `calendarProperties`.
  package func calendar(ofComponent ordinal: Int) -> Int? {
    stubs.indices.contains(ordinal) ? Int(stubs[ordinal].calendar) : nil
  }

  /// The content lines of each of its VCALENDARs, as written, each ending with LF; the first has
  /// the lines outside any VCALENDAR.
  package var calendarProperties: [[UInt8]] {
    calendars.map { calendar in
      var lines: [UInt8] = []
      for range in calendar.properties {
        lines += text.bytes.bytes(range)
        if lines.last != 0x0A { lines.append(0x0A) }
      }
      return lines
    }
  }

  /// A whole component that is not an event, task or journal: a VTIMEZONE, a VFREEBUSY or an
  /// unknown one.
  package struct Part {
    package let name: String
    package let bytes: UnsafeBufferPointer<UInt8>
    /// The VCALENDAR that contains it.
    package let calendar: Int
  }

  package var otherComponents: [Part] {
    others.filter(\.isWhole).map {
      Part(name: $0.name, bytes: text.bytes.bytes($0.range), calendar: $0.calendar)
    }
  }
}
