import CivilTime
import TestSupport
import Testing

@testable import AgendaCore

@Suite("when a subscription is asked again")
struct SubscriptionTests {
  private static let now = Instant(secondsSinceEpoch: 1_795_248_000)
  private static let address = "https://example.com/team.ics"

  private func after(_ seconds: Int) -> Instant { Self.now.adding(seconds: seconds) }

  @Test("a failure is reported once a day, up to ten minutes early, and not of a young calendar")
  func reports() {
    let day = 86_400
    var subscription = Subscription()
    func reports(_ seconds: Int, olderThan limit: Int = 0) -> Bool {
      subscription.reportsFailure(at: after(seconds), olderThan: limit)
    }
    #expect(reports(0))
    #expect(!reports(day - 601))
    #expect(reports(day - 600))
    #expect(!reports(day))
    // A clock that was put back.
    #expect(reports(-day))
    subscription = Subscription()
    subscription.lastSuccess = Self.now
    #expect(!reports(2 * day - 1, olderThan: 2 * day))
    #expect(reports(2 * day, olderThan: 2 * day))
  }

  @Test("settings that are missing come from others, and no others do")
  func settings() {
    var own = FetchSettings()
    var others = FetchSettings()
    (others.timeout, others.maxSize) = (1, 2)
    (others.certificates, others.passwordCommand, others.user) = ("/c", "pass", "ana")
    let all = own.completed(by: others)
    #expect(all.timeout == 1 && all.maxSize == 2 && all.certificates == "/c")
    #expect(all.passwordCommand == "pass" && all.user == nil)
    (own.timeout, own.maxSize) = (3, 4)
    (own.certificates, own.passwordCommand) = ("/d", "other")
    #expect(own.completed(by: others) == own && own.completed(by: FetchSettings()) == own)
  }

  @Test(
    "how long an answer stays current",
    arguments: [
      (nil, nil, 0), ("max-age=3600", nil, 3_600), ("private, Max-Age = 60", nil, 60),
      ("max-age=\"90\"", nil, 90), ("max-age=3600", "600", 3_000), ("max-age=10", "600", 0),
      ("no-cache, max-age=3600", nil, 0), ("max-age=3600, no-store", nil, 0),
      ("max-age", nil, 0), ("max-age=-5", nil, 0), ("max-age=1e3", nil, 0), ("s-maxage=60", nil, 0),
      ("max-age=99999999999999999999999", nil, 366 * 86_400), ("max-age=60", "x", 60),
    ] as [(String?, String?, Int)])
  func freshness(cacheControl: String?, age: String?, seconds: Int) {
    #expect(CacheHeaders(cacheControl: cacheControl, age: age).freshness == seconds)
  }

  @Test(
    "Retry-After in all its forms",
    arguments: [
      ("120", nil, 120), (" 0 ", nil, 0), ("Sat, 21 Nov 2026 08:02:00 GMT", nil, 120),
      ("Sat, 21 Nov 2026 07:00:00 GMT", nil, 0),
      // The server's clock is an hour slow.
      ("Sat, 21 Nov 2026 07:02:00 GMT", "Sat, 21 Nov 2026 07:00:00 GMT", 120),
      ("Saturday, 21-Nov-26 08:02:00 GMT", nil, 120), ("Sat Nov 21 08:02:00 2026", nil, 120),
      ("Tue Dec  1 08:00:00 2026", "Tuesday, 01-Dec-26 07:59:00 GMT", 60),
      ("Saturday, 21-Nov-94 08:02:00 GMT", nil, 0), ("Sat Nov 21 2026", nil, nil),
      ("Saturday, 21-Nov-26 08:02:00", nil, nil),
      ("soon", nil, nil), ("-5", nil, nil), ("", nil, nil), ("31 Feb", nil, nil),
      ("Sat, 31 Feb 2026 08:02:00 GMT", nil, nil), ("Sat, 21 Nov 2026 08:02 GMT", nil, nil),
    ] as [(String, String?, Int?)])
  func retryAfter(text: String, date: String?, seconds: Int?) {
    let now = Instant(rfc3339: "2026-11-21T08:00:00Z") ?? Self.now
    #expect(CacheHeaders(date: date, retryAfter: text).retryDelay(at: now) == seconds)
  }

  // Checks RFC 7986: 5.7/1, 5.8/1, 7/3
  @Test(
    "a success pauses for max-age and the calendar's interval, whichever is longer, within bounds",
    arguments: [
      (nil, nil, nil), ("max-age=600", nil, 600), (nil, 3_600, 3_600), ("max-age=600", 60, 600),
      ("max-age=600", 3_600, 3_600), ("max-age=31536000", nil, 86_400),
      (nil, 90 * 86_400, 7 * 86_400), (nil, -5, nil),
    ] as [(String?, Int?, Int?)])
  func success(cacheControl: String?, interval: Int?, pause: Int?) {
    var subscription = Subscription()
    subscription.refreshInterval = interval
    subscription.succeeded(at: Self.now, caching: CacheHeaders(cacheControl: cacheControl))
    #expect(subscription.pause == pause.map { .init(.fresh, until: after($0)) })
    #expect(subscription.lastSuccess == Self.now)
    if let pause {
      #expect(subscription.pause(at: after(pause - 1)) != nil)
      #expect(subscription.pause(at: after(pause)) == nil)
    }
  }

  /// The pause in seconds after each of some failures in a row.
  private func pauses(
    _ count: Int, status: Int?, retryAfter: String? = nil, hostFailures: (Int) -> Int = { _ in 1 }
  ) -> [Int?] {
    var subscription = Subscription()
    return (1...count).map { number in
      subscription.failed(
        "failed", status: status, caching: CacheHeaders(retryAfter: retryAfter),
        address: Self.address, hostFailures: hostFailures(number), at: Self.now)
      return subscription.pause.map { $0.end.secondsSinceEpoch - Self.now.secondsSinceEpoch }
    }
  }

  // Checks RFC 7986: 7/3
  @Test("a busy server gets pauses from 5 minutes to an hour, with a jitter of the address")
  func backOff() {
    for status in [429, 503] {
      for (index, delay) in pauses(14, status: status).enumerated() {
        let base = min(300 << index, 2_880)
        #expect((base...base * 5 / 4).contains(delay ?? 0), "failure \(index + 1): \(delay ?? 0)")
      }
    }
    let first = Set((0..<200).map { Subscription.backOff(failureCount: 1, address: "\($0)") })
    #expect(first.count > 50)
    #expect(
      Subscription.backOff(failureCount: 3, address: "a")
        == Subscription.backOff(failureCount: 3, address: "a"))
    #expect(Subscription.backOff(failureCount: .max, address: "a") <= 3_600)
  }

  // Checks limit: Subscription.mostHostFailures
  @Test("any other failure stops no request, until its host has failed ten times in a row")
  func otherFailures() {
    for status in [nil, 401, 404, 500] {
      #expect(pauses(30, status: status).allSatisfy { $0 == nil })
      let down = pauses(30, status: status) { $0 }
      #expect(down.prefix(9).allSatisfy { $0 == nil })
      for (index, delay) in down.dropFirst(9).enumerated() {
        let base = min(300 << index, 2_880)
        #expect((base...base * 5 / 4).contains(delay ?? 0), "failure \(index + 10)")
      }
    }
    var subscription = Subscription()
    subscription.failed(
      "down", status: nil, caching: CacheHeaders(), address: Self.address, hostFailures: 10,
      at: Self.now)
    subscription.succeeded(at: Self.now, caching: CacheHeaders())
    #expect(subscription.failureCount == 0 && subscription.failure == nil)
    #expect(subscription.pause == nil)
  }

  @Test(
    "Retry-After decides alone, for at most a day",
    arguments: [("7200", 7_200), ("999999", 86_400), ("1", 1), ("0", nil)])
  func serverPause(text: String, seconds: Int?) {
    for status in [429, 503, 500] {
      let pauses = pauses(12, status: status, retryAfter: text) { $0 }
      #expect(pauses.allSatisfy { $0 == seconds })
    }
  }

  @Test("an address that is gone waits for a day")
  func gone() {
    #expect(pauses(3, status: 410).allSatisfy { $0 == 86_400 })
  }

  @Test("a clock that was years ahead does not stop a subscription")
  func wrongClock() {
    var subscription = Subscription()
    subscription.refreshInterval = 3_600
    subscription.succeeded(at: after(3 * 366 * 86_400), caching: CacheHeaders())
    #expect(subscription.pause(at: Self.now) == nil)
    // A failure is not hidden until the success of that clock is old.
    let isReported = subscription.reportsFailure(at: Self.now, olderThan: 86_400)
    #expect(isReported)
  }

  @Test("a stale calendar is reported once a day until it succeeds")
  func stale() {
    var subscription = Subscription()
    subscription.succeeded(at: Self.now, caching: CacheHeaders())
    var reports: [Int] = []
    for run in 1...(24 * 2 * 4) {
      let time = after(run * 1_800)
      subscription.failed(
        "down", status: nil, caching: CacheHeaders(), address: Self.address, hostFailures: 1,
        at: time)
      if subscription.reportsFailure(at: time, olderThan: 86_400) { reports.append(run) }
    }
    #expect(reports == [48, 96, 144, 192])
    subscription.succeeded(at: after(400_000), caching: CacheHeaders())
    #expect(subscription.lastReport == nil)
    let isReported = subscription.reportsFailure(at: after(400_001), olderThan: 86_400)
    #expect(!isReported)
    var never = Subscription()
    var answers: [Bool] = []
    for minute in 0..<3 {
      answers.append(never.reportsFailure(at: after(minute * 60), olderThan: 86_400))
    }
    #expect(answers == [true, false, false])
  }
}
