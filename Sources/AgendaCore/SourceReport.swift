public import CivilTime

/// A finding with the source that it speaks of.
public struct SourceFinding: Hashable, Sendable {
  /// The source's name as people know it: a path, `-`, the origin of a URL.
  public var source: String
  public var finding: Finding

  public init(source: String, finding: Finding) {
    self.source = source
    self.finding = finding
  }
}

/// What came of reading, or of importing, one source.
///
/// `components` is always the sum of what was added, updated, unchanged, superseded and rejected, so
/// that nothing disappears without a line.
public struct SourceReport: Hashable, Sendable {
  public var source: String
  public var calendar: String?
  /// The calendar of the store that the source was in before, where it went into another one.
  public var previousCalendar: String?
  public var components: Int
  public var added: Int
  public var updated: Int
  public var removed: Int
  public var unchanged: Int
  /// Exact duplicates, and versions that a later one in the same source replaces.
  public var superseded: Int
  public var rejected: Int
  /// The journals (VJOURNAL) and busy times (VFREEBUSY) of the source, which `components` leaves out.
  public var journals: Int
  public var freeBusy: Int
  /// Why the source was refused as a whole; then all counts are 0.
  public var error: String?
  /// What the user can do about the error.
  public var advice: String?
  /// What the store still has of a source that could not be read.
  public var kept: Kept?
  /// How fetching the source went; `nil` if it has no address.
  public var remote: Remote?
  /// Each with the file that it is in: one of a folder, else the source itself.
  public var problems: [SourceFinding]
  /// Those that no earlier import reported: `refresh` prints only these.
  public var newProblems: [SourceFinding]

  public init(
    source: String, calendar: String?, previousCalendar: String? = nil, components: Int = 0,
    added: Int = 0, updated: Int = 0,
    removed: Int = 0, unchanged: Int = 0, superseded: Int = 0, rejected: Int = 0,
    journals: Int = 0, freeBusy: Int = 0, error: String? = nil, problems: [SourceFinding] = []
  ) {
    self.source = source
    self.calendar = calendar
    self.previousCalendar = previousCalendar
    self.components = components
    self.added = added
    self.updated = updated
    self.removed = removed
    self.unchanged = unchanged
    self.superseded = superseded
    self.rejected = rejected
    self.journals = journals
    self.freeBusy = freeBusy
    self.error = error
    self.problems = problems
    newProblems = problems
  }

  /// Events and tasks of an earlier import.
  public struct Kept: Hashable, Sendable {
    public var count: Int
    /// When they were last known to be current.
    public var since: Instant?

    public init(count: Int, since: Instant?) {
      self.count = count
      self.since = since
    }
  }

  /// How fetching a source from its address went.
  public struct Remote: Hashable, Sendable {
    /// The address was not asked.
    public var pause: Pause?
    /// The user asked not to hear of this failure yet.
    public var isSilent = false

    public init() {}
  }

  /// Why an address was not asked.
  public struct Pause: Hashable, Sendable {
    /// `nil`: until the user forces it.
    public var end: Instant?
    public var reason: String

    package init(_ pause: Subscription.Pause) {
      switch pause.reason {
      case .fresh: (end, reason) = (pause.end, "still current")
      case .failure: (end, reason) = (pause.end, "waiting after a failure")
      case .retryAfter: (end, reason) = (pause.end, "the server asked to wait")
      case .gone: (end, reason) = (nil, "gone for good (410)")
      }
    }
  }
}
