public import AgendaCore
public import CivilTime
internal import ICalendar
internal import Platform

/// A source after it was read: its events, its problems, and all of its bytes.
///
/// Events are decoded on demand, and only a few numbers are kept for each component. The reference
/// of an event contains the number of its component.
public final class CalendarFile: Sendable {
  /// The name of its calendar: the one in the options of the reader, otherwise `X-WR-CALNAME` or
  /// `NAME`, otherwise the name of the source.
  public let name: String
  /// COLOR or X-APPLE-CALENDAR-COLOR of the calendar.
  public let color: String?
  /// METHOD, in capitals.
  public let method: String?
  /// X-WR-TIMEZONE as written.
  public let zoneName: String?
  /// The problems of the source, by line.
  public let findings: [Finding]
  /// Every VEVENT and VTODO that begins in the source: `acceptedCount + rejectedCount`.
  public let componentCount: Int
  public let rejectedCount: Int
  /// Every VJOURNAL and every VFREEBUSY that begins in the source.
  public let journalCount: Int
  public let freeBusyCount: Int
  /// Whether the source ends within a component or a calendar.
  public let isTruncated: Bool
  /// The number of the source in the references of its events.
  public let source: Int
  /// The number of its first component in references. The files of a folder are numbered
  /// consecutively.
  public let firstComponent: Int
  /// The numbers of its components in references, if they are not consecutive, because a store keeps
  /// them.
  let numbers: [Int]?
  private let ordinals: [Int: Int]
  /// Which events its messages are about.
  package let messageScope: Message.Scope
  /// The names of the calendars that its VCALENDARs belong to, if they have different ones.
  package let calendarNames: [String]?

  let text: SourceText
  let stubs: [ComponentStub]
  let calendars: [ScannedCalendar]
  let others: [OtherComponent]
  let rejected: [RejectedComponent]
  /// The number of VJOURNALs that could not be read.
  package let rejectedJournalCount: Int
  let zones: SourceZones
  /// The ordinal of the first component whose costly rules are left out.
  let firstWithoutCostlyRules: Int
  /// The work of its rules (`Rule.work`).
  package let ruleWork: Int
  /// The span of time that the caller needs; `nil` for all times.
  let window: Range<Instant>?
  private let threads: Int

  /// The most work for the rules of a source: about a second.
  static let mostRuleWork = 10_000_000

  public var acceptedCount: Int { componentCount - rejectedCount }

  init(
    _ text: SourceText, _ scan: ScanResult, zones: SourceZones, findings: [Finding], name: String,
    options: CalendarReader.Options, numbers: [Int]? = nil
  ) {
    self.text = text
    self.numbers = numbers
    ordinals = Dictionary(
      (numbers ?? []).enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    calendarNames = options.calendar == nil ? Self.differentNames(scan.calendars, name) : nil
    messageScope = options.messageScope ?? Self.scope(of: scan, options)
    stubs = scan.stubs
    calendars = scan.calendars
    others = scan.others
    rejected = scan.rejected
    self.zones = zones
    var ruleWork = options.ruleWork
    var first = scan.stubs.count
    for (ordinal, stub) in scan.stubs.enumerated() where stub.ruleWork > 0 {
      ruleWork += Int(stub.ruleWork)
      if ruleWork > Self.mostRuleWork { first = min(first, ordinal) }
    }
    firstWithoutCostlyRules = first
    self.ruleWork = ruleWork - options.ruleWork
    self.findings = findings
    self.name = name
    color = scan.calendars.lazy.compactMap(\.color).first
    method = scan.calendars.lazy.compactMap(\.method).first
    zoneName = scan.calendars.lazy.compactMap(\.zoneName?.text).first
    componentCount = scan.componentCount
    rejectedCount = scan.rejectedCount
    journalCount = scan.journalCount
    rejectedJournalCount = scan.rejectedJournalCount
    freeBusyCount = scan.others.count { $0.name == "VFREEBUSY" }
    isTruncated = scan.isTruncated
    source = options.source
    firstComponent = options.firstComponent
    window = options.window
    threads = options.threads
  }
}

extension CalendarFile {
  /// The number of a component in the reference of its event.
  package func number(ofComponent ordinal: Int) -> Int {
    numbers.map { $0.indices.contains(ordinal) ? $0[ordinal] : -1 } ?? firstComponent + ordinal
  }

  func ordinal(ofComponent number: Int) -> Int? {
    if numbers != nil { return ordinals[number] }
    let (ordinal, overflow) = number.subtractingReportingOverflow(firstComponent)
    return !overflow && stubs.indices.contains(ordinal) ? ordinal : nil
  }

  /// The name of the calendar that a VCALENDAR belongs to.
  func calendarName(of calendar: Int) -> String {
    calendarNames.map { $0.indices.contains(calendar) ? $0[calendar] : name } ?? name
  }

  /// The colours of its VCALENDARs.
  package var calendarColors: [String?] { calendars.map(\.color) }

  /// Whether the costly rules of a component are left out, by its ordinal.
  package func omitsCostlyRules(ofComponent ordinal: Int) -> Bool {
    ordinal >= firstWithoutCostlyRules && stubs.indices.contains(ordinal)
      && stubs[ordinal].ruleWork > 0
  }

  private static func differentNames(
    _ calendars: [ScannedCalendar], _ name: String
  ) -> [String]? {
    guard Set(calendars.compactMap(\.name)).count > 1 else { return nil }
    return calendars.map { $0.name ?? name }
  }

  /// The messages of a mail are about the events of all calendars, unless the user named one.
  private static func scope(
    of scan: ScanResult, _ options: CalendarReader.Options
  ) -> Message.Scope {
    let isMail =
      options.calendar == nil && !scan.stubs.isEmpty
      && scan.stubs.allSatisfy {
        let calendar = scan.calendars[Int($0.calendar)]
        return calendar.isMessage || calendar.isAddition
      }
    return isMail ? .allCalendars : .calendar
  }
}

// MARK: Events

extension CalendarFile {
  /// Its events, tasks and journals in the order of the file; with a window, those that can affect
  /// it.
  public var events: [Event] { window.map(events(touching:)) ?? allEvents }

  /// All of its events.
  public var allEvents: [Event] { events(at: Array(stubs.indices)) }

  /// The events that can affect a span of time. If one component of a UID may touch the span, all
  /// components of the UID are included, because one can replace, move or outdate another.
  public func events(touching span: Range<Instant>) -> [Event] {
    events(withUIDs: uids(touching: span))
  }

  /// The digests of UIDs with a component that may touch a span of time.
  func uids(touching span: Range<Instant>) -> Set<UInt64> {
    let first = span.lowerBound.utc.date.dayNumber
    let last = span.upperBound.utc.date.dayNumber
    var uids: Set<UInt64> = []
    for stub in stubs where stub.firstDay <= last && stub.lastDay >= first {
      uids.insert(stub.uidDigest)
    }
    return uids
  }

  /// The events of some UIDs.
  package func events(withUIDs uids: Set<UInt64>) -> [Event] {
    if uids.isEmpty { return [] }
    let digests = uidDigests
    return events(at: stubs.indices.filter { uids.contains(digests[$0]) })
  }

  /// The digests of the UIDs of its components. Those of stored components are known by other means,
  /// unless there are messages about them.
  var uidDigests: [UInt64] {
    if numbers == nil { return stubs.map(\.uidDigest) }
    var decoder = EventDecoder(self)
    return stubs.map { decoder.uidDigest(of: $0) }
  }

  package func events(at ordinals: [Int]) -> [Event] {
    // Starting a thread takes as long as some hundred events.
    let fewest = 1000
    let count = min(threads, ordinals.count / fewest)
    guard count > 1 else { return Self.events(at: ordinals[...], of: self) }
    let parts = Workers.results(count) { number in
      let part = ordinals.count * number / count..<ordinals.count * (number + 1) / count
      return Self.events(at: ordinals[part], of: self)
    }
    return parts.flatMap(\.self)
  }

  private static func events(at ordinals: ArraySlice<Int>, of file: CalendarFile) -> [Event] {
    var decoder = EventDecoder(file)
    var events: [Event] = []
    events.reserveCapacity(ordinals.count)
    for ordinal in ordinals {
      if let event = decoder.event(at: ordinal) { events.append(event) }
      file.release(ordinal..<ordinal + 1)
    }
    return events
  }

  /// The number of components that became events, tasks or journals.
  public var eventCount: Int { stubs.count }

  /// Passes each event with the bytes of its component, in the order of the file, without keeping
  /// them.
  public func forEachEvent<Failure: Error>(
    in ordinals: Range<Int>? = nil,
    _ body: (_ event: Event, _ component: UnsafeBufferPointer<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    var decoder = EventDecoder(self)
    let range = (ordinals ?? 0..<stubs.count).clamped(to: 0..<stubs.count)
    for ordinal in range {
      guard let event = decoder.event(at: ordinal) else { continue }
      try body(event, text.bytes.bytes(stubs[ordinal].range))
    }
  }

  /// Passes each event with its details, the bytes of its component and, by their numbers, those of
  /// its inline attachments. All are read in one pass, and none is kept. With `timesOnly`, events have
  /// no texts, and of the details only alarms and attachments are read.
  package func forEachEventWithDetails(
    in ordinals: Range<Int>, timesOnly: Bool = false,
    _ body: (
      _ event: Event, _ details: EventDetails, _ component: UnsafeBufferPointer<UInt8>,
      _ attachmentBytes: (Int) -> [UInt8]?
    ) -> Void
  ) {
    var decoder = EventDecoder(self, timesOnly ? .times : .eventAndDetails)
    for ordinal in ordinals.clamped(to: 0..<stubs.count) {
      guard let event = decoder.event(at: ordinal) else { continue }
      body(event, decoder.details.details, text.bytes.bytes(stubs[ordinal].range)) {
        decoder.details.attachmentBytes($0)
      }
    }
  }

  /// Allows the memory of the components in a range of ordinals to be freed; see
  /// `SourceBytes.release`.
  package func release(_ ordinals: Range<Int>) {
    guard let first = ordinals.first, let last = ordinals.last, stubs.indices.contains(first),
      stubs.indices.contains(last)
    else { return }
    let start = stubs[first].range.lowerBound
    text.bytes.release(start..<max(start, stubs[last].range.upperBound))
  }

  /// Passes the bytes of a component from BEGIN to END, as in the source. `number` is the one in
  /// the reference of its event.
  public func withComponent<Result>(
    _ number: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result? {
    stub(number).map { body(text.bytes.bytes($0.range)) }
  }

  /// What the component of an event says. `number` is that of the component.
  package func content(of event: Event, component number: Int? = nil) -> EventContent {
    let text = withComponent(number ?? event.reference.component) { Array($0) } ?? []
    let meaning = ComponentMeaning(text)
    return EventContent(
      event, meaning: meaning.all, lasting: meaning.lasting, text: meaning.text)
  }

  /// The line on which a component begins.
  public func line(ofComponent number: Int) -> Int? {
    stub(number).map { Int($0.line) }
  }

  /// The X-WR-TIMEZONE of the VCALENDAR of a component.
  package func zoneName(ofCalendarOf number: Int) -> String? {
    stub(number).flatMap { calendars[Int($0.calendar)].zoneName?.text }
  }

  func stub(_ number: Int) -> ComponentStub? {
    ordinal(ofComponent: number).map { stubs[$0] }
  }
}
