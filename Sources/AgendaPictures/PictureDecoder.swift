internal import AgendaCore
internal import Platform

/// The process that decodes pictures: this program again, started with an argument that no user
/// needs. It reads pictures from its standard input and writes thumbnails to its standard output, and
/// takes from itself everything else before it looks at the first.
///
/// Each picture is its format, the number of its bytes and the bytes; each answer a format of
/// thumbnails, or 0, the number of bytes and the bytes. `asksForColors` in the format asks for the colours
/// of a few pixels instead: the answer is this bit alone, the count, width, height and three bytes per pixel. One byte before the first answer says
/// whether libgd is installed.
package enum PictureDecoder {
  package static let argument = "--decode-pictures"

  static let hasLibrary = UInt8(ascii: "y")
  static let hasNoLibrary = UInt8(ascii: "n")
  static let asksForColors: UInt8 = 0x80
  /// A byte for the format, four for the count, the lowest first.
  static let headLength = 5

  static func head(_ format: UInt8, count: Int) -> [UInt8] {
    [format] + (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
  }

  /// Decodes pictures until the input ends. Returns the exit status.
  package static func run() -> Int32 {
    ProcessLimits.forbidCoreDumps()
    ProcessLimits.forbidWritingFiles()
    ProcessLimits.limitMemory(to: PictureLimit.memory)
    ProcessLimits.limitProcessorTime(toSeconds: mostSeconds)
    FileDescriptor.close(3..<64)
    guard let library = PictureLibrary() else {
      _ = write([hasNoLibrary])
      return 0
    }
    // From here on no file, socket or process can be opened, even if a picture takes over the library.
    ProcessLimits.forbidOpening()
    guard write([hasLibrary]) else { return 1 }
    while let head = read(headLength), let count = head.littleEndian(at: 1, count: 4) {
      guard let format = PictureFormat(rawValue: head[0] & ~asksForColors),
        count <= PictureLimit.bytes,
        var bytes = read(count)
      else { return 1 }
      ProcessLimits.limitProcessorTime(
        toFurtherSeconds: UInt64(PictureLimit.seconds), most: mostSeconds)
      if head[0] & asksForColors != 0 {
        let colors = library.colors(of: &bytes, format: format)
        let answer = colors.map { [UInt8($0.width), UInt8($0.height)] + $0.bytes } ?? []
        guard write(Self.head(colors == nil ? 0 : asksForColors, count: answer.count)),
          write(answer)
        else { return 1 }
        continue
      }
      let thumbnail = library.thumbnail(of: &bytes, format: format)
      let answer = Self.head(thumbnail?.format.rawValue ?? 0, count: thumbnail?.bytes.count ?? 0)
      guard write(answer), write(thumbnail?.bytes ?? []) else { return 1 }
    }
    return 0
  }

  /// Of the processor, for all pictures of a process. Each of them has less.
  private static let mostSeconds = UInt64(PictureLimit.secondsInAll * 2)

  private static func read(_ count: Int) -> [UInt8]? {
    let bytes = try? OpenFile(borrowing: 0).bytes(atMost: count)
    return bytes?.count == count ? bytes : nil
  }

  private static func write(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes(FileDescriptor.standardOutput.write) == nil
  }
}
