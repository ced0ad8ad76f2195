internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions

extension AgendaCommand {
  static let watch = AgendaCommand(
    Command(
      "watch", summary: "print changes of the store as they happen, one JSON object per line",
      discussion: [
        "The lines have the format of agenda changes --format jsonl. Nothing is printed before the first change. An undo is printed as the changes that it makes.",
        "The command ends with status 0 when it is terminated (SIGTERM). It waits without using processor time, so a status bar need not poll.",
      ],
      options: [Options.calendar, Options.store] + Options.momentOptions,
      examples: [
        Command.Example(
          "agenda watch | while read -r change; do agenda next; done",
          "show the next entry again after each change")
      ], group: "Store"),
    isPaged: false,
    arguments: WatchArguments.init
  ) { arguments, run in
    if let reason = arguments.store.missingReason { run.messages.warn(reason) }
    let store = try run.store(arguments.store, for: arguments.viewer)
    let watch = try store.watch()
    watch.stopOnTermination()
    run.warnOfUnknownCalendars(
      arguments.calendars, inStoreWith: try store.read { try $0.calendarNames() })
    let words = TimeWords(wording: DateWording(.plain), zone: arguments.viewer.zone)
    while let changes = try watch.next() {
      let list = ChangeList(
        changes.events.filter(arguments.selection.admits),
        changes.sources.filter(arguments.selection.admits), .jsonl, words)
      try run.write { list.write(to: &$0) }
    }
  }
}

private struct WatchArguments {
  let viewer: Viewer
  let selection: Selection
  let calendars: [ChosenCalendar]
  let store: StoreArgument

  init(_ invocation: Invocation) throws(CommandError) {
    viewer = try Viewer(invocation)
    calendars = invocation.line.chosenCalendars
    selection = Selection(calendars: calendars.map(\.name))
    store = try StoreArgument(invocation)
  }
}
