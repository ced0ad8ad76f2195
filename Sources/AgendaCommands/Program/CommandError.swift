internal import CommandLineOptions

/// The reason why a command stops.
enum CommandError: Error {
  /// The command line has a wrong value: exit status 2.
  case wrongUsage(String)
  /// The value of an option is wrong, which the command line or the configuration has: exit status 2.
  case wrongValue(Option, String)
  /// It cannot be done: exit status 1.
  case failed(String)
  /// No entry has this name: exit status 1.
  case unknownEntry(String)
  /// The reader of standard output has closed it, so there is nothing more to print.
  case readerHasGone
  /// The full screen ended with this exit status, because the process got a signal.
  case endedBySignal(status: Int32)
  /// Standard output could not be written, with the system's reason.
  case cannotWrite(String)
}

extension CommandError: CustomStringConvertible {
  var description: String {
    switch self {
    case .wrongUsage(let message), .failed(let message), .unknownEntry(let message): message
    case .wrongValue(let option, let reason): "\(option.spelling): \(reason)"
    case .endedBySignal(let status): "ended by signal \(status - 128)"
    case .readerHasGone: "standard output was closed"
    case .cannotWrite(let reason): "cannot write to standard output: \(reason)"
    }
  }
}
