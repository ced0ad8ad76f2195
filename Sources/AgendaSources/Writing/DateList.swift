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
  private let start: EventTime?
  private let startLine: PropertyLine?

  init(
    _ content: [UInt8], start: EventTime?, startLine: PropertyLine?, zones: ZoneDatabase
  ) throws(WritingError) {
    line = PropertyLine(content)
    self.start = start
    self.startLine = startLine
    let zone: Zone? =
      if let name = line["TZID"] {
        name == startLine?["TZID"]
          ? start?.zone : ZoneNames(database: zones).resolution(of: name).zone
      } else if let startLine, startLine["TZID"] == nil, case .zoned(_, let zone) = start {
        // The zone of X-WR-TIMEZONE.
        zone
      } else {
        nil
      }
    for text in String(decoding: line.value, as: UTF8.self).split(separator: ",") {
      let first = text.split(separator: "/").first.map(String.init) ?? ""
      guard let time = TimeLine.time(first, zone: zone) else {
        throw SeriesEditor.damaged(line.name)
      }
      values.append((String(text), time))
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
  /// dates, floating times and times in a zone.
  func moved(_ shift: TimeShift) throws(WritingError) -> PropertyLine {
    var result = line
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
