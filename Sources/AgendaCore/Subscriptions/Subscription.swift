public import CivilTime

internal import struct Platform.StableDigest

/// The state of an address that is fetched repeatedly, and when to fetch it next.
///
/// | the last attempt | next attempt |
/// | --- | --- |
/// | succeeded | after `max-age` (at most a day) and after the calendar's own refresh interval (at most a week) |
/// | failed with `Retry-After` | after that time (at most a day) |
/// | failed with 429 or 503 | after 5 minutes, doubled with each further failure, at most an hour |
/// | failed, as all addresses of its host did ten times in a row | the same |
/// | 410 Gone | after a day |
/// | failed in another way | at any time |
public struct Subscription: Equatable, Sendable {
  /// ETag of the last good answer, which makes the next request conditional (RFC 9110, section
  /// 8.8.3).
  package var entityTag: String?
  /// Last-Modified of the last good answer (RFC 9110, section 8.8.2).
  package var lastModified: String?
  /// The address to which permanent redirects led (RFC 9110, sections 15.4.2 and 15.4.9).
  package var movedTo: String?
  /// When the address was fetched last, successfully or not.
  public package(set) var lastAttempt: Instant?
  /// When the address was fetched successfully last.
  public package(set) var lastSuccess: Instant?
  /// The time until which the address is not fetched; `nil` if it can be fetched at any time.
  package var pause: Pause?
  /// Why the last attempt failed; `nil` if it succeeded.
  public package(set) var failure: String?
  /// The number of failures since the last success.
  package var failureCount = 0
  /// When a failure was last reported to a user who asked for stale calendars only.
  package var lastReport: Instant?
  /// The size of the last good answer in bytes.
  package var size: Int?
  /// The interval in seconds that the calendar recommends (REFRESH-INTERVAL or X-PUBLISHED-TTL).
  package var refreshInterval: Int?

  package init() {}

  /// A pause in which the address is not fetched.
  package struct Pause: Equatable, Sendable {
    /// Why an address is not fetched.
    package enum Reason: Int, Sendable {
      /// The last answer is still current.
      case fresh = 0
      /// The server is too busy, or its host has failed often. Each further failure makes the pause
      /// longer.
      case failure = 1
      /// The server asked for the pause (Retry-After).
      case retryAfter = 2
      /// The server answered that the address no longer exists (410 Gone).
      case gone = 3

      /// The word in JSON.
      package var name: String {
        switch self {
        case .fresh: "fresh"
        case .failure: "failure"
        case .retryAfter: "retryAfter"
        case .gone: "gone"
        }
      }
    }

    /// Why the address is not fetched.
    package let reason: Reason
    /// When the pause ends.
    package let end: Instant

    package init(_ reason: Reason, until end: Instant) {
      self.reason = reason
      self.end = end
    }
  }

  /// When `refresh` fetches the address again at the earliest; `nil` if it can at any time.
  public var nextAttempt: Instant? { pause?.end }

  private static let day = 24 * 60 * 60
  private static let hour = 60 * 60
  private static let firstBackOff = 5 * 60
  /// The failures in a row after which a host gets pauses.
  private static let mostHostFailures = 10

  // MARK: Decisions

  /// The pause that prevents a request now, unless the user asks for one.
  package func pause(at now: Instant) -> Pause? {
    guard let pause else { return nil }
    // No pause is longer than a week. If this one is, the clock was wrong when it began.
    let isPlausible = pause.end <= now.adding(seconds: 7 * Self.day)
    return now < pause.end && isPlausible ? pause : nil
  }

  /// Whether a failure at `now` is reported if only calendars older than `limit` seconds matter.
  /// Records the report. Each failure is reported once a day.
  package mutating func reportsFailure(at now: Instant, olderThan limit: Int) -> Bool {
    // A success that is still to come was noted by a clock that was wrong.
    if let lastSuccess, lastSuccess <= now, now < lastSuccess.adding(seconds: limit) {
      return false
    }
    // Runs of a timer are not exactly a day apart.
    if let lastReport, lastReport <= now, now < lastReport.adding(seconds: Self.day - 60 * 10) {
      return false
    }
    lastReport = now
    return true
  }

  // MARK: Recording

  /// A good answer, or a 304 that confirms the last one.
  package mutating func succeeded(at now: Instant, caching: CacheHeaders) {
    lastAttempt = now
    lastSuccess = now
    failure = nil
    failureCount = 0
    lastReport = nil
    let wait = max(
      min(caching.freshness, Self.day), min(max(0, refreshInterval ?? 0), 7 * Self.day))
    pause = wait > 0 ? Pause(.fresh, until: now.adding(seconds: wait)) : nil
  }

  /// Records a failed attempt. `address` only affects the random part of the pause, so that sources
  /// that failed together are not always fetched together again. `hostFailures` is how often in a row
  /// all addresses of the host have failed, with this attempt.
  package mutating func failed(
    _ reason: String, status: Int?, caching: CacheHeaders, address: String, hostFailures: Int,
    at now: Instant
  ) {
    lastAttempt = now
    failure = reason
    failureCount += 1
    func wait(_ reason: Pause.Reason, _ seconds: Int) -> Pause {
      Pause(reason, until: now.adding(seconds: seconds))
    }
    if status == 410 {
      pause = wait(.gone, Self.day)
    } else if let delay = caching.retryDelay(at: now) {
      pause = delay > 0 ? wait(.retryAfter, min(delay, Self.day)) : nil
    } else if status == 429 || status == 503 {
      pause = wait(.failure, Self.backOff(failureCount: failureCount, address: address))
    } else if hostFailures >= Self.mostHostFailures {
      let count = hostFailures - Self.mostHostFailures + 1
      pause = wait(.failure, Self.backOff(failureCount: count, address: address))
    } else {
      pause = nil
    }
  }

  /// 5 minutes, 10, 20 … and up to a quarter more, at most an hour.
  static func backOff(failureCount: Int, address: String) -> Int {
    let doublings = min(max(0, failureCount - 1), 16)
    let base = min(firstBackOff << doublings, hour * 4 / 5)
    var digest = StableDigest()
    digest.add(address)
    digest.add(failureCount)
    // The high bits of FNV-1a are mixed best.
    return base + Int(digest.value >> 33) % (base / 4 + 1)
  }
}
