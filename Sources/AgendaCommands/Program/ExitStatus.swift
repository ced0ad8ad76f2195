/// How the program ends.
package enum ExitStatus: Int32, Sendable {
  /// Done; there may be warnings on standard error.
  case done = 0
  /// Something was rejected or failed. The rest was done.
  case failed = 1
  /// The command line was wrong; nothing was done.
  case wrongCommandLine = 2
}
