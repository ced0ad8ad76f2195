extension SeriesAssembly {
  /// An assembly without messages. `content` says what a component says; it is called only for
  /// components with equal versions, or with the same UID, start and title.
  package init(_ events: [Event], content: (Event) -> EventContent) {
    self = withoutActuallyEscaping(content) { content in
      var budget = WorkBudget()
      return SeriesAssembly(events, reading: ContentReading(content: content), budget: &budget)
    }
  }
}

private struct ContentReading: ComponentReading {
  let content: (Event) -> EventContent

  func content(of event: Event) -> EventContent { content(event) }
  func fileName(of component: EventReference) -> String { "" }
  func attendees(of component: EventReference) -> [Attendee] { [] }
  func size(of component: EventReference) -> Int { 0 }
  func copiedSize(of component: EventReference) -> Int { 0 }
}
