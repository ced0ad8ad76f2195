internal import AgendaCore
internal import AgendaReader
internal import AgendaStore
internal import CivilTime
internal import ICalendar
internal import Recurrence

/// An RDATE or EXDATE line with its values.
struct DateList {
  private var line: PropertyLine
  /// The text and the meaning of each value; a period counts by its start.
  private(set) var values: [(text: String, time: EventTime)] = []
  private let startLine: PropertyLine?

  /// `startLine` is the line of the series' start.
  init(
    _ content: [UInt8], of series: Event, startLine: PropertyLine?, zones: ZoneDatabase
  ) throws(WritingError) {
    line = PropertyLine(content)
    self.startLine = startLine
    let start = series.start
    let zone: Zone? =
      if let name = line["TZID"] {
        name == startLine?["TZID"] && start?.isDate == false
          ? start?.zone : ZoneNames(database: zones).resolution(of: name).zone
      } else if let startLine, startLine["TZID"] == nil, case .zoned(_, let zone) = start {
        // The zone of X-WR-TIMEZONE.
        zone
      } else {
        nil
      }
    let texts = String(decoding: line.value, as: UTF8.self).split { $0 == "," || $0 == ";" }
    for text in texts where !text.allSatisfy(\.isWhitespace) {
      let first = text.split(separator: "/").first.map(String.init) ?? ""
      guard let time = TimeLine.time(first, zone: zone) else {
        throw SeriesEditor.damaged(line.name)
      }
      values.append((String(text), start?.isDate == true ? series.onOwnClock(time) : time))
    }
  }

  /// The line with only some of its values; `nil` without values.
  func filtered(_ isKept: (EventTime) -> Bool) -> PropertyLine? {
    let kept = values.filter { isKept($0.time) }
    guard !kept.isEmpty else { return nil }
    if kept.count == values.count { return line }
    var result = line
    result.value = Array(kept.map(\.text).joined(separator: ",").utf8)
    return result
  }

  /// The line with all of its values moved. It keeps its zone unless the series changes between
  /// dates, floating times and times in a zone. Whole days have the form of DTSTART.
  func moved(_ shift: TimeShift) throws(WritingError) -> PropertyLine {
    var result = line
    if shift.to.isDate, values.allSatisfy({ !$0.text.contains("/") }) {
      let moved = values.compactMap { shift.moved($0.time) }
      let line = TimeLine.line(line.name, moved, like: (startLine, shift.from))
      guard let line, moved.count == values.count else {
        throw .invalid(because: .timeOutOfRange)
      }
      for parameter in ["VALUE", "TZID"] { result[parameter] = line[parameter] }
      result.value = line.value
      return result
    }
    var texts: [String] = []
    var isDate = shift.to.isDate
    for (text, time) in values {
      guard var moved = shift.moved(time) else {
        throw .invalid(because: .timeOutOfRange)
      }
      if !shift.changesForm { moved = moved.converted(like: time, viewer: shift.viewer) }
      isDate = moved.isDate
      var value = TimeLine.value(moved)
      if let slash = text.firstIndex(of: "/") {
        let end = text[text.index(after: slash)...]
        guard end.first?.uppercased() == "P" else {
          throw .invalid(because: .dateWithEnd)
        }
        value += "/" + end
      }
      texts.append(value)
    }
    let hasPeriods = texts.contains { $0.contains("/") }
    // Some programs write dates without their type.
    if isDate, !hasPeriods { result["VALUE"] = "DATE" }
    if shift.changesForm {
      result["VALUE"] = isDate ? "DATE" : hasPeriods ? "PERIOD" : nil
      if case .zoned(_, let zone) = shift.to, !isDate {
        result["TZID"] = zone.name
      } else {
        result["TZID"] = nil
      }
    }
    result.value = Array(texts.joined(separator: ",").utf8)
    return result
  }
}
