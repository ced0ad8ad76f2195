internal import Platform

/// A small file of text, read as a whole.
enum TextFile {
  enum Outcome {
    case text(String)
    case absent
    case failed(String)
  }

  /// Reads a regular file; anything else there is refused without waiting for it, unless it is a pipe and
  /// `acceptsPipe`, as of `<(command)` in a shell. An empty device, such as /dev/null, counts as absent.
  static func read(_ path: String, atMost limit: Int, acceptsPipe: Bool = false) -> Outcome {
    do throws(SystemError) {
      let file = try OpenFile(path: path)
      guard let status = file.status else { throw .last }
      if acceptsPipe, status.kind == .fifo {
        let bytes = try file.bytes(atMost: limit + 1)
        if bytes.count > limit { return .failed("larger than \(limit) bytes") }
        return String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .failed("not UTF-8")
      }
      guard status.kind == .file else {
        return status.kind == .device && status.size == 0 ? .absent : .failed("not a regular file")
      }
      guard status.size <= limit else { return .failed("larger than \(limit) bytes") }
      guard let text = String(validating: try file.bytes(atMost: limit), as: UTF8.self) else {
        return .failed("not UTF-8")
      }
      return .text(text)
    } catch {
      return error.isMissing ? .absent : .failed("\(error)")
    }
  }
}
