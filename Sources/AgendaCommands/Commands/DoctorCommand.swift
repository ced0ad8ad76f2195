internal import AgendaCore
internal import AgendaKit
internal import AgendaPictures
internal import AgendaReader
internal import AgendaRendering
internal import AgendaStore
internal import CivilTime
internal import CommandLineOptions
internal import Platform

extension AgendaCommand {
  static let doctor = AgendaCommand(
    Command(
      "doctor", summary: "print versions and check the time zone data and the store",
      discussion: [
        "It also tries to write to the store, without changing its content. The exit status is 1 if it finds a problem."
      ],
      options: [Options.reportFormat, Options.store] + Options.momentOptions, group: "About agenda"),
    arguments: DoctorArguments.init
  ) { arguments, run in
    let viewer = arguments.viewer
    var facts: [(name: String, value: String)] = [
      ("agenda", agendaVersion),
      ("time zone data", viewer.database.version ?? "unknown version"),
      ("zone folder", viewer.database.folder),
      ("zone", viewer.zone.name),
      ("libical", CalendarReader.libicalVersion),
      ("locale", arguments.presentation.wording.locale.identifier),
      ("configuration", run.environment.configurationPath ?? "none"),
      ("store", try arguments.store.path),
    ]
    var problems: [String] = []
    if viewer.database.zone(named: "Europe/Berlin") == nil {
      problems.append("no time zone rules in \(viewer.database.folder); install tzdata")
    }
    let thumbnails = ThumbnailMaker(run.environment.pictureDecoder).whyNot()
    facts.append(("thumbnails", thumbnails.map { "unavailable: \($0)" } ?? "made by libgd"))
    do {
      let store = CalendarStore(at: try arguments.store.path, zones: viewer.database)
      if let (health, pending) = try store.health() {
        facts += [
          ("SQLite", health.sqliteVersion), ("store version", String(health.schemaVersion)),
          ("bytes", "\(health.bytes) (\(health.freeBytes) free)"),
          ("components", "\(health.components) (and \(health.removedComponents) kept for undo)"),
          ("imports kept", String(health.generations)),
          ("thumbnails pending", String(pending)),
          ("permissions", String(health.filePermissions, radix: 8)),
        ]
        problems += health.problems
      } else {
        facts.append(("imports", "none yet; run agenda import FILE"))
      }
      try store.tryWriting()
    } catch {
      problems.append("\(error)")
    }
    if !problems.isEmpty { run.messages.noteRejection() }
    try run.write { sink in
      if arguments.isJSON {
        sink.beginObject()
        sink.field("version", 1)
        sink.key("facts")
        sink.beginObject()
        for fact in facts { sink.field(fact.name, fact.value) }
        sink.endObject()
        sink.array("problems", problems) { $0.write(json: $1) }
        sink.endObject()
        sink.write("\n")
        return
      }
      let column = (facts.map(\.name.count).max() ?? 0) + 2
      for fact in facts {
        let blank = String(repeating: " ", count: column - fact.name.count)
        sink.write(fact.name + blank + SafeText.line(fact.value) + "\n")
      }
      for problem in problems { sink.write("problem: " + SafeText.line(problem) + "\n") }
      if problems.isEmpty { sink.write("no problems found\n") }
    }
  }
}

private struct DoctorArguments {
  let viewer: Viewer
  let presentation: Presentation
  let store: StoreArgument
  let isJSON: Bool

  init(_ invocation: Invocation) throws(CommandError) {
    viewer = try Viewer(invocation)
    presentation = try Presentation(invocation)
    store = try StoreArgument(invocation)
    isJSON = invocation.line.value(of: Options.reportFormat) == "json"
  }
}
