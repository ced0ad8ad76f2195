/// What a person can be asked about a server. Each answer is `nil` or `false` if nobody answers.
package struct ServerQuestions {
  /// The user's name and password for an origin. The name is given if it is known.
  package var password: (_ user: String?, _ origin: String) -> (user: String, password: String)? = {
    _, _ in nil
  }
  /// Whether the credentials may go to another origin.
  package var trust: (_ origin: String) -> Bool = { _ in false }

  package init() {}
}
