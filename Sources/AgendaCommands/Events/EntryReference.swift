internal import AgendaCore
internal import CommandLineOptions

/// What a user calls an entry: its id, its place in the listing that the same options give, or the
/// UID of its event.
enum EntryReference {
  case id(OccurrenceID)
  case place(IndexPath)
  case uid(String)

  init(_ text: String) throws(CommandError) {
    if let path = IndexPath(text) {
      self = .place(path)
    } else if let id = OccurrenceID(text) {
      self = .id(id)
    } else if text.contains(where: { $0 == "@" || $0 == "-" }) || text.utf8.count > 12 {
      self = .uid(text)
    } else {
      throw .wrongUsage(
        "REF: \"\(text)\" is neither an id such as 3f9a2c71 nor a place such as 3.2")
    }
  }
}

extension Operand {
  /// `REF`
  static let reference = Operand(
    Value("REF"),
    help: "an entry: its id, or its place such as 3.2 in the listing of the same options")
}

/// The entry that a reference means, with the agenda it was found in.
struct FoundEntry {
  let entry: Entry
  let path: IndexPath
  let agenda: Agenda
  let events: any EventProvider
}

extension Invocation {
  /// Finds the entry in the window that the options give. One that is named by its id or UID is then
  /// looked for in the years around it, whatever hides it from the listing.
  func entry(
    _ reference: EntryReference, _ request: AgendaRequest, sources: [String]
  ) throws -> FoundEntry {
    if case .place(let path) = reference {
      let found = try agenda(request, sources: sources)
      guard let entry = found.agenda[path] else {
        throw CommandError.failed(
          "no entry \(path): the listing has \(found.agenda.entryCount) entries in "
            + "\(found.agenda.sections.count) sections")
      }
      return FoundEntry(entry: entry, path: path, agenda: found.agenda, events: found.events)
    }
    var wide = request
    wide.selection = Selection(includesCancelled: true, includesTasks: true)
    wide.grouping.limit = nil
    wide.grouping.once = false
    for window in [request.window] + request.widerWindows {
      wide.window = window
      let found = try agenda(wide, sources: sources)
      let path: IndexPath? =
        switch reference {
        case .place: nil
        case .id(let id): found.agenda.indexPaths(of: id).first
        case .uid(let uid): found.agenda.path(ofUID: uid)
        }
      if let path, let entry = found.agenda[path] {
        return FoundEntry(entry: entry, path: path, agenda: found.agenda, events: found.events)
      }
      if line.hasWindow { break }
    }
    throw CommandError.failed(
      "no such entry"
        + (line.hasWindow
          ? " in this window" : " in \(wide.window.firstDay) to \(wide.window.dayAfterLast)")
        + ": --from and --to say where to look")
  }
}

extension Agenda {
  fileprivate func path(ofUID uid: String) -> IndexPath? {
    for section in sections {
      if let place = section.entries.firstIndex(where: { $0.occurrence.event.identity.uid == uid })
      {
        return IndexPath(section: section.index, entry: place)
      }
    }
    return nil
  }
}
