internal import AgendaCore
public import CivilTime
internal import ICalendar
internal import Platform

/// Reads calendars from bytes. Nothing is lost and nothing is trusted: what cannot be read is a
/// finding, and costs no neighbour.
public struct CalendarReader: Sendable {
  public struct Options: Sendable {
    /// The encoding of the source; `nil` to detect it.
    public var encoding: TextEncoding?
    /// The name of the calendar, whatever the source says.
    public var calendar: String?
    /// The only span of time that matters: components that cannot touch it are checked and
    /// counted, but make no event.
    public var window: Range<Instant>?
    /// The number that the events carry in their references.
    public var source = 0
    /// The number that the first component carries in its reference.
    public var firstComponent = 0
    /// How many costly rules the files of the same folder have that were read before.
    package var costlyRules = 0
    /// A source with more bytes is refused; one of 2 GiB or more always is.
    public var mostBytes = SourceBytes.usualLimit
    /// As many parts of a large source are read at once.
    public var threads: Int
    /// A part smaller than this is scanned before a thread for it would have begun.
    package var smallestPart = 2 << 20

    public init() {
      threads = Workers.usefulCount
    }
  }

  /// The version of libical that agenda was built with.
  package static var libicalVersion: String { Libical.version }

  public var options: Options
  private let names: ZoneNames

  /// `zones` gives the rules of the zones that a source names.
  public init(zones: ZoneDatabase, options: Options = Options()) {
    names = ZoneNames(database: zones)
    self.options = options
  }

  /// Reads a source. `name` names its calendar where neither the options nor the source do.
  public func read(_ source: SourceBytes, name: String) throws(ReaderError) -> CalendarFile {
    let limit = min(options.mostBytes, Int(Int32.max) - 1)
    guard source.count <= limit else { throw .tooLarge(limit: limit) }
    let format = ForeignFormat(source.bytes)
    if format == .empty || format == .gzip || format == .zip { throw .notACalendar(format) }
    let decoded = try SourceText(source, encoding: options.encoding)
    let text = decoded.withoutNULs()
    let scan = ThreadedScan.scan(
      text, threads: options.threads, smallestPart: options.smallestPart)
    guard scan.hasCalendar else { throw .notACalendar(ForeignFormat(decoded.withoutMark)) }
    let zones = SourceZones(scan, of: text.bytes.bytes, names: names)
    let calendar = options.calendar ?? scan.calendars.lazy.compactMap(\.name).first ?? name
    func file(_ findings: [Finding]) -> CalendarFile {
      CalendarFile(
        text, scan, zones: zones, findings: findings, name: calendar, options: options)
    }
    return file(SourceFindings.all(text, scan, zones, of: file([])))
  }
}
