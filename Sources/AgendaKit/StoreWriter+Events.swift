public import AgendaCore
internal import AgendaRendering
public import AgendaSources
public import CivilTime
public import Recurrence

/// Changes of single events. They are written where the event lives: in a file of a folder, or in the
/// local calendar. `undo` reverts each of them.
///
///     var edit = EventEdit()
///     edit.title = "Lunch with Ana"
///     try store.write { try $0.edit(occurrence, edit, scope: .only) }
extension StoreWriter {
  /// What a change did.
  public struct Written: Sendable {
    /// The event as it is now, with its overrides and its details; empty if it was removed.
    public let events: [Event]
    /// The changed occurrence as it is now. If the whole series has a new rule without this
    /// occurrence, or if an event is new, the first one; `nil` without an event.
    public let occurrence: Occurrence?
    /// Whether there was nothing to change, so that nothing was written.
    public let isUnchanged: Bool
    /// The requested start, if the rule of a new series has no such date: the series begins with
    /// the first date of its rule.
    public let skippedStart: EventTime?
    /// The number of changed occurrences (overrides) that were removed, because the new rule of their
    /// series does not have their dates.
    public let droppedOverrides: Int
    /// The file or address that still has a removed event, or a completed task as open. agenda does not
    /// change it, so the store hides the event, or remembers that the task is done, also in later imports.
    public let unchangedSource: String?
    /// Coming alarms with a fixed time, which stay where they are although the event moved.
    public let fixedAlarms: [Instant]
    /// If the event left its calendar: the other sources of that calendar that still have it, so that
    /// it is shown from there.
    public let copies: [String]
    /// The calendars on servers that the change waits to be sent to.
    public let serverCalendars: [String]
    /// The lines that changed, with `-` or `+`, below the name of each file.
    public let changedLines: [String]
    /// `old` is the occurrence before the change.
    init(_ result: WriteResult, events: [Event], of old: Occurrence?, zone: Zone) {
      // A dry run stores nothing, so the details would be lost.
      let events = events.map { event in
        var event = event
        event.ownDetails = result.details[event.identity] ?? event.ownDetails
        return event
      }
      self.events = events
      occurrence =
        (result.place ?? old?.recurrenceID).flatMap {
          Self.occurrence(at: $0, of: events, zone: zone)
        } ?? events.firstOccurrence(zone: zone)
      isUnchanged = result.isUnchanged
      skippedStart = result.skippedStart
      droppedOverrides = result.droppedOverrides
      unchangedSource = result.unchangedSource
      fixedAlarms = result.fixedAlarms
      copies = result.copies
      serverCalendars = result.serverCalendars
      changedLines = result.diff
    }

    private static func occurrence(
      at place: EventTime, of events: [Event], zone: Zone
    ) -> Occurrence? {
      let master = events.first { $0.identity.recurrenceID == nil }
      // A RECURRENCE-ID without a zone is on the clock of its series, and a date names a whole day.
      let matcher = TimeMatcher(start: master?.start ?? place, viewer: zone)
      func isPlace(_ time: EventTime) -> Bool {
        if !matcher.isDate, time.isDate || place.isDate {
          return time.civil.date == place.civil.date
        }
        return matcher.key(time) == matcher.key(place)
      }
      let override = events.first { $0.identity.recurrenceID.map(isPlace) ?? false }
      if let override { return [override].firstOccurrence(zone: zone) }
      guard let master else { return nil }
      let begin =
        matcher.isDate
        ? place.instant(for: zone) : Instant(secondsSinceEpoch: matcher.key(place))
      // A task is placed where it is due, which is later.
      let rest = begin..<max(begin, zone.startOfDay(.afterLast))
      let occurrences = Series(master).occurrences(
        touching: rest, viewer: zone, includingCancelled: true)
      for occurrence in occurrences {
        guard let own = occurrence.recurrenceID, !isPlace(own) else { return occurrence }
        if own.instant(for: zone) > begin, own.civil.date > place.civil.date { break }
      }
      return nil
    }
  }

  /// Adds an event or a task to a calendar that can be written: one of your own, a folder or one on a server.
  /// Without a calendar, adds it to the first one of your own.
  @discardableResult
  public func add(
    _ edit: EventEdit, kind: Event.Kind = .event, to calendar: String? = nil
  ) throws(CalendarError) -> Written {
    try writing { try $0.add(edit, kind: kind, to: calendar) }
  }

  /// The same; `begins` says whether a calendar that does not exist becomes one of the user's own.
  package func add(
    _ edit: EventEdit, kind: Event.Kind, to calendar: String?, begins: Bool
  ) throws(CalendarError) -> Written {
    try writing { try $0.add(edit, kind: kind, to: calendar, begins: begins) }
  }

  /// The same for a copy of an event.
  package func add(
    like occurrence: Occurrence, _ edit: EventEdit, to calendar: String?, begins: Bool
  ) throws(CalendarError) -> Written {
    try writing { try $0.add(like: occurrence, edit, to: calendar, begins: begins) }
  }

  /// Copies an event of this store, with changes, to a calendar that you can write to.
  @discardableResult
  public func add(
    like occurrence: Occurrence, _ edit: EventEdit = EventEdit(), to calendar: String? = nil
  ) throws(CalendarError) -> Written {
    try writing { try $0.add(like: occurrence, edit, to: calendar) }
  }

  /// Changes properties of an event of this store. If `calendar` is set, also moves the event there. A
  /// series needs a scope, and moves as a whole.
  @discardableResult
  public func edit(
    _ occurrence: Occurrence, _ edit: EventEdit, scope: SeriesScope? = nil,
    to calendar: String? = nil
  ) throws(CalendarError) -> Written {
    try writing(occurrence) { session in
      if let calendar { return try session.move(occurrence, to: calendar, edit, scope) }
      return try session.change(occurrence, .edit, scope) { editor in
        try editor.edit(edit, scope)
      }
    }
  }

  /// An event of this store as text for a person to edit, one property per line. A series needs a
  /// scope: one occurrence, or all of it.
  public func editableText(
    of occurrence: Occurrence, scope: SeriesScope? = nil
  ) throws(CalendarError) -> String {
    try CalendarError.catching { try session().editableText(of: occurrence, scope) }
  }

  /// Changes an event to an edited text. Lines that did not change keep their bytes. Lines that begin
  /// with `#` are ignored. `original` is the result of `editableText`; if the event has changed since
  /// then, nothing is written.
  @discardableResult
  public func edit(
    _ occurrence: Occurrence, text: String, replacing original: String, scope: SeriesScope? = nil
  ) throws(CalendarError) -> Written {
    try writing(occurrence) {
      try $0.rewrite(occurrence, as: text, replacing: original, scope)
    }
  }

  /// Marks a task as completed; of a series only this occurrence. If the task comes from an address or a
  /// single file, the store remembers it, also for later imports.
  @discardableResult
  public func complete(_ occurrence: Occurrence) throws(CalendarError) -> Written {
    try writing(occurrence) { try $0.complete(occurrence) }
  }

  /// Removes an event, or occurrences of a series. An event that comes from an address or a single file
  /// is hidden instead, also in later imports.
  @discardableResult
  public func remove(
    _ occurrence: Occurrence, scope: SeriesScope? = nil
  ) throws(CalendarError) -> Written {
    try writing(occurrence) { try $0.remove(occurrence, scope) }
  }

  /// The answer to an invitation.
  public enum Answer: Sendable, CaseIterable {
    /// The person will come.
    case accepted
    /// The person will not come.
    case declined
    /// The person may come.
    case tentative

    fileprivate var subject: String {
      switch self {
      case .accepted: "Accepted"
      case .declined: "Declined"
      case .tentative: "Tentative"
      }
    }

    fileprivate var stored: AgendaSources.Reply.Answer {
      switch self {
      case .accepted: .accepted
      case .declined: .declined
      case .tentative: .tentative
      }
    }
  }

  /// The message that answers an invitation. Your program sends it.
  public struct Reply: Sendable {
    /// A calendar with METHOD:REPLY.
    public let message: [UInt8]
    /// The organizer's mail address, if there is one.
    public let organizer: String?
    /// The address of the person who answers.
    public let attendee: String
    /// The title of the event, for the subject of the message.
    fileprivate let title: String
    /// Whether the occurrence is one of a series that the answer applies to as a whole.
    public let answersSeries: Bool
    /// The calendars on servers that the answer waits to be sent to.
    public let serverCalendars: [String]
    /// Whether the server sends the answer to the organizer, so that nobody else must.
    public let isSentByServer: Bool
    /// Whether the event has this answer of the person already.
    public let isRepeated: Bool
    /// The answer.
    fileprivate let answer: Answer
    /// What the person wrote to the organizer.
    fileprivate let comment: String?

    /// The message as a complete mail to the organizer, for `sendmail -t`: `Accepted: Lunch`. `nil` if
    /// no mail can be sent to the organizer's address.
    public func mail(now: Instant, zone: Zone) -> [UInt8]? {
      guard let recipient = organizer.flatMap(MailAddress.init) else { return nil }
      let mail = ReplyMail(
        message, from: attendee, to: recipient, subject: "\(answer.subject): \(title)",
        comment: comment, now: now)
      return ByteSink.bytes { mail.render(in: zone, to: &$0) }
    }
  }

  /// Makes the reply to an invitation, and records the answer where the event lives. With `only`, it is
  /// for this occurrence of a series and not for the others.
  ///
  /// `addresses` are those that could be yours; without any, the only attendee answers. With
  /// `requiresMailAddress`, nothing is recorded if no mail can be sent to the organizer.
  public func reply(
    _ answer: Answer, to occurrence: Occurrence, as addresses: [String] = [],
    only: Bool = false, comment: String? = nil, requiresMailAddress: Bool = false
  ) throws(CalendarError) -> Reply {
    let reply = try CalendarError.catching {
      try session().reply(
        answer.stored, to: occurrence, as: addresses, only: only, comment: comment,
        isMailAddress: { !requiresMailAddress || MailAddress($0) != nil })
    }
    return Reply(
      message: reply.message, organizer: reply.organizer, attendee: reply.attendee,
      title: reply.title, answersSeries: reply.answersSeries,
      serverCalendars: reply.serverCalendars, isSentByServer: reply.isSentByServer,
      isRepeated: reply.isRepeated,
      answer: answer, comment: comment)
  }

  func writing(
    _ occurrence: Occurrence? = nil, _ body: (EditSession) throws -> WriteResult
  ) throws(CalendarError) -> Written {
    try CalendarError.catching {
      let result = try body(session())
      // A dry run has stored nothing. The change was made, also if the store cannot be read on a full
      // disk.
      let stored = isDryRun ? nil : try? stored(result.events)
      return Written(
        result, events: stored ?? result.events, of: occurrence,
        zone: try store.configuration.zone())
    }
  }

  /// The same events as the store has them.
  private func stored(_ events: [Event]) throws -> [Event] {
    var all = Selection(includesCancelled: true, includesTasks: true)
    all.includesJournals = true
    guard let reader = try store.opened() else { return events }
    let source = StoreEvents(reader.store, zones: store.zones) { _ in }
    let known = try Set(events.map(\.identity.uid)).flatMap {
      try source.series(SeriesQuery(.uid($0), viewer: .utc, of: all))
    }.flatMap { [$0.master] + $0.overrides }
    return events.map { event in
      let same = known.filter { $0.identity == event.identity && $0.calendar == event.calendar }
      // Different events can have one UID.
      return same.first { $0.start == event.start && $0.title == event.title } ?? same.first
        ?? event
    }
  }

  func session() throws -> EditSession {
    EditSession(try store.editing(now: now), store: try writableStore())
  }
}
