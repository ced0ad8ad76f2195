package import CivilTime

/// The time until a moment. It is rounded up to minutes: 20 seconds are a minute.
package struct TimeUntil {
  /// 0 for a moment that has passed.
  package let seconds: Int

  package init(_ moment: Instant, from now: Instant) {
    let exact = moment.secondsSinceEpoch - now.secondsSinceEpoch
    seconds = exact > 0 ? (exact + 59) / 60 * 60 : 0
  }
}
