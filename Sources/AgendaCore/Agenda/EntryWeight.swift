/// How much a listing writes of an entry, roughly. It decides how many entries a listing may have.
package struct EntrySize: Hashable, Sendable {
  /// Which details of an event are written.
  package enum Details: Hashable, Sendable {
    case none
    /// The address and the conference.
    case links
    case all
  }

  package var details = Details.none
  /// The bytes that are written besides texts.
  package var frame = 0
  /// How many times the texts of an event are written.
  package var copies = 1

  package init(_ details: Details = .none, frame: Int = 0, copies: Int = 1) {
    (self.details, self.frame, self.copies) = (details, frame, copies)
  }

  /// The bytes of an entry that counts as one.
  package static let bytesOfOne = 450

  /// The length of a text in a format, at most. Letters, digits and spaces are written as they are;
  /// of other characters, HTML makes up to six bytes (`&quot;`).
  package static func length(_ text: String?) -> Int {
    guard var text else { return 0 }
    return text.withUTF8 { bytes in
      bytes.reduce(0) { length, byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: " "), 0x80...:
          length + 1
        default: length + 6
        }
      }
    }
  }

  /// The length of an address, in which other characters are written in hexadecimal digits.
  static func length(ofAddress text: String?) -> Int { 3 * length(text) }
}

/// How many entries an entry counts as: a long text takes as much time and memory as many entries.
///
/// An entry counts as one, and as one more for each 450 bytes of the texts that a listing shows, in
/// each category that lists it.
struct EntryWeight {
  /// What is not a text of the event itself counts only for an event with more entries.
  private static let fewEntries = 64

  private let selection: Selection
  private let details: (EventReference) -> EventDetails
  private var last: (event: ObjectIdentifier, isFull: Bool, weight: Int)?
  private var entriesBefore: Int

  init(
    _ selection: Selection, alwaysWeighsAll: Bool,
    details: @escaping (EventReference) -> EventDetails
  ) {
    self.selection = selection
    self.details = details
    entriesBefore = alwaysWeighsAll ? Self.fewEntries : 0
  }

  /// The weight of each of so many entries of this event, the next ones of a series.
  mutating func weight(of event: borrowing Event, entries: Int) -> Int {
    entriesBefore += entries
    let isFull = entriesBefore >= Self.fewEntries
    let object = event.object
    if let last, last.event == object, last.isFull == isFull { return last.weight }
    /// Of few entries the exact length is not worth its time.
    func length(_ text: String?) -> Int {
      isFull ? EntrySize.length(text) : text?.utf8.count ?? 0
    }
    var sum = length(event.title) + length(event.identity.uid) + length(event.location)
    /// Quotes and a comma.
    let frame = 4
    for category in event.categories { sum += length(category) + frame }
    if isFull {
      let size = selection.entrySize
      sum += length(event.start?.zone?.name)
      if size.details != .none { sum += event.details(details).length(size.details) }
      sum = sum * size.copies + size.frame
    }
    var weight = 1 + sum / EntrySize.bytesOfOne
    if selection.listsByCategory { weight *= max(1, event.categories.count) }
    last = (object, isFull, weight)
    return weight
  }
}

extension EventDetails {
  /// The length of the texts that a listing shows, at most.
  fileprivate func length(_ details: EntrySize.Details) -> Int {
    var sum = EntrySize.length(ofAddress: url) + EntrySize.length(ofAddress: conference)
    guard details == .all else { return sum }
    /// Keys and quotes of a person or an attachment.
    let frame = 96
    func length(_ person: Person?) -> Int {
      guard let person else { return 0 }
      return frame + EntrySize.length(person.name) + EntrySize.length(person.email)
    }
    sum += EntrySize.length(description) + length(organizer)
    for attendee in attendees { sum += length(attendee.person) + attendee.participation.utf8.count }
    for attachment in attachments {
      sum +=
        frame + EntrySize.length(ofAddress: attachment.uri)
        + EntrySize.length(attachment.mediaType)
    }
    return sum
  }
}
