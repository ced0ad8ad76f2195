#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// An open folder and the names of its .ics files. Files are opened from the open folder, so that
/// what its path leads to may change meanwhile.
final class FolderListing {
  /// A name as the system has it, which need not be UTF-8.
  struct Name: Comparable {
    let bytes: [UInt8]

    var text: String { bytes.withUnsafeBufferPointer { $0.text } }

    static func < (left: Name, right: Name) -> Bool {
      left.bytes.lexicographicallyPrecedes(right.bytes)
    }
  }

  private let path: String
  private let descriptor: Int32
  let names: [Name]

  init(_ path: String) throws(ReaderError) {
    self.path = path
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .cannotRead(reason: SystemFailure.current) }
    self.descriptor = descriptor
    let copy = dup(descriptor)
    guard copy >= 0, let stream = fdopendir(copy) else {
      let reason = SystemFailure.current
      if copy >= 0 { close(copy) }
      close(descriptor)
      throw .cannotRead(reason: reason)
    }
    defer { closedir(stream) }
    var names: [Name] = []
    while let entry = readdir(stream) {
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      guard bytes.count > 4, bytes.first != UInt8(ascii: "."),
        bytes.suffix(4).elementsEqual(".ics".utf8, by: { $0 | 0x20 == $1 | 0x20 })
      else { continue }
      names.append(Name(bytes: bytes))
    }
    self.names = names.sorted()
  }

  deinit {
    close(descriptor)
  }

  /// The bytes of a file of the folder.
  func read(_ name: Name, limit: Int) throws(ReaderError) -> SourceBytes {
    let file = try openFile(name)
    defer { close(file) }
    return try SourceBytes(regularFile: file, limit: limit)
  }

  /// The first line of a small file of the folder; `nil` where there is none.
  func text(of name: String) -> String? {
    let longest = 4096
    guard let file = try? openFile(Name(bytes: Array(name.utf8))) else { return nil }
    defer { close(file) }
    guard let source = try? SourceBytes(regularFile: file, limit: longest) else { return nil }
    let line = withExtendedLifetime(source) {
      let bytes = source.bytes
      return bytes.part(0, bytes.index(of: 0x0A, from: 0, to: bytes.count)).trimmed.text
    }
    return line.isEmpty ? nil : line
  }

  private func openFile(_ name: Name) throws(ReaderError) -> Int32 {
    let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW
    let file = (name.bytes + [0]).withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { pointer in
        pointer.baseAddress.map { openat(descriptor, $0, flags) } ?? -1
      }
    }
    if file >= 0 { return file }
    switch errno {
    case ELOOP: return try openLink(name)
    // What open says of a socket, and of a device without a driver behind it.
    case ENXIO: throw .notAFile(kind: kind(of: name)?.refusal ?? "a socket or device")
    default: throw .cannotRead(reason: SystemFailure.current)
    }
  }

  private func kind(of name: Name) -> FileKind? {
    var status = stat()
    let result = (name.bytes + [0]).withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { pointer in
        pointer.baseAddress.map { fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) } ?? -1
      }
    }
    return result == 0 ? FileKind(status) : nil
  }

  /// A link is followed if it leads to a file that lies in the folder itself.
  private func openLink(_ name: Name) throws(ReaderError) -> Int32 {
    guard let folder = realpath(path, nil) else {
      throw .cannotRead(reason: SystemFailure.current)
    }
    defer { free(folder) }
    let link = Array(path.utf8) + [UInt8(ascii: "/")] + name.bytes + [0]
    let target = link.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { pointer in
        pointer.baseAddress.flatMap { realpath($0, nil) }
      }
    }
    guard let target else { throw .cannotRead(reason: SystemFailure.current) }
    defer { free(target) }
    let folderLength = strlen(folder)
    guard strncmp(target, folder, folderLength) == 0, target[folderLength] == 0x2F,
      strchr(target + folderLength + 1, 0x2F) == nil
    else { throw .linkOutOfFolder }
    let file = openat(
      descriptor, target + folderLength + 1,
      O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW)
    guard file >= 0 else { throw .cannotRead(reason: SystemFailure.current) }
    return file
  }
}
