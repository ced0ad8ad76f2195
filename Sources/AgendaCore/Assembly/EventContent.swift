internal import CivilTime
internal import Recurrence

internal import struct Platform.StableDigest

/// Digests of everything that a component says, for components with equal versions. They are the same
/// in every process, from a file and from a store.
package struct EventContent: Hashable, Comparable, Sendable {
  /// Equal for components that say the same in different words: in another order of properties, with
  /// other escapes, or with DURATION instead of DTEND.
  package let meaning: UInt64
  /// The meaning without what answers and cancellations change.
  package let lasting: UInt64
  /// The digest of the text. Of equal meanings the greatest text is shown, so that the choice depends
  /// neither on the order of imports nor on an export.
  package let text: UInt64

  /// `meaning` and `lasting` are digests of the text without the times of the event.
  package init(_ event: Event, meaning: UInt64, lasting: UInt64, text: UInt64) {
    self.meaning = event.digestOfTimes(after: meaning) { zone, digest in
      // The zone of a single event says nothing more than its moment.
      if event.repeats { digest.add(zone.clockDigest) }
    }
    self.lasting = event.digestOfTimes(after: lasting) { $1.add($0.name) }
    self.text = text
  }

  package static func < (left: EventContent, right: EventContent) -> Bool {
    (left.text, left.meaning, left.lasting) < (right.text, right.meaning, right.lasting)
  }
}

extension Event {
  fileprivate func digestOfTimes(
    after text: UInt64, addZone: (Zone, inout StableDigest) -> Void
  ) -> UInt64 {
    var digest = StableDigest(seed: text)
    for time in [start, identity.recurrenceID, due] {
      if let zone = time?.zone { addZone(zone, &digest) }
      if let time { digest.add(time) }
      digest.add(0xff as UInt8)
    }
    let length = contentLength
    digest.add(length.days)
    digest.add(length.seconds)
    return digest.value
  }

  /// The length, however the source states it. Days are nominal only in a series: its occurrences can
  /// be on days of different lengths.
  private var contentLength: EventDuration {
    let none = EventDuration(days: 0, seconds: 0)
    guard let start else {
      if case .duration(let duration) = extent { return duration }
      return none
    }
    switch extent {
    case .unstated:
      return start.isDate && kind == .event ? EventDuration(days: 1, seconds: 0) : none
    case .end(let end) where start.isDate && end.isDate:
      return EventDuration(days: start.civil.date.days(until: end.civil.date), seconds: 0)
    case .end(let end): return EventDuration(days: 0, seconds: start.seconds(until: end))
    case .duration(let duration):
      guard !repeats, !start.isDate, duration.days != 0,
        let date = start.civil.date.adding(days: duration.days)
      else { return duration }
      let end = start.at(CivilDateTime(date, start.civil.time))
      return EventDuration(days: 0, seconds: start.seconds(until: end) + duration.seconds)
    }
  }
}

extension EventTime {
  fileprivate func seconds(until end: EventTime) -> Int {
    end.instant(for: .utc).secondsSinceEpoch - instant(for: .utc).secondsSinceEpoch
  }
}
