internal import AgendaReader
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
    for (id, bytes) in replaced where !bytes.isEmpty {
      let old = members.first { $0.id == id }?.text.startLine
      add(ComponentText(bytes), unless: old?.value)
    }
    for text in added.map({ ComponentText($0) }) {
      add(text, unless: text.own("RECURRENCE-ID").first.map { PropertyLine($0.content).value })
    }
    if movesNewSeries, let text = newSeries.first { add(ComponentText(text), unless: nil) }
    return alarms.sorted()
  }
}

extension ComponentText {
  /// Whether an alarm of a task counts from its due date: with RELATED=END, or because the task has no
  /// DTSTART (RFC 5545 3.8.6.3).
  var hasAlarmRelativeToDue: Bool {
    lines.contains { line in
      guard line.depth == 2, line.isProperty("TRIGGER") else { return false }
      let trigger = PropertyLine(line.content)
      // A fixed time begins with its year, a length with P or a sign.
      let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
      guard let first = trigger.value.first, !digits.contains(first) else { return false }
      return own("DTSTART").isEmpty || trigger["RELATED"]?.uppercased() == "END"
    }
  }

  fileprivate var fixedAlarms: [Instant] {
    lines.compactMap { line in
      guard line.depth == 2, line.isProperty("TRIGGER") else { return nil }
      let value = String(decoding: PropertyLine(line.content).value, as: UTF8.self)
      guard case .utc(let civil) = TimeLine.time(value, zone: nil) else { return nil }
      return Instant(utc: civil)
    }
  }
}
