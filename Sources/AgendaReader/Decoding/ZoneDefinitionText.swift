internal import AgendaCore
internal import CivilTime
internal import ICalendar
internal import Recurrence

/// A VTIMEZONE (RFC 5545 3.6.5) of a source. It is read only if the name alone does not identify a
/// zone.
struct ZoneDefinitionText {
  private(set) var definition = ZoneDefinition(identifier: "", observances: [])
  /// X-LIC-LOCATION.
  private(set) var location: String?
  /// The parts that cannot be read, by line.
  private(set) var faults: [Finding] = []

  /// Real definitions are shorter.
  private static let mostFaults = 10

  private let bytes: Bytes
  private let room = UnfoldingBuffer()

  init(_ component: OtherComponent, of bytes: Bytes) {
    self.bytes = bytes
    var cursor = LineCursor(
      bytes, from: component.range.lowerBound, to: component.range.upperBound, line: component.line)
    _ = cursor.next()
    var observance: ZoneDefinition.Observance?
    var dates: [EventTime] = []
    while let line = cursor.next() {
      let slot = PropertySlot(line: line, nameEnd: room.name(of: line, in: bytes).nameEnd)
      let view = room.view(slot, of: bytes)
      let (name, value) = (view.name, view.value.trimmed)
      if name.isName("BEGIN") {
        guard value.isName("STANDARD") || value.isName("DAYLIGHT") else { continue }
        observance = ZoneDefinition.Observance(
          isDaylight: value.isName("DAYLIGHT"), start: nil, offsetFrom: nil, offsetTo: nil)
        dates = []
      } else if name.isName("END") {
        guard var whole = observance, value.isName("STANDARD") || value.isName("DAYLIGHT") else {
          continue
        }
        whole.dates = dates
        definition.observances.append(whole)
        observance = nil
      } else if observance != nil {
        if let finding = Self.read(name, value, into: &observance, &dates),
          faults.count < Self.mostFaults
        {
          faults.append(
            finding.at(
              line: line.line, component: "VTIMEZONE", property: name.text.uppercased()))
        }
      } else if name.isName("TZID") {
        definition.identifier = room.text(slot, of: bytes).trimmed
      } else if name.isName("X-LIC-LOCATION") {
        location = room.text(slot, of: bytes).trimmed
      }
    }
  }

  /// Returns the problem of the value, or `nil`.
  private static func read(
    _ name: Bytes, _ value: Bytes, into observance: inout ZoneDefinition.Observance?,
    _ dates: inout [EventTime]
  ) -> Finding? {
    if name.isName("DTSTART") {
      observance?.start = TimeText(value)?.civil
      if observance?.start == nil { return .invalidZoneDate(value.excerpt) }
    } else if name.isName("TZOFFSETFROM") {
      observance?.offsetFrom = offset(value)
      if observance?.offsetFrom == nil { return .invalidZoneOffset(value.excerpt) }
    } else if name.isName("TZOFFSETTO") {
      observance?.offsetTo = offset(value)
      if observance?.offsetTo == nil { return .invalidZoneOffset(value.excerpt) }
    } else if name.isName("TZNAME") {
      observance?.name = PropertyValue.text(value)
    } else if name.isName("RRULE") {
      do throws(RuleError) {
        let text = try RuleText(bytes: value)
        observance?.rules.append(text.rule)
        return text.notes.isEmpty ? nil : .repairedRule(text.notes)
      } catch {
        return .invalidRule(error, "ignored", .warning)
      }
    } else if name.isName("RDATE") {
      var index = 0
      var fault: Finding?
      while index < value.count, dates.count < ZoneDefinition.mostOnsets {
        let end = value.index(of: 0x2C, from: index, to: value.count)
        let one = value.part(index, end).trimmed
        if let time = TimeText(one) {
          dates.append(time.isUTC ? .utc(time.civil) : .floating(time.civil))
        } else if !one.isEmpty {
          fault = .invalidZoneDate(one.excerpt)
        }
        index = end + 1
      }
      return fault
    }
    return nil
  }

  /// `+0530`, `-0330`, `+053028`, in seconds; `nil` for anything else.
  private static func offset(_ value: Bytes) -> Int? {
    guard value.count == 5 || value.count == 7, value[0] == 0x2B || value[0] == 0x2D,
      value.part(1, value.count).allSatisfy(\.isDigit)
    else { return nil }
    func number(_ index: Int) -> Int {
      index < value.count ? Int(value[index] &- 0x30) * 10 + Int(value[index + 1] &- 0x30) : 0
    }
    guard number(3) < 60, number(5) < 60 else { return nil }
    let seconds = number(1) * 3600 + number(3) * 60 + number(5)
    return value[0] == 0x2D ? -seconds : seconds
  }

  /// The TZID of a VTIMEZONE, without reading the rest of it.
  static func identifier(_ component: OtherComponent, of bytes: Bytes) -> String? {
    var cursor = LineCursor(
      bytes, from: component.range.lowerBound, to: component.range.upperBound, line: component.line)
    _ = cursor.next()
    let room = UnfoldingBuffer()
    while let line = cursor.next() {
      let (name, nameEnd) = room.name(of: line, in: bytes)
      if name == .begin { return nil }
      let slot = PropertySlot(line: line, nameEnd: nameEnd)
      if room.view(slot, of: bytes).name.isName("TZID") {
        return room.text(slot, of: bytes).trimmed
      }
    }
    return nil
  }
}
