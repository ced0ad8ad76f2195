internal import AgendaReader
internal import AgendaStore
internal import ICalendar
internal import Platform

/// Changes files of a folder of .ics files (a vdir), one file at a time and each as a whole.
///
/// It holds the lock of the folder as long as it exists. A file is changed only if it still has the
/// bytes that the caller read: times are not compared, because they are too coarse.
package final class FolderWriter {
  /// The paths are those of files, with their folder.
  package enum Failure: Error, Hashable, CustomStringConvertible {
    case notWritable
    /// The file does not have the expected content; `isMissing` if it does not exist.
    case changed(path: String, isMissing: Bool)
    /// A link or a device: to replace it would break its target.
    case notAFile(path: String)
    case cannotRead(path: String, reason: String)
    case cannotWrite(path: String, reason: String)
    case cannotOpen(reason: String)

    package var description: String {
      switch self {
      case .notWritable: "the folder is not writable"
      case .changed(let path, isMissing: false):
        "\(path): another program has changed the file in the meantime; nothing written"
      case .changed(let path, isMissing: true):
        "\(path): another program has removed the file in the meantime; nothing written"
      case .notAFile(let path): "\(path): agenda does not change a link, a folder or a device"
      case .cannotRead(let path, let reason): "\(path): cannot read the file: \(reason)"
      case .cannotWrite(let path, let reason): "\(path): cannot write the file: \(reason)"
      case .cannotOpen(let reason): "cannot open the folder: \(reason)"
      }
    }
  }

  /// vdirsyncer, khal and agenda ignore files whose name begins with a dot.
  private static let temporaryName = Array(".agenda.tmp".utf8)

  private let folder: OpenFolder

  /// Opens a folder and waits for its lock.
  package init(_ path: String) throws(Failure) {
    folder = try Self.open(path)
    do throws(SystemError) {
      try folder.lock()
    } catch {
      throw .cannotOpen(reason: error.description)
    }
    folder.removeTemporaryFile(Self.temporaryName)
  }

  /// Opens a folder; `nil` if another process holds its lock.
  package init?(ifFree path: String) throws(Failure) {
    folder = try Self.open(path)
    guard folder.lockIfFree() else { return nil }
    folder.removeTemporaryFile(Self.temporaryName)
  }

  private static func open(_ path: String) throws(Failure) -> OpenFolder {
    do throws(SystemError) {
      let folder = try OpenFolder(path: path)
      guard folder.isWritable else { throw SystemError.last }
      return folder
    } catch {
      throw error.isMissing ? Failure.cannotOpen(reason: error.description) : Failure.notWritable
    }
  }

  /// The bytes of a file; `nil` if it is missing.
  package func contents(of name: String) throws(Failure) -> [UInt8]? {
    let bytes = Array(name.utf8)
    guard let status = folder.status(of: bytes) else { return nil }
    guard status.kind == .file else { throw .notAFile(path: path(of: name)) }
    let file: OpenFile
    do throws(SystemError) {
      file = try folder.openFile(bytes)
    } catch {
      throw .cannotRead(path: path(of: name), reason: error.description)
    }
    do throws(ReaderError) {
      let source = try SourceBytes(regularFile: file, limit: SourceBytes.usualLimit)
      return withExtendedLifetime(source) { Array($0.bytes) }
    } catch {
      throw .cannotRead(path: path(of: name), reason: error.description)
    }
  }

  /// Replaces a file that has the content `old` by `new`. `nil` means a missing file, so that this
  /// creates, changes and removes files. A new file has these permissions, or the usual ones.
  package func replace(
    _ name: String, _ old: [UInt8]?, with new: [UInt8]?, permissions: UInt32? = nil
  ) throws(Failure) {
    let present = try contents(of: name)
    guard present == old else {
      throw .changed(path: path(of: name), isMissing: present == nil)
    }
    guard new != old else { return }
    do throws(SystemError) {
      if let new {
        try folder.write(
          new, to: Array(name.utf8), temporaryName: Self.temporaryName, copied: permissions)
      } else {
        try folder.remove(Array(name.utf8))
      }
    } catch {
      throw .cannotWrite(path: path(of: name), reason: error.description)
    }
  }

  private func path(of name: String) -> String { "\(folder.path)/\(name)" }

  /// Gives a file its previous content again, if it has the new one. `replace` can fail after the
  /// file has its new name, when the folder cannot be written to the disk, so the content decides.
  func restore(_ file: WrittenFile) throws(Failure) {
    guard file.previous != file.written, try contents(of: file.name) == file.written else { return }
    do throws(Failure) {
      try replace(file.name, file.written, with: file.previous, permissions: file.permissions)
    } catch {
      guard try contents(of: file.name) == file.previous else { throw error }
    }
  }

  /// `nil` if the file is missing.
  func permissions(of name: String) -> UInt32? {
    folder.status(of: Array(name.utf8)).map { $0.permissions & 0o777 }
  }

  /// The writers of some folders by their paths. All processes lock the folders in the same order,
  /// so two of them never wait for each other.
  static func locking(
    _ paths: some Sequence<String>
  ) throws(WritingError) -> [String: FolderWriter] {
    var writers: [String: FolderWriter] = [:]
    for path in Set(paths).sorted() { writers[path] = try FolderWriter(locking: path) }
    return writers
  }

  /// Opens a folder and waits for its lock. The error names the folder.
  convenience init(locking path: String) throws(WritingError) {
    do throws(Failure) { try self.init(path) } catch { throw Self.unwritable(path, error) }
  }

  /// Throws if files of the folder cannot be created and replaced.
  static func check(_ path: String) throws(WritingError) {
    do throws(Failure) { _ = try open(path) } catch { throw unwritable(path, error) }
  }

  private static func unwritable(_ path: String, _ failure: Failure) -> WritingError {
    .unwritable(file: path, reason: "\(failure); nothing was changed")
  }

  /// A name for the file of a new event that no entry of the folder has.
  package func unusedName(forUID uid: String) -> String {
    CalendarFileName.candidates(forUID: uid).first {
      folder.status(of: Array($0.utf8)) == nil
    } ?? CalendarFileName.numbered(forUID: uid, .random(in: .min ... .max))
  }
}
