internal import AgendaCore
internal import AgendaReader
internal import CivilTime
internal import FetchProtocol

/// Fetches the addresses of one `import` or `refresh`, all at once.
struct SubscriptionRun {
  /// An address with its settings and state.
  struct Address {
    let location: String
    /// Its record in the store, with the present settings.
    let record: SubscriptionRecord
    /// Whether the store still has the content of the last good answer.
    let isConditional: Bool
    /// `import` always sends a request, and `refresh` if the user asks for this calendar.
    let respectsPauses: Bool
  }

  private let now: Instant
  private var visits: [String: Visit] = [:]
  private var numbers: [String: Int] = [:]
  /// The locations that a request was sent for, by its number.
  private var requested: [String] = []
  private var fetch: FetchRun?

  /// `progress` gets the number of answers, the number of requests, and the location of the first
  /// address without an answer.
  init(
    _ addresses: [Address], now: Instant = Instant(secondsSinceEpoch: 0), jobs: Int = 16,
    temporaryFolder: String = "/tmp",
    progress: @escaping (Int, Int, String?) -> Void = { _, _, _ in }
  ) {
    self.now = now
    var passwords = PasswordCommands()
    var requests: [FetchRequest] = []
    var locations: [String] = []
    for address in addresses where visits[address.location] == nil {
      var visit = Visit(before: address.record, now: now)
      defer { visits[address.location] = visit }
      if address.respectsPauses, let pause = address.record.state.pause(at: now) {
        visit.outcome = .paused(pause)
        continue
      }
      do throws(SourceError) {
        requests.append(
          try Self.request(number: requests.count, for: address, passwords: &passwords))
        numbers[address.location] = locations.count
        locations.append(address.location)
      } catch {
        visit.outcome = .failed(FetchFailure("\(error)"))
      }
    }
    requested = locations
    guard !requests.isEmpty else { return }
    let count = requests.count
    do throws(SourceError) {
      fetch = try FetchRun(requests, jobs: jobs, temporaryFolder: temporaryFolder) { run in
        progress(count - run.pending.count, count, run.pending.first.map { locations[$0] })
      }
    } catch {
      for location in locations { visits[location]?.outcome = .failed(FetchFailure("\(error)")) }
    }
  }

  private static func request(
    number: Int, for address: Address, passwords: inout PasswordCommands
  ) throws(SourceError) -> FetchRequest {
    let (settings, state) = (address.record.settings, address.record.state)
    var request = FetchRequest(number: number, address: state.movedTo ?? address.location)
    if address.isConditional {
      request.validators = FetchValidators(
        entityTag: state.entityTag, lastModified: state.lastModified)
    }
    request.limits.seconds = settings.timeout ?? request.limits.seconds
    request.limits.bytes = settings.maxSize ?? request.limits.bytes
    request.certificates = settings.certificates
    if let command = settings.passwordCommand {
      let credentials = try passwords.output(
        of: command, seconds: request.limits.seconds)
      request.user = credentials.user
      request.password = credentials.password
    }
    return request
  }

  /// Waits for the next result in the order of arrival, first those without a request; `nil` after
  /// the last one.
  mutating func nextVisit() -> (location: String, visit: Visit)? {
    let unasked = fetch == nil ? Array(visits.keys) : visits.keys.filter { numbers[$0] == nil }
    if let location = unasked.min(), let visit = visits.removeValue(forKey: location) {
      return (location, visit)
    }
    guard let fetch, !visits.isEmpty else { return nil }
    do throws(SourceError) {
      if let answer = try fetch.nextAnswer(), requested.indices.contains(answer.number),
        var visit = visits.removeValue(forKey: requested[answer.number])
      {
        visit.take(answer)
        return (requested[answer.number], visit)
      }
    } catch {
      for location in visits.keys {
        visits[location]?.outcome = .failed(FetchFailure("\(error)"))
      }
    }
    // No other answer comes.
    self.fetch = nil
    return nextVisit()
  }

  /// Waits for the result of an address; `nil` if the result was returned before.
  mutating func visit(_ location: String) -> Visit? {
    guard var visit = visits.removeValue(forKey: location) else { return nil }
    guard let fetch, let number = numbers[location] else { return visit }
    do throws(SourceError) {
      visit.take(try fetch.answer(to: number))
    } catch {
      visit.outcome = .failed(FetchFailure("\(error)"))
    }
    return visit
  }
}

/// The result of fetching one address.
struct Visit {
  enum Outcome {
    case content([UInt8])
    /// The store already has the content.
    case unchanged
    /// No request was sent.
    case paused(Subscription.Pause)
    case failed(FetchFailure)
  }

  fileprivate(set) var outcome = Outcome.failed(FetchFailure("not fetched"))
  private var after: SubscriptionRecord
  private let before: SubscriptionRecord
  private let now: Instant
  private var caching = CacheHeaders()

  fileprivate init(before: SubscriptionRecord, now: Instant) {
    self.before = before
    after = before
    self.now = now
  }

  fileprivate mutating func take(_ answer: FetchAnswer) {
    caching = CacheHeaders(
      cacheControl: answer.headers.cacheControl, age: answer.headers.age,
      date: answer.headers.date, retryAfter: answer.headers.retryAfter)
    switch answer.outcome {
    case .unchanged: outcome = .unchanged
    case .failed(let failure):
      outcome = .failed(failure)
      return
    case .content(let bytes):
      outcome = .content(bytes)
      after.state.entityTag = answer.validators.entityTag
      after.state.lastModified = answer.validators.lastModified
      after.state.size = bytes.count
    }
    after.state.movedTo = answer.movedTo ?? after.state.movedTo
  }

  /// Why the previous attempt failed; `nil` if it succeeded.
  var lastFailure: String? { before.state.failure }

  /// The new record after the content was imported. `refreshInterval` is the one that the calendar
  /// asks for.
  func succeeded(refreshInterval: Int?) -> SubscriptionRecord {
    var record = after
    record.state.refreshInterval = refreshInterval
    record.state.succeeded(at: now, caching: caching)
    return record
  }

  /// The new record after a 304.
  func confirmed() -> SubscriptionRecord {
    succeeded(refreshInterval: before.state.refreshInterval)
  }

  /// The new record if the answer has no content or was refused. The next attempt uses the original
  /// address again, because the target of a redirect may be the cause.
  func failed(_ reason: String, location: String, hostFailures: Int) -> SubscriptionRecord {
    var record = before
    var status: Int?
    if case .failed(let failure) = outcome { status = failure.status }
    record.state.movedTo = nil
    record.state.failed(
      reason, status: status, caching: caching, address: location, hostFailures: hostFailures,
      at: now)
    return record
  }
}
