/// How many entries an entry counts as: a long text takes as much time and room as many entries.
///
/// An entry counts as one, and as one more for each 256 bytes of the texts that a listing shows.
struct EntryWeight {
  private static let bytesOfOne = 256
  /// Details are decoded only for an event with more occurrences.
  private static let fewOccurrences = 64

  private let selection: Selection
  private let details: (EventReference) -> EventDetails
  private var last: (event: ObjectIdentifier, weight: Int)?
  private var occurrences = 0
  /// Whether an entry counted as more than one.
  private(set) var hasLongText = false

  init(_ selection: Selection, details: @escaping (EventReference) -> EventDetails) {
    self.selection = selection
    self.details = details
  }

  /// The weight of an entry of this event, the next one of a series.
  mutating func weight(of event: borrowing Event) -> Int {
    occurrences += 1
    if occurrences == Self.fewOccurrences, selection.listsDetails { last = nil }
    let object = event.object
    if let last, last.event == object { return last.weight }
    var weight = Self.weight(of: event)
    if occurrences >= Self.fewOccurrences, selection.listsDetails {
      weight += event.details(details).textLength / Self.bytesOfOne
    }
    if weight > 1 { hasLongText = true }
    last = (object, weight)
    return weight
  }

  /// The weight of an entry without its details.
  static func weight(of event: borrowing Event) -> Int {
    var length = event.title.utf8.count + event.identity.uid.utf8.count
    length += event.location?.utf8.count ?? 0
    for category in event.categories { length += category.utf8.count }
    return 1 + length / bytesOfOne
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
