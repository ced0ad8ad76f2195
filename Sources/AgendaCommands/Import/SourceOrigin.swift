internal import AgendaReader
internal import AgendaStore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Where a source of an import is.
struct SourceOrigin {
  let kind: ImportedSource.Kind
  /// As the command line has it.
  let name: String
  /// What makes it the same source the next time: an absolute path.
  let location: String
  /// `nil` for standard input and addresses.
  let path: String?
  /// `nil` for what is no file.
  private(set) var fingerprint: FileFingerprint?

  /// Standard input: the same source as the last one that went into that calendar.
  init(standardInputFor calendar: String?, name: String) {
    kind = .standardInput
    self.name = name
    location = "-" + (calendar.map { ":\($0)" } ?? "")
    path = nil
  }

  /// The store keeps the whole address: it is asked again by `refresh`.
  init(_ url: SafeURL) {
    kind = .url
    name = url.displayName
    location = url.address
    path = nil
  }

  /// All that is there now.
  func bytes() throws -> SourceBytes {
    if let path { return try SourceBytes(contentsOf: path) }
    guard kind == .url else { return try SourceBytes(standardInput: 0) }
    switch NetworkReader.read(location) {
    case .bytes(let bytes): return SourceBytes(bytes)
    case .failed(let reason): throw CommandError.failed(reason)
    }
  }

  /// What its calendar is called if it has no name of its own.
  var calendarName: String {
    if let path { return SourceLoader.calendarName(of: path) }
    return SafeURL(location)?.host ?? "stdin"
  }

  init(path: String) throws(CommandError) {
    var status = stat()
    guard stat(path, &status) == 0, let resolved = realpath(path, nil) else {
      throw .failed(String(cString: strerror(errno)))
    }
    defer { free(resolved) }
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    kind = isFolder ? .folder : .file
    name = path
    location = String(cString: resolved)
    self.path = path
    fingerprint = isFolder ? nil : FileFingerprint(status)
  }
}

extension FileFingerprint {
  fileprivate init(_ status: stat) {
    #if canImport(Darwin)
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modified, changed) = (status.st_mtim, status.st_ctim)
    #endif
    func nanoseconds(_ time: timespec) -> Int {
      Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec)
    }
    self.init(
      size: Int(status.st_size), modified: nanoseconds(modified), changed: nanoseconds(changed),
      inode: Int(truncatingIfNeeded: status.st_ino))
  }
}
