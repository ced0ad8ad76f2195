/// How many entries an entry counts as: a long text takes as much time and memory as many entries.
///
/// An entry counts as one, and as one more for each 256 bytes of the texts that a listing shows, in
/// each category that lists it.
struct EntryWeight {
  private static let bytesOfOne = 256
  /// Details are decoded only for an event with more occurrences, unless `alwaysWeighsDetails`.
  private static let fewOccurrences = 64

  private let selection: Selection
  private let details: (EventReference) -> EventDetails
  private var last: (event: ObjectIdentifier, weight: Int)?
  private var occurrencesBefore: Int

  init(
    _ selection: Selection, alwaysWeighsDetails: Bool,
    details: @escaping (EventReference) -> EventDetails
  ) {
    self.selection = selection
    self.details = details
    occurrencesBefore = alwaysWeighsDetails ? Self.fewOccurrences : 0
  }

  /// The weight of an entry of this event, the next one of a series.
  mutating func weight(of event: borrowing Event) -> Int {
    occurrencesBefore += 1
    if occurrencesBefore == Self.fewOccurrences, selection.listsDetails { last = nil }
    let object = event.object
    if let last, last.event == object { return last.weight }
    var length = event.title.utf8.count + event.identity.uid.utf8.count
    length += event.location?.utf8.count ?? 0
    for category in event.categories { length += category.utf8.count }
    if occurrencesBefore >= Self.fewOccurrences, selection.listsDetails {
      length += event.details(details).textLength
    }
    var weight = 1 + length / Self.bytesOfOne
    if selection.listsByCategory { weight *= max(1, event.categories.count) }
    last = (object, weight)
    return weight
  }
}

extension EventDetails {
  /// The length in bytes of the texts that JSON and HTML show, roughly.
  fileprivate var textLength: Int {
    /// Keys and quotes of a person or an attachment.
    let frame = 64
    func length(_ text: String?) -> Int { text?.utf8.count ?? 0 }
    var sum = length(description) + length(url) + length(conference)
    for attendee in attendees {
      sum += frame + length(attendee.person.name) + length(attendee.person.email)
    }
    for attachment in attachments { sum += frame + length(attachment.uri) }
    return sum
  }
}
