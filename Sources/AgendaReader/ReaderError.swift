/// The reason why a source could not be read at all.
public enum ReaderError: Error, Hashable, Sendable {
  case notACalendar(ForeignFormat)
  /// It has more bytes than the limit of the reader.
  case tooLarge(limit: Int)
  /// The system's reason, such as `No such file or directory`.
  case cannotRead(reason: String)
  /// A FIFO, a device or a socket. Reading it could block for ever.
  case notAFile(kind: String)
  /// A link to a file that is not in the same folder.
  case linkOutOfFolder
  case noCalendarsInFolder
  /// The C library cannot convert the encoding of the source.
  case noConverter(encoding: String)
}

extension ReaderError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notACalendar(let format): "not an iCalendar file: \(format)"
    case .tooLarge(let limit): "larger than \(limit / (1 << 20)) MiB"
    case .cannotRead(let reason): reason
    case .notAFile(let kind): "\(kind), not a file"
    case .linkOutOfFolder: "a link to a file in another folder"
    case .noCalendarsInFolder: "no .ics file in this folder"
    case .noConverter(let encoding):
      "no converter for \(encoding) is installed; Debian has it in the package "
        + "libc-gconv-modules-extra or libc6, Fedora in glibc-gconv-extra"
    }
  }
}
