internal import AgendaStore
internal import CivilTime
internal import ICalendar
internal import Recurrence

extension ComponentChanges {
  /// The coming alarms with a fixed time (`TRIGGER;VALUE=DATE-TIME`) of the components that get
  /// another start. Phones leave these alarms where they are too.
  func fixedAlarms(of members: [SeriesEditor.Member], after now: Instant) -> [Instant] {
    var alarms: Set<Instant> = []
    func add(_ text: ComponentText, unless old: [UInt8]?) {
      guard let start = text.startLine?.value, start != old else { return }
      alarms.formUnion(text.fixedAlarms.filter { $0 >= now })
    }
    for (number, bytes) in replaced where !bytes.isEmpty {
      let old = members.first { $0.number == number }?.text.startLine
      add(ComponentText(bytes), unless: old?.value)
    }
    for text in added.map({ ComponentText($0) }) {
      add(text, unless: text.own("RECURRENCE-ID").first.map { PropertyLine($0.content).value })
    }
    return alarms.sorted()
  }
}

extension ComponentText {
  fileprivate var fixedAlarms: [Instant] {
    lines.compactMap { line in
      guard line.depth == 2, line.isProperty("TRIGGER") else { return nil }
      let value = String(decoding: PropertyLine(line.content).value, as: UTF8.self)
      guard case .utc(let civil) = TimeLine.time(value, zone: nil) else { return nil }
      return Instant(utc: civil)
    }
  }
}
