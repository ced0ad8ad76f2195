/// The zone of a name, and how it was found.
public struct ZoneResolution: Hashable, Sendable {
  /// `nil` if the name is unknown.
  public let zone: Zone?
  public let source: Source

  /// In the order in which they are tried.
  public enum Source: Hashable, Sendable {
    /// The database has the name, ignoring letter case.
    case database
    /// The database has what follows a vendor's prefix: `/mozilla.org/20070129_1/Europe/Berlin`.
    case vendorPrefix
    /// The database has it without something around it: quotes, blanks, a ` 1` at the end.
    case trimmed
    /// The database has it with slashes where the name has other characters: `America_New_York`.
    case otherSeparators
    /// A Windows zone, by CLDR's table.
    case windowsName(String)
    /// A label of Outlook's, and the Windows zone that it is shown for.
    case outlookLabel(windowsName: String)
    /// The name is an offset: `GMT+05:30`.
    case fixedOffset
    /// The X-LIC-LOCATION of the file's VTIMEZONE.
    case location(String)
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
  public var needsMention: Bool {
    switch source {
    case .database, .vendorPrefix, .fixedOffset: false
    case .trimmed, .otherSeparators, .windowsName, .outlookLabel, .location, .definition,
      .unresolved:
      true
    }
  }

  /// Whether the name may mean something else. Windows names and VTIMEZONEs are as good as names of
  /// the database.
  public var isDoubtful: Bool {
    switch source {
    case .database, .vendorPrefix, .fixedOffset, .windowsName, .outlookLabel, .location,
      .definition:
      false
    case .trimmed, .otherSeparators, .unresolved: true
    }
  }
}

extension ZoneResolution.Source: CustomStringConvertible {
  public var description: String {
    switch self {
    case .database: "the time zone database"
    case .vendorPrefix: "the time zone database, without the vendor's prefix"
    case .trimmed: "the time zone database, with the name cleaned up"
    case .otherSeparators: "the time zone database, with slashes in the name"
    case .windowsName(let name): "the Windows time zone \"\(name)\""
    case .outlookLabel(let name): "Outlook's label of the Windows time zone \"\(name)\""
    case .fixedOffset: "the offset in the name"
    case .location(let name): "the X-LIC-LOCATION \"\(name)\" of the file"
    case .definition: "the VTIMEZONE of the file"
    case .unresolved: "nothing"
    }
  }
}
