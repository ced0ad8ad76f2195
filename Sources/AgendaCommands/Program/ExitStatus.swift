/// How the program ends.
package struct ExitStatus: RawRepresentable, Hashable, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// Done; there may be warnings on standard error.
  package static let done = ExitStatus(rawValue: 0)
  /// Something was rejected or failed. The rest was done.
  package static let failed = ExitStatus(rawValue: 1)
  /// The command line was wrong; nothing was done.
  package static let wrongCommandLine = ExitStatus(rawValue: 2)
}
