internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions

extension AgendaCommand {
  static let resolve = AgendaCommand(
    Command(
      "resolve", summary: "settle changes that a server has in another version",
      discussion: [
        "If you and somebody else changed the same property of an event on a CalDAV server, agenda shows the server's version. It keeps yours, too. Without REF, agenda lists these events with the properties that differ.",
        "--mine puts your version in place of the server's at the next refresh, --theirs drops it, and --editor opens both. agenda undo opens the question again.",
      ],
      operands: [
        Operand(
          Value("REF"), help: "an event of the list: its id, its UID or words of its title",
          isOptional: true, isRepeatable: true)
      ],
      options: [
        Options.mine, Options.theirs, Options.editor, Options.reportFormat, Options.quiet,
        Options.send, Options.store,
      ] + Options.momentOptions,
      examples: [
        Command.Example("agenda resolve", "list what differs"),
        Command.Example("agenda resolve lunch --mine", "keep your version of an event"),
      ], group: "Store"),
    arguments: ResolveArguments.init
  ) { arguments, run in
    let store = try run.existingStore(arguments.store, for: arguments.viewer)
    let listed = try store.conflicts().map { ListedConflict($0, zone: arguments.viewer.zone) }
    guard let words = arguments.words else {
      return try run.write { sink in
        ConflictListing(conflicts: listed, isJSON: arguments.isJSON).write(to: &sink)
      }
    }
    let conflict = try listed.one(named: words)
    var choice = arguments.choice
    if choice == nil {
      guard let edited = try run.editText(of: conflict.conflict, store) else {
        let title = SafeText.line(conflict.conflict.title)
        return try run.environment.print("nothing to change in \(title)\n")
      }
      choice = .text(edited)
    }
    guard let choice else { return }
    var title = ""
    let written = try run.writing {
      try store.write {
        title = SafeText.line(try $0.title(of: conflict.conflict, after: choice))
        return try $0.resolve(conflict.conflict, choice)
      }
    }
    if !arguments.isQuiet {
      try run.environment.print(
        arguments.isTheirs
          ? "settled \(title): the server's version stays\n"
          : "settled \(title): your version is kept\n")
    }
    try run.send(
      changesOf: written.serverCalendars, store, now: arguments.sends, isQuiet: arguments.isQuiet)
  }
}

private struct ResolveArguments {
  let viewer: Viewer
  let store: StoreArgument
  /// What names an event; `nil` for the list.
  let words: String?
  /// `nil` for the editor.
  let choice: ServerConflict.Choice?
  let isTheirs: Bool
  let isJSON: Bool
  let isQuiet: Bool
  let sends: Bool

  init(_ invocation: Invocation) throws(CommandError) {
    let line = invocation.line
    viewer = try Viewer(invocation)
    store = try StoreArgument(invocation)
    words = line.operands.isEmpty ? nil : line.operands.joined(separator: " ")
    let chosen = [Options.mine, Options.theirs, Options.editor].filter(line.has)
    guard chosen.count < 2 else {
      throw .wrongUsage("--mine, --theirs and --editor cannot be used together")
    }
    if words == nil, let option = chosen.first {
      throw .wrongUsage("\(option.spelling): expected REF; agenda resolve lists the events")
    }
    if words != nil, chosen.isEmpty {
      throw .wrongUsage("expected one of --mine, --theirs and --editor")
    }
    isTheirs = line.has(Options.theirs)
    choice = line.has(Options.mine) ? .mine : isTheirs ? .theirs : nil
    isJSON = line.value(of: Options.reportFormat) == "json"
    isQuiet = line.has(Options.quiet)
    sends = line.has(Options.send)
  }
}

private struct ListedConflict {
  let conflict: ServerConflict
  /// That of its first occurrence.
  let id: OccurrenceID?

  init(_ conflict: ServerConflict, zone: Zone) {
    self.conflict = conflict
    let events = conflict.theirs.isEmpty ? conflict.mine : conflict.theirs
    id = events.firstOccurrence(zone: zone).map { OccurrenceID(of: $0) }
  }

  func isNamed(_ text: String) -> Bool {
    if id?.description == text.lowercased() || conflict.uid == text { return true }
    let title = conflict.title.lowercased()
    return text.lowercased().split(separator: " ").allSatisfy { title.contains($0) }
  }
}

extension [ListedConflict] {
  fileprivate func one(named text: String) throws(CommandError) -> ListedConflict {
    let found = filter { $0.isNamed(text) }
    guard let first = found.first else {
      throw .failed("\(text): no event of agenda resolve has this id or UID, or these words")
    }
    guard found.count == 1 else {
      let ids = found.map { "\($0.id?.description ?? $0.conflict.uid) \($0.conflict.title)" }
      throw .wrongUsage("\(text): several events match: \(ids.joined(separator: ", "))")
    }
    return first
  }
}

private struct ConflictListing {
  let conflicts: [ListedConflict]
  let isJSON: Bool

  func write(to sink: inout ByteSink) {
    if isJSON { list.write(conflicts, as: .json, to: &sink) } else { writeText(to: &sink) }
  }

  private func writeText(to sink: inout ByteSink) {
    if conflicts.isEmpty {
      sink.write("nothing to settle. Run agenda refresh to receive changes.\n")
    }
    for listed in conflicts {
      let conflict = listed.conflict
      let id = listed.id?.description ?? conflict.uid
      sink.write(SafeText.line("\(id) \(conflict.title) · \(conflict.calendar)") + "\n")
      if conflict.mine.isEmpty || conflict.theirs.isEmpty {
        sink.write(
          conflict.mine.isEmpty
            ? "  you removed it, and it was changed on the server; choose --mine or --theirs\n"
            : "  it was removed on the server, and you changed it; choose --mine or --theirs\n")
        continue
      }
      for property in conflict.properties {
        let (mine, theirs) = (property.mine ?? "(none)", property.theirs ?? "(none)")
        let name = SafeText.line(property.name)
        let indent = String(repeating: " ", count: name.utf8.count + 4)
        sink.write("  \(name): mine   \(SafeText.line(mine))\n")
        sink.write("\(indent)theirs \(SafeText.line(theirs))\n")
      }
    }
  }

  private var list: ListFormat<ListedConflict> {
    ListFormat(
      name: "conflicts",
      fields: [
        .init("id") { $0.id.map(FieldValue.id) ?? .none },
        .init("uid") { FieldValue($0.conflict.uid) },
        .init("calendar") { FieldValue($0.conflict.calendar) },
        .init("title") { FieldValue($0.conflict.title) },
        .init(properties) { $0.conflict.properties },
      ])
  }

  private var properties: ListFormat<ServerConflict.Property> {
    ListFormat(
      name: "properties",
      fields: [
        .init("name") { .text($0.name) },
        .init("mine") { FieldValue($0.mine) },
        .init("theirs") { FieldValue($0.theirs) },
      ])
  }
}

extension CommandRun {
  /// Opens both versions in the editor; `nil` if the text was saved without a change.
  fileprivate func editText(
    of conflict: ServerConflict, _ store: CalendarStore
  ) throws -> String? {
    let original = try store.write { try $0.editableText(of: conflict) }
    let editor = try TextEditor(environment)
    let text = """
      # These lines are your version. Comments show what the server has in their place.
      # What you save takes the place of the server's version.
      \(original)
      """
    let edited = try editor.edit(text)
    editor.discard()
    return edited == text ? nil : edited
  }
}
