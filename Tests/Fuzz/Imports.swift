// Modules: SystemLibrary Platform CivilTime Recurrence Phrases AgendaCore ICalendar AgendaReader AgendaStore AgendaRendering AgendaPictures FetchProtocol AgendaSources AgendaKit
// Shared: Scratch
// Seeds: Fixtures/quirks Fixtures/fuzz/CalendarReader
internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime
internal import Platform

/// Two imports of one file with any bytes, and an undo: the store shows what the file shows, and after
/// the undo what it showed before.
private let zones = ZoneDatabase.system(TZDIR: nil)
private let now = Instant(secondsSinceEpoch: 1_795_251_600)
private let folder = Scratch.folder

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzImports(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard let zone = zones.zone(named: "Europe/Berlin") else { fatalError("no zones") }
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  // The second file begins after the first byte 1.
  let cut = input.firstIndex(of: 1) ?? input.count
  let store = folder + "/agenda.sqlite"
  for suffix in ["", "-wal", "-shm", "-journal"] { Scratch.remove(store + suffix) }
  var configuration = CalendarStore.Configuration(at: store, zone: { zone }, clock: { now })
  configuration.zones = zones
  let calendars = CalendarStore(configuration)
  var before: [String] = []
  for (number, text) in [input[..<cut], input[min(cut + 1, input.count)...]].enumerated() {
    let path = folder + "/home.ics"
    Scratch.write(Array(text), to: path)
    let isStored = imported(path, into: calendars, isSecond: number == 1)
    guard let after = listing(calendars, zone) else { fatalError("the store cannot be read") }
    guard isStored else {
      if after != before { fatalError("an import that failed changed the agenda") }
      continue
    }
    guard let file = try? Calendars(contentsOf: [path], zones: zones) else {
      fatalError("the store takes a file that cannot be shown")
    }
    if listing(file, zone) != after { fatalError("the store shows something else than its file") }
    if number == 1 {
      guard let steps = try? calendars.undoSteps(atMost: 9) else {
        fatalError("undo knows nothing")
      }
      if steps.count > 1 {
        do { try calendars.write { _ = try $0.undo() } } catch {
          fatalError("undo fails: \(error)")
        }
        if listing(calendars, zone) != before { fatalError("undo leads elsewhere") }
      }
    } else {
      before = after
    }
  }
  guard let isEmpty = try? calendars.isEmpty else { fatalError("the store cannot be read") }
  if !isEmpty, (try? calendars.problems()) != [] { fatalError("doctor finds something") }
  return 0
}

private func imported(_ path: String, into store: CalendarStore, isSecond: Bool) -> Bool {
  do {
    return try store.write { writer in
      var options = StoreWriter.ImportOptions()
      options.calendar = "home"
      options.allowsShrinking = isSecond
      return try writer.importSources([path], options).allSatisfy { $0.error == nil }
    }
  } catch {
    return false
  }
}

private func listing(_ store: CalendarStore, _ zone: Zone) -> [String]? {
  guard let isEmpty = try? store.isEmpty else { return nil }
  if isEmpty { return [] }
  return try? store.read { listing($0, zone) ?? ["unreadable"] }
}

/// What is printed of the days around the present.
private func listing(_ calendars: Calendars, _ zone: Zone) -> [String]? {
  guard let first = CivilDate(year: 2026, month: 1, day: 1) else { return nil }
  let window = DateWindow.window(.years(2), from: first, in: zone)
  var selection = Selection()
  selection.includesTasks = true
  selection.includesCancelled = true
  return try? calendars.occurrences(in: window, of: selection).map { occurrence in
    let event = occurrence.event
    return "\(event.uid) \(event.title) \(occurrence.begin) \(occurrence.finish) \(event.status)"
  }
}
