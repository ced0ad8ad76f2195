internal import AgendaCore
internal import AgendaStore
internal import ICalendar

/// Files whose different events have the same UID.
extension [SeriesEditor.Member] {
  /// The components of one of these events with its overrides, and versions of events that are not
  /// shown. If the UID has only one event, all components. If the event is missing, none.
  func members(of chosen: AdjustedEvent) -> [SeriesEditor.Member] {
    let texts = Dictionary(
      map { ($0.event.reference.component, $0.text.bytes) }, uniquingKeysWith: { $1 })
    func content(_ event: Event) -> EventContent {
      EventContent(event, text: texts[event.reference.component] ?? [])
    }
    let assembly = SeriesAssembly(map(\.event)) { content($0) }
    guard assembly.series.count(where: { $0.master.identity.recurrenceID == nil }) > 1 else {
      return self
    }
    func find(_ isChosen: (Event) -> Bool) -> [Int] {
      assembly.series.indices.filter { index in
        let series = assembly.series[index]
        return isChosen(series.master) || series.overrides.contains(where: isChosen)
      }
    }
    var found = find { content($0).text == chosen.content }
    if found.isEmpty {
      found = find {
        $0.title == chosen.title
          && $0.start.map(SourceAdjuster.text) ?? "" == chosen.start
      }
    }
    guard found.count == 1 else { return [] }
    var others: Set<Int> = []
    for (index, series) in assembly.series.enumerated() where index != found[0] {
      others.formUnion(([series.master] + series.overrides).map(\.reference.component))
    }
    return filter { !others.contains($0.event.reference.component) }
  }
}

extension EventContent {
  init(_ event: Event, text: [UInt8]) {
    let meaning = ComponentMeaning(text)
    self.init(event, meaning: meaning.all, lasting: meaning.lasting, text: meaning.text)
  }
}
