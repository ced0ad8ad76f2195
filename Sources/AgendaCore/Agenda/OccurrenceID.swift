internal import Recurrence

internal import struct Platform.StableDigest

/// A short name for one occurrence: 8 hexadecimal digits.
///
/// It is a digest of the kind of component, its UID, and the start that the rule gave to the
/// occurrence. An override that moves the occurrence therefore keeps the identifier. If a calendar
/// uses one UID for several events, the digest includes the start of the event, also its title if
/// these events start at the same time, and also the rest of its content if they have one title. The
/// identifier is the same in every run, from a file and
/// from a store, and does not depend on the name of the calendar. Two occurrences can have the same
/// identifier, so a search for one can find several.
public struct OccurrenceID: Hashable, Sendable {
  /// The 32 bits of the identifier.
  package let number: UInt32

  /// Makes an identifier of its 32 bits, for example of a number that was stored before.
  package init(number: UInt32) {
    self.number = number
  }

  /// Computes the identifier of an occurrence.
  public init(of occurrence: borrowing Occurrence) {
    self.init(of: occurrence, stem: Stem(occurrence.event))
  }

  /// `stem` is that of the occurrence's event.
  package init(of occurrence: borrowing Occurrence, stem: Stem) {
    self.init(recurrenceID: occurrence.recurrenceID, stem: stem)
  }

  /// `recurrenceID` is that of an occurrence of the event whose stem it is.
  init(recurrenceID: EventTime?, stem: Stem) {
    if let known = stem.known {
      self = known
      return
    }
    var digest = stem.digest
    if let recurrenceID {
      digest.add(recurrenceID)
    }
    if let start = stem.start {
      digest.add(start)
    }
    self.number = digest.folded
  }

  /// The common part of the identifiers of all occurrences of an event.
  package struct Stem {
    fileprivate var digest = StableDigest()
    /// Its start, if its UID alone does not identify the event.
    fileprivate let start: EventTime?
    /// The identifier of a decoded event.
    fileprivate let known: OccurrenceID?

    package init(_ event: borrowing Event) {
      known = event.occurrenceID
      digest.add(event.kind.digestTag)
      digest.add(event.identity.uid)
      if event.sharesStart { digest.add(event.title) }
      if let content = event.sharedTitleContent { digest.add(Int(content)) }
      start = event.sharesUID ? event.start : nil
    }
  }

  /// Reads 8 hexadecimal digits in any letter case, as `description` writes them; `nil` if the text has
  /// another form.
  public init?(_ text: some StringProtocol) {
    guard text.utf8.count == 8, text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") }),
      let number = UInt32(text, radix: 16)
    else { return nil }
    self.number = number
  }
}

extension OccurrenceID: CustomStringConvertible {
  /// `3f9a2c71`
  public var description: String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 8 - digits.utf8.count) + digits
  }
}

extension StableDigest {
  /// The same moment gives the same digest, whatever zone it is written in.
  mutating func add(_ time: EventTime) {
    switch time {
    case .date(let date):
      add(UInt8(ascii: "d"))
      add(Int(date.dayNumber))
    case .floating(let civil):
      add(UInt8(ascii: "f"))
      add(civil.civilSeconds)
    case .zoned, .utc:
      add(UInt8(ascii: "i"))
      add(time.instant(for: .utc).secondsSinceEpoch)
    }
  }

  /// 32 bits that each depend on all 64 bits.
  fileprivate var folded: UInt32 {
    var mixed = value
    mixed ^= mixed >> 33
    mixed = mixed &* 0xff51_afd7_ed55_8ccd
    mixed ^= mixed >> 33
    mixed = mixed &* 0xc4ce_b9fe_1a85_ec53
    mixed ^= mixed >> 33
    return UInt32(truncatingIfNeeded: mixed)
  }
}

extension Event.Kind {
  fileprivate var digestTag: UInt8 {
    switch self {
    case .event: UInt8(ascii: "e")
    case .task: UInt8(ascii: "t")
    case .journal: UInt8(ascii: "j")
    }
  }
}
