import CivilTime
import TestSupport
import Testing

@testable import AgendaCore

@Suite("when a subscription is asked again")
struct SubscriptionTests {
  private static let now = Instant(secondsSinceEpoch: 1_795_248_000)
  private static let address = "https://example.com/team.ics"

  private func after(_ seconds: Int) -> Instant { Self.now.adding(seconds: seconds) }

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
      ("soon", nil, nil), ("-5", nil, nil), ("", nil, nil), ("31 Feb", nil, nil),
      ("Sat, 31 Feb 2026 08:02:00 GMT", nil, nil), ("Sat, 21 Nov 2026 08:02 GMT", nil, nil),
    ] as [(String, String?, Int?)])
  func retryAfter(text: String, date: String?, seconds: Int?) {
    let now = Instant(rfc3339: "2026-11-21T08:00:00Z") ?? Self.now
    #expect(CacheHeaders(date: date, retryAfter: text).retryDelay(at: now) == seconds)
  }

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
      #expect(subscription.pause(at: after(pause - 1), isForced: false) != nil)
      #expect(subscription.pause(at: after(pause), isForced: false) == nil)
      #expect(subscription.pause(at: after(1), isForced: true) == nil)
    }
  }

  @Test("failures back off from 5 minutes to a day, with a jitter that depends on the address")
  func backOff() {
    var subscription = Subscription()
    var delays: [Int] = []
    for _ in 0..<14 {
      subscription.failed(
        "not found (404)", status: 404, caching: CacheHeaders(), address: Self.address,
        at: Self.now)
      delays.append(
        (subscription.pause?.end ?? Self.now).secondsSinceEpoch - Self.now.secondsSinceEpoch)
    }
    for (index, delay) in delays.enumerated() {
      let base = min(300 << index, 69_120)
      #expect((base...base * 5 / 4).contains(delay), "failure \(index + 1): \(delay)")
      #expect(delay <= 86_400)
    }
    let first = Set((0..<200).map { Subscription.backOff(failureCount: 1, address: "\($0)") })
    #expect(first.count > 50)
    #expect(
      Subscription.backOff(failureCount: 3, address: "a")
        == Subscription.backOff(failureCount: 3, address: "a"))
    #expect(Subscription.backOff(failureCount: .max, address: "a") <= 86_400)
    subscription.succeeded(at: Self.now, caching: CacheHeaders())
    #expect(subscription.failureCount == 0 && subscription.failure == nil)
    #expect(subscription.pause == nil)
  }

  @Test(
    "Retry-After is respected even by force, for at most a day",
    arguments: [("7200", 7_200), ("999999", 86_400)])
  func serverPause(text: String, seconds: Int) {
    var subscription = Subscription()
    subscription.failed(
      "busy", status: 429, caching: CacheHeaders(retryAfter: text), address: Self.address,
      at: Self.now)
    for isForced in [false, true] {
      #expect(subscription.pause(at: after(seconds - 1), isForced: isForced)?.reason == .retryAfter)
      #expect(subscription.pause(at: after(seconds), isForced: isForced) == nil)
    }
  }

  @Test("a Retry-After shorter than the back-off does not shorten it")
  func shortServerPause() {
    var subscription = Subscription()
    for _ in 0..<4 {
      subscription.failed(
        "busy", status: 503, caching: CacheHeaders(retryAfter: "1"), address: Self.address,
        at: Self.now)
    }
    #expect(subscription.pause(at: after(2_399), isForced: false) != nil)
    #expect(subscription.pause(at: after(2_399), isForced: true) == nil)
  }

  @Test("410 ends the subscription until it is forced")
  func gone() {
    var subscription = Subscription()
    subscription.failed(
      "gone for good (410)", status: 410, caching: CacheHeaders(), address: Self.address,
      at: Self.now)
    #expect(subscription.pause(at: after(400 * 86_400), isForced: false)?.reason == .gone)
    #expect(subscription.pause(at: after(1), isForced: true) == nil)
  }

  @Test("a clock that was years ahead does not stop a subscription")
  func wrongClock() {
    var subscription = Subscription()
    subscription.refreshInterval = 3_600
    subscription.succeeded(at: after(3 * 366 * 86_400), caching: CacheHeaders())
    #expect(subscription.pause(at: Self.now, isForced: false) == nil)
  }

  @Test("a stale calendar is reported once a day until it succeeds")
  func stale() {
    var subscription = Subscription()
    subscription.succeeded(at: Self.now, caching: CacheHeaders())
    var reports: [Int] = []
    for run in 1...(24 * 2 * 4) {
      let time = after(run * 1_800)
      subscription.failed(
        "down", status: nil, caching: CacheHeaders(), address: Self.address, at: time)
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
