internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CommandLineOptions

extension AgendaCommand {
  static let doctor = AgendaCommand(
    Command(
      "doctor", summary: "print versions and check the time zone data and the store",
      discussion: [
        "It also tries to write to the store, without changing its content. The exit status is 1 if it finds a problem. What is wrong with the configuration file is a problem, too; doctor then works without it.",
        "What the store derives from the text of its calendars can be made again: --rebuild does it. The calendars, and what undo can take back, stay as they are.",
      ],
      options: [Options.rebuild, Options.reportFormat, Options.locale, Options.store]
        + Options.momentOptions,
      examples: [
        Command.Example("agenda doctor", "check the store and the time zone data"),
        Command.Example("agenda doctor --rebuild", "make the index of the store again"),
      ], group: "About agenda"),
    reportsConfiguration: true,
    arguments: DoctorArguments.init
  ) { arguments, run in
    let viewer = arguments.viewer
    let path = try arguments.store.path
    let store = try run.store(arguments.store, for: viewer)
    if arguments.rebuilds { try store.write { try $0.rebuildIndex() } }
    let diagnosis = store.diagnosis()
    var facts: [(name: String, value: String)] = [
      ("agenda", diagnosis.agendaVersion),
      ("time zone data", diagnosis.zonesVersion ?? "unknown version"),
      ("zone folder", diagnosis.zonesFolder),
      ("zone", viewer.zone.name),
      ("libical", diagnosis.libicalVersion),
      ("locale", arguments.presentation.wording.locale.identifier),
      ("configuration", run.environment.configurationPath ?? "none"),
      ("store", path),
      ("thumbnails", diagnosis.thumbnailProblem.map { "unavailable: \($0)" } ?? "made by libgd"),
    ]
    if let health = diagnosis.store {
      facts += [
        ("SQLite", health.sqliteVersion), ("store version", String(health.schemaVersion)),
        ("bytes", "\(health.bytes) (\(health.freeBytes) free)"),
        ("components", "\(health.components) (and \(health.removedComponents) kept for undo)"),
        ("imports kept", String(health.generations)),
        ("thumbnails pending", String(health.pendingThumbnails)),
        ("permissions", String(health.filePermissions, radix: 8)),
      ]
    } else if (try? store.isEmpty) == true {
      let isMissing = arguments.store.missingReason != nil
      facts.append(
        (
          "imports",
          isMissing
            ? "none, because this store does not exist; run agenda import FILE"
            : "none yet; run agenda import FILE"
        ))
    }
    let problems =
      [arguments.configurationProblem].compactMap(\.self)
      + diagnosis.found.map { ErrorWording.text(of: $0) }
    if !problems.isEmpty { run.messages.noteRejection() }
    try run.write { sink in
      if arguments.isJSON {
        // Neither a list nor an entry: an object whose keys are the facts that there are.
        return ListFormat.writeDocument(
          [
            .init(
              "facts",
              object: { facts, sink in
                for fact in facts {
                  sink.key(named: fact.name)
                  sink.write(json: fact.value)
                }
              }),
            .init("problems", values: { _ in problems.map(FieldValue.text) }),
          ], of: facts, to: &sink)
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
  let rebuilds: Bool
  let configurationProblem: String?

  init(_ invocation: Invocation) throws(CommandError) {
    viewer = try Viewer(invocation)
    presentation = try Presentation(invocation)
    store = try StoreArgument(invocation)
    isJSON = invocation.line.value(of: Options.reportFormat) == "json"
    rebuilds = invocation.line.has(Options.rebuild)
    configurationProblem = invocation.configurationProblem
  }
}
