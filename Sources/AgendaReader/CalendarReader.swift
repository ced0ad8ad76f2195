package import AgendaCore
public import CivilTime
internal import ICalendar
internal import Platform

/// Reads calendars from bytes. Content that cannot be read becomes a finding, and never prevents
/// reading the rest.
public struct CalendarReader: Sendable {
  public struct Options: Sendable {
    /// The encoding of the source; `nil` to detect it.
    package var encoding: TextEncoding?
    /// The name of the calendar. It overrides the name in the source.
    public var calendar: String?
    /// The only span of time that the caller needs. Components that cannot touch it are checked and
    /// counted, but become no event.
    public var window: Range<Instant>?
    /// The number of the source in the references of events.
    public var source = 0
    /// The number of the first component in references.
    public var firstComponent = 0
    /// Which events messages are about; `nil` if the source itself decides that.
    package var messageScope: Message.Scope?
    /// The work of the rules in earlier files of the same folder.
    package var ruleWork = 0
    /// A source with more bytes is refused; one of 2 GiB or more always is.
    public var mostBytes = SourceBytes.usualLimit
    /// The number of parts of a large source that are read at once.
    public var threads: Int
    /// Scanning a part smaller than this takes less time than starting a thread.
    package var smallestPart = 2 << 20

    public init() {
      threads = Workers.usefulCount
    }
  }

  /// The version of libical that agenda was built with.
  package static var libicalVersion: String { Libical.version }

  public var options: Options
  let names: ZoneNames

  /// `zones` provides the rules of the zones that a source names.
  public init(zones: ZoneDatabase, options: Options = Options()) {
    names = ZoneNames(database: zones)
    self.options = options
  }

  /// Reads a source: a calendar, or a mail with calendars. If neither the options nor the source name its calendar, it is called `name`.
  public func read(_ source: SourceBytes, name: String) throws(ReaderError) -> CalendarFile {
    let limit = min(options.mostBytes, Int(Int32.max) - 1)
    guard source.count <= limit else { throw .tooLarge(limit: limit) }
    if let format = ForeignFormat(withoutText: source.bytes) { throw .notACalendar(format) }
    let mail = try MailCalendars(source.bytes, encoding: options.encoding)
    var decoded: SourceText
    if let mail, !mail.text.isEmpty {
      decoded = try SourceText(SourceBytes(mail.text), encoding: .utf8)
      decoded.findings += mail.findings
    } else {
      decoded = try SourceText(source, encoding: options.encoding)
    }
    let text = decoded.withoutNULs()
    let scan = ThreadedScan.scan(
      text, threads: options.threads, smallestPart: options.smallestPart)
    guard scan.hasCalendar else {
      throw .notACalendar(mail == nil ? ForeignFormat(decoded.withoutMark) : .mail)
    }
    let zones = SourceZones(scan, of: text.bytes.bytes, names: names)
    let calendar = options.calendar ?? scan.calendars.lazy.compactMap(\.name).first ?? name
    func file(_ findings: [Finding]) -> CalendarFile {
      CalendarFile(
        text, scan, zones: zones, findings: findings, name: calendar, options: options)
    }
    return file(SourceFindings.all(text, scan, zones, of: file([])))
  }
}
