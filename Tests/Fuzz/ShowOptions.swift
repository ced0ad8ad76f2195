// Modules: SystemLibrary Platform CivilTime Recurrence Phrases AgendaCore ICalendar AgendaReader AgendaStore AgendaRendering AgendaPictures FetchProtocol AgendaSources AgendaKit AgendaBrowser CommandLineOptions AgendaCommands
// Shared: Scratch
internal import AgendaCommands
internal import CivilTime
internal import Platform

/// Values of options of `agenda show` from any bytes: conditions, templates, dates, zones, names. Each is
/// refused with exit status 2 and a message, or taken.
private let folder = Scratch.folder
private let file: String = {
  let path = folder + "/home.ics"
  let text = """
    BEGIN:VCALENDAR
    BEGIN:VEVENT
    UID:a
    DTSTART:20261121T080000Z
    DTEND:20261121T083000Z
    RRULE:FREQ=DAILY;COUNT=9
    SUMMARY:Breakfast 東京
    LOCATION:Room 2\\, first floor
    CATEGORIES:food,home
    ATTENDEE;CN="Ana";PARTSTAT=DECLINED:mailto:ana@example.com
    END:VEVENT
    BEGIN:VEVENT
    UID:b
    DTSTART;VALUE=DATE:20261124
    SUMMARY:Market day
    END:VEVENT
    END:VCALENDAR

    """
  Scratch.write(Array(text.utf8), to: path)
  return path
}()
/// None of these reads or writes a file, or waits.
private let options = [
  "--where", "--template", "--from", "--to", "--days", "--weeks", "--months", "--years",
  "--timezone", "--also", "--locale", "--group-by", "--format", "--search", "--calendar",
  "--not-calendar", "--not-declined", "--limit", "--mail", "--subject", "--now", "--color",
  "--where", "--template",
]

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzShowOptions(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  var arguments = ["show", file]
  // Several options, each with its number in the first byte.
  for part in input.split(separator: 0x0A).prefix(4) {
    guard let first = part.first, !part.contains(0) else { return 0 }
    arguments.append(
      options[Int(first) % options.count] + "=" + String(decoding: part.dropFirst(), as: UTF8.self))
  }
  var (output, errors) = ([UInt8](), [UInt8]())
  let environment = Environment(
    arguments: arguments,
    variable: { ["TZ": "Europe/Berlin", "LC_ALL": "en_GB.UTF-8"][$0] },
    clock: { Instant(secondsSinceEpoch: 1_795_251_600) }, outputColumns: { nil },
    errorIsTerminal: { false },
    writeOutput: {
      output += $0
      return nil
    },
    writeError: {
      errors += $0
      return nil
    })
  let status = AgendaProgram(environment: environment).run().rawValue
  precondition((0...2).contains(status), "exit status \(status)")
  precondition(status != 2 || (output.isEmpty && !errors.isEmpty))
  return 0
}
