internal import AgendaCore
internal import AgendaStore
internal import FetchProtocol
internal import Platform

/// Who the user is on a server. Passwords and tokens are asked for in each run and are kept nowhere:
/// they come from a command, from the keyring of the system, or from a person.
struct ServerAccount {
  var row: AccountRow
  private var typed: (user: String, password: String)?

  init(_ row: AccountRow) { self.row = row }

  /// The settings of a command line take the place of those that were remembered.
  mutating func take(_ settings: FetchSettings) {
    row.user = settings.user ?? row.user
    row.passwordCommand = settings.passwordCommand ?? row.passwordCommand
    row.tokenCommand = settings.tokenCommand ?? row.tokenCommand
    if settings.tokenCommand != nil, settings.passwordCommand == nil { row.passwordCommand = nil }
    if settings.passwordCommand != nil, settings.tokenCommand == nil { row.tokenCommand = nil }
    row.timeout = settings.timeout ?? row.timeout
    row.maxSize = settings.maxSize ?? row.maxSize
    row.certificates = settings.certificates ?? row.certificates
    for origin in settings.trustedOrigins where !row.trustedOrigins.contains(origin) {
      row.trustedOrigins.append(origin)
    }
  }

  /// The account that the store has under another address, with the settings of this one.
  mutating func join(_ known: AccountRow) {
    var joined = known
    joined.user = row.user ?? known.user
    if row.passwordCommand != nil || row.tokenCommand != nil {
      joined.passwordCommand = row.passwordCommand
      joined.tokenCommand = row.tokenCommand
    }
    joined.timeout = row.timeout ?? known.timeout
    joined.maxSize = row.maxSize ?? known.maxSize
    joined.certificates = row.certificates ?? known.certificates
    joined.trustedOrigins += row.trustedOrigins.filter { !known.trustedOrigins.contains($0) }
    row = joined
  }

  /// The origin, for people.
  var origin: String { SafeURL(row.address).map { "\($0.scheme)://\($0.origin)" } ?? row.address }

  mutating func login(
    _ questions: ServerQuestions, mustAsk: Bool = false
  ) throws(SourceError) -> ServerLogin {
    var login = ServerLogin()
    login.limits.seconds = row.timeout ?? login.limits.seconds
    login.limits.bytes = row.maxSize ?? login.limits.bytes
    login.certificates = row.certificates
    login.trustedOrigins = row.trustedOrigins
    login.user = row.user
    if let command = row.tokenCommand {
      let output = try PasswordCommand(
        command, seconds: login.limits.seconds, name: "token command")
      login.token = output.password
      return login
    }
    if let command = row.passwordCommand {
      let output = try PasswordCommand(command, seconds: login.limits.seconds)
      login.user = row.user ?? output.user
      login.password = output.password
      return login
    }
    if let user = row.user, !mustAsk, typed == nil, let password = keyringPassword(of: user) {
      login.password = password
      return login
    }
    if typed == nil, row.user != nil || mustAsk {
      typed = questions.password(row.user, origin)
      // Without an answer, ~/.netrc can have the password.
      row.user = typed?.user ?? row.user
    }
    login.user = typed?.user ?? row.user
    login.password = typed?.password
    return login
  }

  /// What the keyring of the desktop has (Secret Service). Docs/CalDAV.md shows how to put it there.
  private func keyringPassword(of user: String) -> String? {
    guard RunningProgram.path(of: "secret-tool") != nil, let url = SafeURL(row.address) else {
      return nil
    }
    let call = ProgramCall(
      "secret-tool", ["lookup", "service", "agenda", "server", url.host, "user", user],
      isRead: true)
    guard case .ended(status: 0, let output, _) = call.run(input: [], limit: .seconds(30)) else {
      return nil
    }
    let line = output.prefix { $0 != 0x0A }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }
}
