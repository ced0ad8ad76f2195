/// A source in the store: its location, and the calendar that its events belong to.
public struct ImportedSource: Hashable, Sendable {
  /// The kind of a source.
  package enum Kind: Int, Hashable, Sendable {
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
    /// What the user decided about events of sources that agenda does not write: hidden events and
    /// answers to invitations.
    case decisions
    /// A calendar on a CalDAV server.
    case server
  }

  /// The kind of the source.
  package var kind: Kind
  /// The absolute path, the address or the name that identifies the source in later imports.
  public package(set) var location: String
  /// The calendar of its events; empty if it has none, because it is a mail about events of other
  /// sources, or a decision of the user about them.
  public package(set) var calendar: String
  /// Whether the user chose the name of the calendar. Otherwise each import uses the name in the
  /// source.
  package var hasExplicitName: Bool
  /// The colour of the calendar (COLOR); `nil` if it has none.
  package var color: String?
  /// The encoding that the user set; `nil` if it is detected.
  package var encoding: String?

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
