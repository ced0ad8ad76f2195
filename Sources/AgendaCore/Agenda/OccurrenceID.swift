internal import Recurrence

internal import struct Platform.StableDigest

/// A short name for one occurrence: 8 hexadecimal digits.
///
/// It depends on what the occurrence is and on nothing else: the kind of component, its UID, the
/// start that its rule gave it (so it outlives an override that moves it), its own start if its
/// calendar uses the UID for several events, and its title if these start at the same time. It is
/// the same in every run, from a file and from a store, whatever the calendar is called. Two occurrences can share one; whoever looks
/// something up by it must expect several answers.
public struct OccurrenceID: Hashable, Sendable {
  public let number: UInt32

  public init(number: UInt32) {
    self.number = number
  }

  public init(of occurrence: borrowing Occurrence) {
    self.init(of: occurrence, stem: Stem(occurrence.event))
  }

  /// `stem` is that of the occurrence's event.
  package init(of occurrence: borrowing Occurrence, stem: Stem) {
    var digest = stem.digest
    if let recurrenceID = occurrence.recurrenceID {
      digest.add(recurrenceID)
    }
    if let start = stem.start {
      digest.add(start)
    }
    self.number = digest.folded
  }

  /// What the identifiers of all occurrences of an event are made of.
  package struct Stem {
    fileprivate var digest = StableDigest()
    /// Its start, if its UID alone does not identify the event.
    fileprivate let start: EventTime?

    package init(_ event: borrowing Event) {
      digest.add(event.kind.digestTag)
      digest.add(event.identity.uid)
      if event.sharesStart { digest.add(event.title) }
      start = event.sharesUID ? event.start : nil
    }
  }

  /// Reads what `description` writes, in either letter case; `nil` for anything else.
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
  /// The same moment counts the same, in whatever zone it is written.
  fileprivate mutating func add(_ time: EventTime) {
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

  /// 32 bits, every one of which depends on all 64.
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
