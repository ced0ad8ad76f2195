internal import AgendaCore
internal import AgendaKit
internal import CommandLineOptions

/// The entry that a reference names, and the agenda in which it was found.
struct FoundEntry {
  let entry: Entry
  let agenda: Agenda
  let calendars: Calendars
}

extension FoundEntry {
  /// The whole series of the entry, whatever the window shows of it.
  var series: Series {
    get throws {
      let events = try calendars.series(of: entry.event, zone: agenda.window.zone)
      return Series(events[0], overrides: Array(events.dropFirst()))
    }
  }
}

extension CommandRun {
  /// Finds the entry in the window of the options. An entry that is named by its id or UID is then
  /// searched in the years around the window, even if an option or the configuration hides it.
  ///
  /// Of a store, only the events with the UID of the entry are listed.
  ///
  /// `name` is what messages call the entry, if that is not `reference`.
  func entry(
    _ reference: EntryReference, _ request: AgendaRequest, named name: EntryReference? = nil
  ) throws -> FoundEntry {
    let name = name ?? reference
    if case .place(let path) = reference {
      let found = try agenda(request)
      guard let entry = found.agenda[path] else {
        let (entries, sections) = (found.agenda.entryCount, found.agenda.sections.count)
        throw CommandError.failed(
          "no entry \(path); the list has \(entries) \(entries == 1 ? "entry" : "entries") in "
            + "\(sections) \(sections == 1 ? "section" : "sections")")
      }
      return FoundEntry(entry: entry, agenda: found.agenda, calendars: found.calendars)
    }
    if case .inCalendar(let calendar, let entry) = reference {
      var inCalendar = request
      inCalendar.typedCalendars = [calendar]
      return try self.entry(entry, inCalendar, named: name)
    }
    var wide = request
    wide.selection = Selection(
      calendars: request.typedCalendars, includesCancelled: true,
      includesTasks: true)
    wide.selection.includesJournals = true
    wide.grouping.limit = nil
    wide.grouping.once = false
    for window in [request.window] + request.widerWindows {
      wide.window = window
      let found = try agenda(wide, of: reference)
      let paths =
        switch reference {
        case .place, .inCalendar: [EntryPath]()
        case .id(let id, _): found.agenda.paths(of: id)
        case .uid(let uid): found.agenda.paths(ofUID: uid)
        }
      // UIDs and identifiers are unique only within a calendar.
      let calendars = Set(paths.compactMap { found.agenda[$0]?.occurrence.event.calendar })
      guard calendars.count <= 1 else {
        let names = calendars.sorted()
        let one = "\(names[0])/\(reference)"
        throw CommandError.wrongUsage(
          "\(reference): several calendars have this entry: \(names.joined(separator: ", "));"
            + " choose one, such as \(one.asArgument)")
      }
      let uids = Set(paths.compactMap { found.agenda[$0]?.occurrence.event.identity.uid })
      guard uids.count <= 1 else {
        let names = uids.sorted().map { "\(calendars.first ?? "")/\($0)" }
        throw CommandError.wrongUsage(
          "\(name): several events have this id; choose one by its UID: "
            + names.map(\.asArgument).joined(separator: ", "))
      }
      if let path = paths.first, let entry = found.agenda[path] {
        return FoundEntry(entry: entry, agenda: found.agenda, calendars: found.calendars)
      }
      if request.hasTypedWindow { break }
    }
    if let split = reference.splitAtCalendar {
      return try entry(split, request)
    }
    if let uid = reference.readAsUID {
      return try entry(uid, request, named: name)
    }
    if case .uid(let text) = reference, let found = try entry(titled: text, request) {
      return found
    }
    if name.isUnlikelyUID || "\(name)".contains(" ") {
      throw CommandError.unknownEntry(
        "\(name): no entry has this id or UID, or these words in its title; "
          + "agenda search WORD finds words also in places and descriptions")
    }
    throw CommandError.unknownEntry(
      "\(name): no such entry"
        + (request.hasTypedWindow
          ? " in this window" : " in \(wide.window.firstDay) to \(wide.window.dayAfterLast)")
        + "; a series that moved has new ids: agenda search TITLE --ids lists them; set another "
        + "window with --from and --to")
  }
}

extension CommandRun {
  /// The index path of an entry in the listing of a request; `nil` if that does not list it.
  func path(of found: FoundEntry, in request: AgendaRequest) throws -> EntryPath? {
    let listing = try found.calendars.agenda(of: request, in: request.window)
    let paths = listing.paths(of: found.entry.id).filter {
      listing[$0]?.event.identity == found.entry.event.identity
        && listing[$0]?.calendar == found.entry.calendar
    }
    return paths.first { listing[$0]?.day == found.entry.day } ?? paths.first
  }

  /// The agenda of a request, in which entries other than the one with the reference may be missing.
  private func agenda(
    _ request: AgendaRequest, of reference: EntryReference
  ) throws -> (agenda: Agenda, calendars: Calendars) {
    // Files have been read completely by now.
    guard request.input.usesStore else { return try agenda(request) }
    let calendars = try calendars(of: request.input, for: request.viewer)
    let (window, selection) = (request.window, request.selection)
    let today = request.grouping.today
    let found: [Occurrence]
    switch reference {
    case .place, .inCalendar: return try agenda(request)
    case .id(let id, _):
      found = try calendars.occurrences(withID: id, in: window, of: selection, today: today)
    case .uid(let uid):
      // The store compares bytes, but equal texts can have different ones.
      guard uid.utf8.allSatisfy({ $0 < 0x80 }) else { return try agenda(request) }
      found = try calendars.occurrences(withUID: uid, in: window, of: selection, today: today)
    }
    return (
      Agenda(
        found, of: selection, in: window, options: request.grouping,
        wording: request.presentation.wording, details: calendars.details(of:)),
      calendars
    )
  }
}

extension Agenda {
  fileprivate func paths(ofUID uid: String) -> [EntryPath] {
    sections.flatMap { section in
      section.entries.indices.filter {
        section.entries[$0].occurrence.event.identity.uid == uid
      }.map { EntryPath(section: section.index, entry: $0) }
    }
  }
}
