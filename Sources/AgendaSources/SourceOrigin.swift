internal import AgendaReader
internal import AgendaStore
internal import Platform

/// A source and its identity in the store.
struct SourceOrigin {
  let source: Source
  let kind: ImportedSource.Kind
  /// Its identity, which is the same at the next import: an absolute path, an address, or `-`.
  private(set) var location: String
  /// `nil` unless it is a file.
  private(set) var fingerprint: FileFingerprint?

  /// `calendar` is the name of the calendar if the user gave one. Standard input is the same source
  /// as its last import into that calendar.
  init(_ source: Source, calendar: String?) throws(SourceError) {
    self.source = source
    switch source {
    case .standardInput:
      kind = .standardInput
      location = "-" + (calendar.map { ":\($0)" } ?? "")
    case .url(let url):
      kind = .url
      // The whole address: `refresh` needs it.
      location = url.address
    case .path(let path):
      guard let status = FileStatus(path: path) else {
        throw .system(SystemError.last.description)
      }
      do throws(SystemError) {
        location = try resolvedPath(path)
      } catch {
        throw .system(error.description)
      }
      kind = status.kind == .folder ? .folder : .file
      fingerprint = kind == .folder ? nil : FileFingerprint(status)
    }
  }

  var path: String? {
    if case .path(let path) = source { path } else { nil }
  }

  /// The origin after the source was read. Standard input gives a new source for each mail, so that a
  /// mail that cancels a meeting does not take back the mail before it.
  func origin(of read: ReadSource) -> SourceOrigin {
    guard kind == .standardInput, read.hasMailOnly, let digest = read.documents.first?.digest else {
      return self
    }
    var origin = self
    origin.location += "#" + String(UInt64(bitPattern: Int64(digest)), radix: 16)
    return origin
  }
}

extension Source {
  /// Its identity in the store; `nil` if it doesn't exist.
  package var location: String? { try? SourceOrigin(self, calendar: nil).location }

  /// The reason why it can't be found; `nil` if it is a file or folder that exists, or an address.
  package var missingReason: String? {
    do throws(SourceError) {
      _ = try SourceOrigin(self, calendar: nil)
      return nil
    } catch {
      return error.description
    }
  }
}

extension FileFingerprint {
  init(_ status: FileStatus) {
    self.init(
      size: status.size, modified: status.modified, changed: status.changed,
      inode: Int(truncatingIfNeeded: status.inode))
  }
}
