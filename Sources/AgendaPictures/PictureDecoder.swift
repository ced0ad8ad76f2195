internal import AgendaCore
internal import Platform

/// The process that decodes pictures: this program again, started with an argument that no user
/// needs. It reads pictures from its standard input and writes thumbnails to its standard output, and
/// takes from itself everything else before it looks at the first.
///
/// Each picture is its format, the number of its bytes and the bytes; each answer a format of
/// thumbnails, or 0, the number of bytes and the bytes. One byte before the first answer says
/// whether libgd is installed.
package enum PictureDecoder {
  package static let argument = "--decode-pictures"

  static let hasLibrary = UInt8(ascii: "y")
  static let hasNoLibrary = UInt8(ascii: "n")
  /// A byte for the format, four for the count, the lowest first.
  static let headLength = 5

  static func head(_ format: UInt8, count: Int) -> [UInt8] {
    [format] + (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
  }

  /// Decodes until its input ends. Returns the exit status.
  package static func run() -> Int32 {
    limit(RLIMIT_CORE, to: 0)
    limit(RLIMIT_FSIZE, to: 0)
    limit(RLIMIT_AS, to: PictureLimit.memory)
    limit(RLIMIT_CPU, to: UInt64(PictureLimit.secondsInAll * 2))
    for descriptor in Int32(3)..<64 { close(descriptor) }
    guard let library = PictureLibrary() else {
      _ = write([hasNoLibrary])
      return 0
    }
    // From here on no file, socket or process can be opened, even if a picture takes over the library.
    limit(RLIMIT_NOFILE, to: 0)
    limit(processes, to: 0)
    guard write([hasLibrary]) else { return 1 }
    while let head = read(headLength), let count = head.littleEndian(at: 1, count: 4) {
      guard let format = PictureFormat(rawValue: head[0]), count <= PictureLimit.bytes,
        var bytes = read(count)
      else { return 1 }
      limitProcessorTime()
      let thumbnail = library.thumbnail(of: &bytes, format: format)
      let answer = Self.head(thumbnail?.format.rawValue ?? 0, count: thumbnail?.bytes.count ?? 0)
      guard write(answer), write(thumbnail?.bytes ?? []) else { return 1 }
    }
    return 0
  }

  /// Limits the processor time of the next picture.
  private static func limitProcessorTime() {
    var usage = rusage()
    #if canImport(Glibc)
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #else
      getrusage(RUSAGE_SELF, &usage)
    #endif
    let used = UInt64(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
    limit(
      RLIMIT_CPU, to: used + 1 + UInt64(PictureLimit.seconds),
      most: UInt64(PictureLimit.secondsInAll * 2))
  }

  #if canImport(Glibc)
    private typealias Resource = __rlimit_resource
    private static let processes = __RLIMIT_NPROC
  #else
    private typealias Resource = Int32
    private static let processes = RLIMIT_NPROC
  #endif

  /// Every process may lower a limit. A system that does not know this limit ignores it.
  private static func limit(_ resource: Resource, to value: UInt64, most: UInt64? = nil) {
    var limit = rlimit()
    limit.rlim_cur = rlim_t(value)
    limit.rlim_max = rlim_t(most ?? value)
    #if canImport(Glibc)
      _ = setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
    #else
      _ = setrlimit(resource, &limit)
    #endif
  }

  private static func read(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let taken = bytes.withUnsafeMutableBytes { buffer in
        buffer.baseAddress.map { systemRead(0, $0 + done, count - done) } ?? 0
      }
      if taken < 0, errno == EINTR { continue }
      guard taken > 0 else { return nil }
      done += taken
    }
    return bytes
  }

  private static func write(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes(FileDescriptor.standardOutput.write) == nil
  }
}

// The name of the system's function, which a method here has too.
func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}
