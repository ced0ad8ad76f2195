/// How an address is fetched. The store keeps these settings, and `refresh` uses them again.
public struct FetchSettings: Hashable, Sendable {
  /// The time limit for a request in seconds; `nil` for the default.
  public var timeout: Int?
  /// The largest answer in bytes; `nil` for the default.
  package var maxSize: Int?
  /// The path of a file with certificates to trust; `nil` for those of the system.
  public var certificates: String?
  /// A shell command that prints the password; `nil` if none is needed.
  public var passwordCommand: String?

  /// The user's name on a CalDAV server; `nil` if it is not known.
  public var user: String?
  /// A shell command that prints a token for Bearer authentication on a CalDAV server; `nil` if none is
  /// needed.
  public var tokenCommand: String?
  /// Other origins that get the credentials of a CalDAV server, such as `https://p42.example.com`.
  package var trustedOrigins: [String] = []
  /// The names of the calendars of a CalDAV server that are imported; `nil` for all.
  public var chosenCalendars: [String]?

  /// The default settings.
  public init() {}

  /// Whether some of them are for CalDAV servers only.
  package var isForServer: Bool {
    user != nil || tokenCommand != nil || !trustedOrigins.isEmpty || chosenCalendars != nil
  }

  /// These settings. `others` provides the missing ones.
  package func completed(by others: FetchSettings) -> FetchSettings {
    var settings = self
    settings.timeout = timeout ?? others.timeout
    settings.maxSize = maxSize ?? others.maxSize
    settings.certificates = certificates ?? others.certificates
    settings.passwordCommand = passwordCommand ?? others.passwordCommand
    return settings
  }
}

/// The record of a source's address in the store.
package struct SubscriptionRecord: Equatable, Sendable {
  package var settings: FetchSettings
  package var state: Subscription

  package init(settings: FetchSettings = FetchSettings(), state: Subscription = Subscription()) {
    self.settings = settings
    self.state = state
  }
}
