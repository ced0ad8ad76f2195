/// How an assembly reads more of a component than its event has. The caller has all texts in memory.
package protocol ComponentReading {
  /// What a component says. It is read only for components with equal versions, or with the same UID,
  /// start and title.
  func content(of event: Event) -> EventContent
  /// The name of the file that a component is in, without its folders. It is asked for only for
  /// overrides with equal versions in several sources.
  func fileName(of component: EventReference) -> String
  /// The attendees of a component, in the order of its text. They are read only for a reply and for
  /// the events that it answers.
  func attendees(of component: EventReference) -> [Attendee]
  /// The size of its text in bytes.
  func size(of component: EventReference) -> Int
  /// The size of what a cancelled occurrence takes from its series, in bytes.
  func copiedSize(of component: EventReference) -> Int
}
