internal import AgendaCore
internal import AgendaPictures
internal import AgendaReader
internal import AgendaRendering
internal import AgendaStore
internal import CivilTime
internal import CommandLineOptions

extension AgendaCommand {
  static let doctor = AgendaCommand(
    Command(
      "doctor", summary: "say versions, time zone data, and whether the store is in good health",
      discussion: ["The exit status is 1 where something is wrong."],
      options: [Options.reportFormat, Options.store] + Options.momentOptions, group: "About agenda")
  ) { invocation in
    let viewer = try Viewer(invocation)
    var facts: [(name: String, value: String)] = [
      ("agenda", agendaVersion),
      ("time zone data", viewer.database.version ?? "of unknown version"),
      ("zone folder", viewer.database.folder),
      ("zone", viewer.zone.name),
      ("libical", LibicalUse.isPossible ? "3" : "not installed; nothing is lost without it"),
      ("locale", try Presentation(invocation).wording.locale.identifier),
      ("configuration", invocation.environment.configurationPath ?? "none"),
      ("store", try invocation.storePath()),
    ]
    var problems: [String] = []
    if viewer.database.zone(named: "Europe/Berlin") == nil {
      problems.append("no zone rules in \(viewer.database.folder): install tzdata")
    }
    let thumbnails = ThumbnailMaker(invocation.environment.pictureDecoder).whyNot()
    facts.append(("thumbnails", thumbnails.map { "none: \($0)" } ?? "by libgd"))
    do {
      if let store = try invocation.openStore(viewer) {
        let health = try store.health()
        facts += [
          ("SQLite", health.sqliteVersion), ("store version", String(health.schemaVersion)),
          ("bytes", "\(health.bytes), \(health.freeBytes) of them free"),
          ("components", "\(health.components), and \(health.removedComponents) kept for undo"),
          ("imports kept", String(health.generations)),
          ("thumbnails awaited", String(try store.awaitedThumbnailCount())),
          ("permissions", String(health.filePermissions, radix: 8)),
        ]
        problems += health.problems
      } else {
        facts.append(("imports", "none yet: agenda import SOURCE"))
      }
    } catch {
      problems.append("\(error)")
    }
    if !problems.isEmpty { invocation.messages.noteRejection() }
    try invocation.write { sink in
      if invocation.line.value(of: Options.reportFormat) == "json" {
        sink.write("{\"version\":1,\"facts\":{")
        for (index, fact) in facts.enumerated() {
          if index > 0 { sink.write(",") }
          sink.write(json: fact.name)
          sink.write(":")
          sink.write(json: fact.value)
        }
        sink.write("},\"problems\":")
        sink.write(jsonArray: problems) { sink, problem in sink.write(json: problem) }
        sink.write("}\n")
        return
      }
      let column = (facts.map(\.name.count).max() ?? 0) + 2
      for fact in facts {
        let blank = String(repeating: " ", count: column - fact.name.count)
        sink.write(fact.name + blank + SafeText.line(fact.value) + "\n")
      }
      for problem in problems { sink.write("problem: " + SafeText.line(problem) + "\n") }
      if problems.isEmpty { sink.write("all is well\n") }
    }
  }
}
