/// How the address of a source is fetched, as far as the user said so. `refresh` uses it again.
public struct FetchSettings: Hashable, Sendable {
  /// In seconds.
  public var timeout: Int?
  /// In bytes.
  public var maxSize: Int?
  /// The path of a file of certificates to trust.
  public var certificates: String?
  /// A command of the shell that prints the password.
  public var passwordCommand: String?

  public init() {}

  /// These settings where they say something, otherwise `others`.
  package func completed(by others: FetchSettings) -> FetchSettings {
    var settings = self
    settings.timeout = timeout ?? others.timeout
    settings.maxSize = maxSize ?? others.maxSize
    settings.certificates = certificates ?? others.certificates
    settings.passwordCommand = passwordCommand ?? others.passwordCommand
    return settings
  }
}

/// What the store keeps about the address of a source.
package struct SubscriptionRecord: Equatable, Sendable {
  package var settings: FetchSettings
  package var state: Subscription

  package init(settings: FetchSettings = FetchSettings(), state: Subscription = Subscription()) {
    self.settings = settings
    self.state = state
  }
}
