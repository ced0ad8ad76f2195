package import CivilTime

/// A finding, and the source that it is about.
public struct SourceFinding: Hashable, Sendable {
  /// The name of the source: a path, `-`, or the origin of an address.
  public package(set) var source: String
  /// The problem.
  public package(set) var finding: Finding

  /// A finding of the source with this name.
  package init(source: String, finding: Finding) {
    self.source = source
    self.finding = finding
  }
}

/// The result of reading or importing one source.
public struct SourceReport: Hashable, Sendable {
  /// The name of the source: a path, `-`, or the origin of an address.
  public package(set) var source: String
  /// The calendar of the events; `nil` if the source could not be read.
  public package(set) var calendar: String?
  /// The calendars of the source if its VCALENDARs name different ones, as those of a backup do.
  package var calendars: [String] = []
  /// The previous calendar of the source in the store, if the import moved it to another one.
  package var previousCalendar: String?
  /// The number of events and tasks in the source. An override counts separately. It is always the sum
  /// of `added`, `updated`, `unchanged`, `superseded` and `rejected`.
  package var components: Int
  /// The number of new events and tasks.
  public package(set) var added: Int
  /// The number of events and tasks that replace an earlier version in the store.
  public package(set) var updated: Int
  /// The number of events and tasks that the store had and the source no longer has.
  public package(set) var removed: Int
  /// The number of events and tasks that are the same as before.
  public package(set) var unchanged: Int
  /// The number of exact duplicates, and of versions that the same source replaces by a later one.
  package var superseded: Int
  /// The number of events and tasks that cannot be read. `problems` has the reasons.
  public package(set) var rejected: Int
  /// The number of journals (VJOURNAL). `components` does not include them.
  package var journals: Int
  /// The number of busy times (VFREEBUSY). `components` does not include them.
  package var freeBusy: Int
  /// Why the whole source was refused; `nil` if it was read. After an error, all counts are 0.
  public package(set) var error: String?
  /// Why the source was refused although it can be read.
  package var refusal: SourceRefusal?
  /// What the user can do about the error.
  package var remedy: SourceRemedy?
  /// The events of earlier imports that stay in the store because the source could not be read.
  package var kept: Kept?
  /// How fetching the source went; `nil` if it has no address.
  package var remote: Remote?
  /// What was exchanged with the server; `nil` if the source is not a calendar of a CalDAV server.
  package var exchange: ServerExchange?
  /// The problems of the source. Each names its file, which is a file of the folder if the source is a
  /// folder.
  public package(set) var problems: [SourceFinding]
  /// The problems that earlier imports have not reported. `agenda refresh` prints only these.
  package var newProblems: [SourceFinding]

  /// A report with these counts.
  package init(
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

  /// The numbers of calendar objects that `import` or `refresh` exchanged with a CalDAV server.
  package struct ServerExchange: Hashable, Sendable {
    /// Own changes that the server has accepted.
    package var sent = 0
    /// Objects that the server had in another version, or not any more.
    package var received = 0
    /// Own changes that wait to be sent.
    package var waiting = 0
    /// Objects that both sides changed, and that the user has to decide about.
    package var conflicts = 0
    /// How many of them this exchange has found.
    package var newConflicts = 0

    package init() {}
  }

  /// Events and tasks of an earlier import.
  package struct Kept: Hashable, Sendable {
    /// The number of events and tasks.
    package var count: Int
    /// When they were last known to be current.
    package var since: Instant?

    /// Events and tasks of an earlier import, and when they were last known to be current.
    package init(count: Int, since: Instant?) {
      self.count = count
      self.since = since
    }
  }

  /// How fetching a source from its address went.
  package struct Remote: Hashable, Sendable {
    /// Why the address was not fetched; `nil` if it was.
    package var pause: Pause?
    /// Whether the failure need not be reported yet, because the user asked for stale calendars only.
    package var isSilent = false

    /// A source that was fetched.
    package init() {}
  }

  /// Why an address was not fetched.
  package struct Pause: Hashable, Sendable {
    /// When the pause ends.
    package var end: Instant
    /// The reason in words, such as `still current`.
    package var reason: String

    package init(_ pause: Subscription.Pause) {
      end = pause.end
      reason =
        switch pause.reason {
        case .fresh: "still current"
        case .failure: "waiting after a failure"
        case .retryAfter: "the server asked to wait"
        case .gone: "gone for good (410)"
        }
    }
  }
}
