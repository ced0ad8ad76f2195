package import AgendaCore

/// A source in the store: its location, and the calendar that its events belong to.
public struct ImportedSource: Hashable, Sendable {
  /// The kind of a source.
  public enum Kind: Int, Hashable, Sendable {
    /// An .ics file.
    case file
    /// A folder of .ics files.
    case folder
    /// Text that was read from standard input.
    case standardInput
    /// An address that is fetched.
    case url
    /// The store's own calendar, which contains events that were added without a folder.
    case local
  }

  /// The kind of the source.
  public var kind: Kind
  /// The absolute path, the address or the name that identifies the source in later imports.
  public var location: String
  /// The calendar of its events.
  public var calendar: String
  /// Whether the user chose the name of the calendar. Otherwise each import uses the name in the
  /// source.
  public var hasExplicitName: Bool
  /// The colour of the calendar (COLOR); `nil` if it has none.
  public var color: String?
  /// The encoding that the user set; `nil` if it is detected.
  public var encoding: String?

  package init(
    kind: Kind, location: String, calendar: String, hasExplicitName: Bool = false,
    color: String? = nil,
    encoding: String? = nil
  ) {
    self.kind = kind
    self.location = location
    self.calendar = calendar
    self.hasExplicitName = hasExplicitName
    self.color = color
    self.encoding = encoding
  }
}

/// The status of a file. As long as the status is the same, the bytes are the same too.
///
/// The rule is that of git: the status is not trusted if the file was changed so shortly before the
/// import that a later change could have the same time.
package struct FileFingerprint: Hashable, Sendable {
  package var size: Int
  /// Nanoseconds since 1970 of the last change of its bytes, and of the last change of the file or
  /// its attributes.
  package var modified: Int
  package var changed: Int
  package var inode: Int

  package init(size: Int, modified: Int, changed: Int, inode: Int) {
    self.size = size
    self.modified = modified
    self.changed = changed
    self.inode = inode
  }

  private static let shortlyBefore = 2_000_000_000

  /// Whether its last change was so long before `now`, in nanoseconds since 1970, that a later
  /// change has another time.
  package func isTrusted(at now: Int) -> Bool {
    max(modified, changed) < now - Self.shortlyBefore
  }
}

/// One file of a source, for an import.
package struct ImportedDocument: Sendable {
  /// Its name within a folder. The only document of any other source has an empty name.
  package var name: String
  package var fingerprint: FileFingerprint?
  /// `SourceImport.digest(of:)` of its bytes.
  package var digest: Int?
  /// A digest of everything except the components' own bytes that affects their meaning: the
  /// versions of agenda and of the zone rules, the encoding, the VTIMEZONEs and X-WR-TIMEZONE.
  package var interpretation: Int
  /// The content lines of each of its VCALENDARs, each ending with LF or CRLF; the first has the
  /// lines outside any VCALENDAR.
  package var calendarProperties: [[UInt8]]
  /// Components other than events, tasks and journals: VTIMEZONEs and unknown ones.
  package var parts: [Part]
  package var findings: [Finding]
  /// VEVENTs and VTODOs that begin in it.
  package var components: Int
  /// The number of those that could not be read.
  package var rejected: Int
  /// VJOURNALs and VFREEBUSYs that begin in it.
  package var journals: Int
  package var rejectedJournals: Int
  package var freeBusy: Int
  /// It ends within a component, or can't be read. Events that are missing from it are kept.
  package var isTruncated: Bool

  package struct Part: Hashable, Sendable {
    /// `VTIMEZONE`, …
    package var kind: String
    package var bytes: [UInt8]
    /// The number of its VCALENDAR within the document.
    package var calendarObject: Int

    package init(kind: String, bytes: [UInt8], calendarObject: Int = 0) {
      self.kind = kind
      self.calendarObject = calendarObject
      self.bytes = bytes
    }
  }

  package init(
    name: String = "", fingerprint: FileFingerprint? = nil, digest: Int? = nil,
    interpretation: Int = 0, calendarProperties: [[UInt8]] = [], parts: [Part] = [],
    findings: [Finding] = [], components: Int, rejected: Int = 0,
    journals: Int = 0, rejectedJournals: Int = 0, freeBusy: Int = 0, isTruncated: Bool = false
  ) {
    self.name = name
    self.fingerprint = fingerprint
    self.digest = digest
    self.interpretation = interpretation
    self.calendarProperties = calendarProperties
    self.parts = parts
    self.findings = findings
    self.components = components
    self.rejected = rejected
    self.journals = journals
    self.rejectedJournals = rejectedJournals
    self.freeBusy = freeBusy
    self.isTruncated = isTruncated
  }
}

/// A component, for an import.
package enum ImportedComponent: Sendable {
  /// `KnownComponents` has its bytes, so it was not decoded.
  case known(ComponentDigest, kind: Event.Kind, line: Int)
  case read(ComponentRecord, line: Int)
  /// A cancellation. It does not count, because the cancelled event counts instead.
  case merged(kind: Event.Kind)
  /// An answer to an invitation. It is neither an event nor a version of one.
  case answer(kind: Event.Kind)
  /// The override that an answer to one occurrence makes. The answer itself is counted.
  case answeredOccurrence(AnsweredOccurrence, line: Int)

  package struct AnsweredOccurrence: Sendable {
    let override: Event
    let answers: [String: String]
    /// What its series is called among the files that are read together.
    let series: EventReference
    let calendarObject: Int
    /// Makes the template from the series.
    let template: @Sendable () -> OverrideTemplate?

    package init(
      _ override: Event, answers: [String: String], series: EventReference, calendarObject: Int,
      template: @escaping @Sendable () -> OverrideTemplate?
    ) {
      self.override = override
      self.answers = answers
      self.series = series
      self.calendarObject = calendarObject
      self.template = template
    }
  }
}
