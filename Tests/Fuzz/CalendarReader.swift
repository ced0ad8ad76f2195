// Modules: SystemLibrary Platform CivilTime Recurrence AgendaCore ICalendar AgendaReader
// Seeds: Fixtures/quirks Fixtures/broken Fixtures/fuzz/CalendarReader
internal import AgendaCore
internal import AgendaReader
internal import CivilTime

/// A whole file through the reader: first pass, every event, every detail, every attachment.
private let zones = ZoneDatabase.system(TZDIR: nil)

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCalendarReader(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let source = SourceBytes(UnsafeBufferPointer(start: bytes, count: count))
  var options = CalendarReader.Options()
  // Both ways in one run: the second must give what the first gave.
  options.threads = 1
  guard let file = try? CalendarReader(zones: zones, options: options).read(source, name: "fuzz")
  else { return 0 }
  precondition(file.acceptedCount + file.rejectedCount == file.componentCount)
  precondition(file.acceptedCount >= 0)
  let events = file.allEvents
  precondition(events.count == file.eventCount)
  for event in events {
    let details = file.details(of: event.reference)
    _ = file.withComponent(event.reference.component) { ComponentLines($0).all.count }
    for attachment in details.attachments {
      _ = file.attachmentBytes(of: event.reference, number: attachment.number)
    }
  }
  let findings = file.findings + file.detailFindings()
  precondition(file.excerpts(of: findings).count == findings.count)
  let year = Instant(secondsSinceEpoch: 1_795_219_200)..<Instant(secondsSinceEpoch: 1_826_755_200)
  precondition(file.events(touching: year).count <= events.count)
  // Two parts are one thread more; that more of them make no difference is for the tests.
  options.threads = 2
  options.smallestPart = 1
  guard let parts = try? CalendarReader(zones: zones, options: options).read(source, name: "fuzz")
  else { fatalError("read as a whole, not in parts") }
  precondition(parts.findings == file.findings)
  precondition(parts.componentCount == file.componentCount)
  precondition(parts.eventCount == file.eventCount)
  return 0
}
