internal import AgendaCore
internal import AgendaRendering
internal import AgendaSources
internal import CivilTime

/// Reads the calendars for one request after the other.
actor ResultsWorker {
  private var request: ResultsRequest
  private var calendars: Calendars?
  private var agenda: Agenda?
  private var window: DateWindow?
  private var followed: FollowedStore?
  private struct Unsaved {
    let occurrences: [Occurrence]
    let key: Int
  }

  /// The entries that are not in the cache yet.
  private var unsaved: Unsaved?
  /// The files that need not be read again.
  private var kept: KeptFiles?
  /// Whether a part was read again since everything was read.
  private var isChanged = false
  /// The number of times that it looks for changes during its own work.
  private static var mostRounds: Int { 8 }
  nonisolated let watched: SourceWatch.Places
  nonisolated let nextDay: @Sendable () -> Instant?

  init(_ request: ResultsRequest) {
    self.request = request
    watched =
      switch request.source {
      case .store(let store): .store(store.path)
      case .files(let paths): .files(paths)
      case .events: .nothing
      }
    nextDay = {
      guard case .fromToday = request.window else { return nil }
      return (try? request.zone())?.startOfDay(after: request.clock())
    }
  }

  func replace(events: [Event]) { request.source = .events(events) }

  /// Reads the calendars for the first time.
  func first() throws -> Agenda {
    let agenda = try read(in: currentWindow())
    // Results are as good without a cache.
    try? saveCache()
    return agenda
  }

  /// Reads them again and delivers what has changed.
  func load(
    deliver: @Sendable (AgendaChanges) -> Void
  ) throws -> AgendaChanges {
    let changes = try changesSinceLastTime()
    deliver(changes)
    return changes
  }

  private func changesSinceLastTime() throws -> AgendaChanges {
    let (previousAgenda, previousCalendars) = (agenda, calendars)
    let agenda = try read(in: currentWindow())
    let previous = previousAgenda ?? agenda
    guard let calendars else { return agenda.changes(from: previous) }
    let comparison = DetailsComparison(
      previousCalendars, calendars, isStore: request.source.isStore)
    return agenda.changes(from: previous, isUpdated: comparison.isUpdated)
  }

  private func read(in window: DateWindow) throws -> Agenda {
    let (previousAgenda, previousCalendars) = (agenda, calendars)
    do {
      let agenda =
        switch request.source {
        case .store(let store): try follow(storeAt: store.path, in: window)
        case .files, .events: try readAll(in: window)
        }
      self.agenda = agenda
      return agenda
    } catch {
      // Next time everything is read. The next changes lead from the agenda that was delivered last.
      followed = nil
      self.window = nil
      (agenda, calendars) = (previousAgenda, previousCalendars)
      throw error
    }
  }

  private var options: Agenda.Options { Agenda.Options(request.layout, once: request.once) }

  private func readAll(in window: DateWindow) throws -> Agenda {
    let calendars = try read()
    // A key can depend on the present day.
    let previous = window == self.window ? agenda : nil
    let agenda: Agenda
    if let cache = request.cache,
      let key = try calendars.cacheKey(in: window, of: request.selection),
      let cached = calendars.cachedAgenda(
        in: window, options: options, request.locale, previous, cache, key: key)
    {
      (agenda, unsaved) = (cached, nil)
    } else {
      (agenda, unsaved) = try self.agenda(of: calendars, in: window, previous)
    }
    self.calendars = calendars
    self.window = window
    isChanged = false
    return agenda
  }

  /// Reads an agenda and the content for its cache; `nil` if another process changed the store in
  /// the meantime.
  private func agenda(
    of calendars: Calendars, in window: DateWindow, _ previous: Agenda?
  ) throws -> (Agenda, Unsaved?) {
    let selection = request.selection
    let key = try request.cache.flatMap { _ in
      try calendars.cacheKey(in: window, of: selection)
    }
    let agenda = try calendars.agenda(
      in: window, of: selection, options: options, locale: request.locale, previous: previous)
    guard let key, key == (try calendars.cacheKey(in: window, of: selection)) else {
      return (agenda, nil)
    }
    return (agenda, Unsaved(occurrences: agenda.occurrences, key: key))
  }

  /// Writes the cache, unless it has these entries already.
  func saveCache() throws {
    guard let cache = request.cache, let calendars, let window else { return }
    if isChanged { unsaved = try agenda(of: calendars, in: window, agenda).1 }
    isChanged = false
    guard let unsaved else { return }
    try calendars.save(unsaved.occurrences, in: window, to: cache, key: unsaved.key)
    self.unsaved = nil
  }

  private func read() throws -> Calendars {
    switch request.source {
    case .store(let store):
      Calendars(followed?.store, store.configuration)
    case .files(let paths):
      try Calendars(
        contentsOf: paths, zones: request.zones, kept: &kept, now: request.clock())
    case .events(let events): Calendars(events: events)
    }
  }

  /// Reads from a store what commands have changed since the last time; all of it if that isn't known.
  private func follow(storeAt path: String, in window: DateWindow) throws -> Agenda {
    let followed = self.followed ?? FollowedStore(at: path, zones: request.zones)
    self.followed = followed
    var news = try followed.look()
    if window != self.window {
      agenda = try readAll(in: window)
      news = try followed.look()
    }
    // Changes that another process writes in the meantime can be in the result, but not in the
    // news.
    for _ in 0..<Self.mostRounds {
      guard let present = news else { break }
      agenda = try changedAgenda(present, in: window) ?? readAll(in: window)
      news = try followed.look()
    }
    return try agenda ?? readAll(in: window)
  }

  /// Reads only the series that commands changed; `nil` if that isn't possible.
  private func changedAgenda(_ news: FollowedStore.News, in window: DateWindow) throws -> Agenda? {
    guard !news.isNewFile, news.common == news.previous.generation, let calendars, let agenda,
      // The ceiling limits all occurrences of rules below DAILY together.
      agenda.entryCount < Series.ceiling,
      let changed = try calendars.changedOccurrences(
        after: news.common, in: window, of: request.selection)
    else { return nil }
    isChanged = true
    return agenda.replacing(
      changed.components, by: changed.occurrences, wording: DateWording(request.locale))
  }

  func details(of entry: Entry) throws -> EventDetails {
    let calendars = try self.calendars ?? read()
    guard case .files = request.source else { return calendars.details(of: entry.event) }
    // An event refers to its file by the number of the file, and another file can have it by now.
    guard let agenda, let path = agenda.path(of: entry), let present = agenda[path] else {
      return EventDetails()
    }
    return calendars.details(of: present.event)
  }

  private func currentWindow() throws -> DateWindow {
    switch request.window {
    case .fixed(let window): return window
    case .fromToday(let length):
      let zone = try request.zone()
      let today = zone.civil(at: request.clock()).date
      return .window(length, from: today, in: zone)
    }
  }
}

extension ResultsRequest.Source {
  fileprivate var isStore: Bool { if case .store = self { true } else { false } }
}

/// Finds events whose details changed, although a list shows them in the same way.
private final class DetailsComparison {
  private let previous: Calendars?
  private let present: Calendars
  private let isStore: Bool
  /// What is known of events that happen often.
  private var known: [EventReference: Bool] = [:]

  init(_ previous: Calendars?, _ present: Calendars, isStore: Bool) {
    self.previous = previous
    self.present = present
    self.isStore = isStore
  }

  func isUpdated(_ before: Entry, _ after: Entry) -> Bool {
    let (old, new) = (before.event.reference, after.event.reference)
    // A store writes a changed event into a new row.
    if isStore { return old != new }
    guard let previous, !present.hasSameComponent(new, as: old, in: previous) else {
      return false
    }
    if let answer = known[new] { return answer }
    let answer = previous.details(of: before.event) != present.details(of: after.event)
    known[new] = answer
    return answer
  }
}
