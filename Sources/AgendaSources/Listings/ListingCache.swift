internal import AgendaStore
internal import Platform

/// A file that keeps a listing of a store from one process to the next.
package struct ListingCache: Sendable {
  /// The reason why a cache cannot be written.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  private let folder: String
  private let name: String

  /// File systems allow 255 bytes, and the name of the temporary file is longer by 20.
  private static let longestName = 200

  package init(named name: String, in folder: String) throws(Failure) {
    if name.isEmpty { throw Failure(description: "expected a name, got an empty one") }
    guard name.utf8.count <= Self.longestName else {
      throw Failure(
        description: """
          expected a name of at most \(Self.longestName) bytes, got \(name.utf8.count) bytes
          """)
    }
    guard !name.hasPrefix("."), !name.utf8.contains(UInt8(ascii: "/")), !name.utf8.contains(0)
    else {
      throw Failure(
        description: """
          expected a name without a slash and without a dot at its start, got "\(name)"
          """)
    }
    self.folder = folder
    self.name = name + ".agenda-results"
  }

  private static let header = Array("agenda-results 1\n".utf8)
  /// The key and the digest of the content follow the header.
  private static let numbers = 2 * MemoryLayout<Int>.size

  /// The content for a key; `nil` if it is missing or damaged.
  package func content(for key: Int) -> [UInt8]? {
    guard let bytes = read(), bytes.count >= Self.header.count + Self.numbers,
      bytes.starts(with: Self.header)
    else { return nil }
    let start = Self.header.count
    let content = Array(bytes[(start + Self.numbers)...])
    let (foundKey, digest) = bytes.withUnsafeBytes {
      (
        $0.loadUnaligned(fromByteOffset: start, as: Int.self),
        $0.loadUnaligned(fromByteOffset: start + MemoryLayout<Int>.size, as: Int.self)
      )
    }
    return foundKey == key && digest == Self.digest(of: content, key) ? content : nil
  }

  private func read() -> [UInt8]? {
    guard let file = try? OpenFile(path: "\(folder)/\(name)"), let status = file.status,
      status.kind == .file
    else { return nil }
    return try? [UInt8](unsafeUninitializedCapacity: status.size) { buffer, count in
      while count < buffer.count, let start = buffer.baseAddress {
        let got = try file.read(into: start + count, count: buffer.count - count)
        if got == 0 { break }
        count += got
      }
    }
  }

  /// Replaces the file. Only the user can read it.
  package func write(_ content: [UInt8], for key: Int) throws(Failure) {
    var bytes = Self.header
    for number in [key, Self.digest(of: content, key)] {
      withUnsafeBytes(of: number) { bytes += $0 }
    }
    do throws(SystemError) {
      let folder = try OpenFolder(path: folder)
      try folder.lock()
      try folder.write(
        bytes + content, to: Array(name.utf8), temporaryName: Array(".\(name).tmp".utf8),
        permissions: 0o600)
    } catch {
      throw Failure(description: "\(folder)/\(name): cannot be written: \(error)")
    }
  }

  /// Deletes the file if it exists.
  package func delete() throws(Failure) {
    do throws(SystemError) {
      try OpenFolder(path: folder).remove(Array(name.utf8))
    } catch {
      if error.isMissing { return }
      throw Failure(description: "\(folder)/\(name): cannot be deleted: \(error)")
    }
  }

  private static func digest(of content: [UInt8], _ key: Int) -> Int {
    var digest = ContentDigest(key: UInt64(bitPattern: Int64(key)))
    digest.add(content)
    return digest.value
  }
}
