/// The zone of a name, and how it was found.
public struct ZoneResolution: Hashable, Sendable {
  /// `nil` if the name is unknown.
  public let zone: Zone?
  public let source: Source

  public enum Source: Hashable, Sendable {
    /// The database has the name, or what follows a vendor's prefix: `/mozilla.org/20070129_1/Europe/Berlin`.
    case database
    /// The name is an offset: `GMT+05:30`.
    case fixedOffset
    /// The name means one of the database: a Windows zone, a label of Outlook's, the X-LIC-LOCATION of a
    /// VTIMEZONE.
    case otherName
    /// The database has a similar name, which is probably meant: `America_New_York`, `"Europe/Berlin"`.
    case similarName
    /// The rules of the file's VTIMEZONE.
    case definition
    /// It is unknown: its times are floating.
    case unresolved
  }

  package init(zone: Zone?, source: Source) {
    self.zone = zone
    self.source = source
  }

  package static let unresolved = ZoneResolution(zone: nil, source: .unresolved)

  /// Whether people may want to know how the name was read: it is not one of the database.
  public var needsMention: Bool { source != .database && source != .fixedOffset }

  /// Whether the name may mean something else. Windows names and VTIMEZONEs are as good as names of
  /// the database.
  public var isDoubtful: Bool { source == .similarName || source == .unresolved }
}
