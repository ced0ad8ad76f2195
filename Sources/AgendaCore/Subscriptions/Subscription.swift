public import CivilTime
internal import struct Platform.StableDigest

/// What is known about an address that is fetched again and again, and when to ask it next.
///
/// | the last attempt | next attempt |
/// | --- | --- |
/// | succeeded | after `max-age` (at most a day) and after the calendar's own refresh interval (at most a week) |
/// | failed | after 5 minutes, doubled with each further failure, at most a day |
/// | failed with `Retry-After` | after that time (at most a day), or after the back-off if that is longer |
/// | 410 Gone | never, unless forced |
public struct Subscription: Equatable, Sendable {
  /// The validators of the last good answer (RFC 9110, section 8.8).
  public var entityTag: String?
  public var lastModified: String?
  /// Where permanent redirects led (RFC 9110, sections 15.4.2 and 15.4.9).
  public var movedTo: String?
  public var lastAttempt: Instant?
  public var lastSuccess: Instant?
  public var pause: Pause?
  /// Why the last attempt failed; `nil` if it succeeded.
  public var failure: String?
  public var failureCount = 0
  /// When a failure was last reported to a user who asked for stale calendars only.
  public var lastReport: Instant?
  /// Of the last good answer, in bytes.
  public var size: Int?
  /// What the calendar asks for (REFRESH-INTERVAL or X-PUBLISHED-TTL), in seconds.
  public var refreshInterval: Int?

  package init() {}

  /// A time before which the address is not asked.
  public struct Pause: Equatable, Sendable {
    /// Why an address is not asked.
    public enum Reason: Int, Sendable {
      /// The last answer is still current.
      case fresh = 0
      /// Failures make the pauses longer.
      case failure = 1
      /// The server asked for it.
      case retryAfter = 2
      /// 410: the address will not be used again.
      case gone = 3

      /// The word in JSON.
      public var name: String {
        switch self {
        case .fresh: "fresh"
        case .failure: "failure"
        case .retryAfter: "retryAfter"
        case .gone: "gone"
        }
      }
    }

    public let reason: Reason
    public let end: Instant

    package init(_ reason: Reason, until end: Instant) {
      self.reason = reason
      self.end = end
    }
  }

  /// When `refresh` asks again at the earliest; `nil` if at any time, or never.
  public var nextAttempt: Instant? {
    guard let pause, pause.reason != .gone else { return nil }
    return pause.end
  }

  private static let day = 24 * 60 * 60
  private static let firstBackOff = 5 * 60

  // MARK: Deciding

  /// The pause that keeps the address from being asked now. `isForced` ends those that are not the
  /// server's wish.
  package func pause(at now: Instant, isForced: Bool) -> Pause? {
    guard let pause else { return nil }
    switch pause.reason {
    case .gone: return isForced ? nil : pause
    case .fresh, .failure: if isForced { return nil }
    case .retryAfter: break
    }
    // No pause is longer than a week: the clock was wrong when this one began.
    let isPlausible = pause.end <= now.adding(seconds: 7 * Self.day)
    return now < pause.end && isPlausible ? pause : nil
  }

  /// Whether a failure at `now` is worth a message if only calendars older than `limit` seconds
  /// are; notes that it was reported. Each is reported once a day.
  package mutating func reportsFailure(at now: Instant, olderThan limit: Int) -> Bool {
    if let lastSuccess, now < lastSuccess.adding(seconds: limit) { return false }
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

  /// An attempt that failed. `address` only decides the jitter: sources that failed together are
  /// not asked together for ever.
  package mutating func failed(
    _ reason: String, status: Int?, caching: CacheHeaders, address: String, at now: Instant
  ) {
    lastAttempt = now
    failure = reason
    failureCount += 1
    if status == 410 {
      pause = Pause(.gone, until: now)
      return
    }
    let backOff = Self.backOff(failureCount: failureCount, address: address)
    let delay = min(caching.retryDelay(at: now) ?? 0, Self.day)
    // Force ends a back-off, but not a pause that the server asked for.
    pause =
      delay >= backOff
      ? Pause(.retryAfter, until: now.adding(seconds: delay))
      : Pause(.failure, until: now.adding(seconds: backOff))
  }

  /// 5 minutes, 10, 20 … and up to a quarter more, at most a day.
  static func backOff(failureCount: Int, address: String) -> Int {
    let doublings = min(max(0, failureCount - 1), 16)
    let base = min(firstBackOff << doublings, day * 4 / 5)
    var digest = StableDigest()
    digest.add(address)
    digest.add(failureCount)
    // The high bits of FNV-1a are mixed best.
    return base + Int(digest.value >> 33) % (base / 4 + 1)
  }
}
