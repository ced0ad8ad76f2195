internal import AgendaCore
internal import AgendaRendering
internal import AgendaStore
internal import CommandLineOptions

extension AgendaCommand {
  static let `import` = AgendaCommand(
    Command(
      "import", summary: "read sources into the store",
      discussion: [
        "A source is a snapshot: importing it again makes the store equal to it. What did not change is not written, and a source that comes back empty or with less than half of what it had takes nothing away unless --allow-shrink is given.",
        "Each import is one transaction: killed at any moment, the store is as it was before or as it is after.",
      ],
      operands: [
        Operand(Operand.sources.value, help: Operand.sources.help, isRepeatable: true)
      ],
      options: [
        Options.intoCalendar, Options.dryRun, Options.strict, Options.allowShrink, Options.quiet,
        Options.reportFormat, Options.encoding, Options.store, Options.now,
      ],
      examples: [
        Command.Example("agenda import ~/calendars/work.ics", "one calendar"),
        Command.Example(
          "curl -sf https://example.com/b.ics | agenda import --calendar birthdays -",
          "from the network, without the address in the store"),
      ], group: "Store"),
    isPaged: false
  ) { invocation in
    let line = invocation.line
    let addresses = line.operands.map(SourceAddress.init)
    if line.has(Options.intoCalendar), line.value(of: Options.intoCalendar)?.isEmpty ?? true {
      throw CommandError.wrongUsage("--calendar: a name is missing")
    }
    var importer = try SourceImporter(invocation)
    for address in addresses {
      importer.run(address, calendar: line.value(of: Options.intoCalendar))
    }
    try importer.tell()
  }

  static let refresh = AgendaCommand(
    Command(
      "refresh", summary: "import again every source that the store knows",
      operands: [
        Operand(
          Value("CALENDAR", .listed("calendars")), help: "only the sources of this calendar",
          isOptional: true, isRepeatable: true)
      ],
      options: [
        Options.dryRun, Options.strict, Options.allowShrink, Options.quiet, Options.reportFormat,
        Options.store, Options.now,
      ],
      examples: [Command.Example("agenda refresh --quiet", "from cron")], group: "Store"),
    isPaged: false
  ) { invocation in
    _ = try invocation.filledStore(.system(TZDIR: invocation.environment.filled("TZDIR")))
    var importer = try SourceImporter(invocation)
    let all = importer.calendars
    let wanted = invocation.line.operands
    for name in wanted where !all.contains(where: { $0.name == name }) {
      throw CommandError.failed("there is no calendar \"\(name)\" in the store")
    }
    for calendar in all where wanted.isEmpty || wanted.contains(calendar.name) {
      for source in calendar.sources { importer.refresh(source.source) }
    }
    try importer.tell()
  }
}
