internal import Platform

/// A file that the user asked to write. It is written completely or not at all. A device or a named
/// pipe is written directly.
struct OutputFile {
  private let path: String
  private let target: Target

  private enum Target {
    case file(NewFile, path: String)
    case device(OpenDevice)
  }

  init(_ path: String) throws(CommandError) {
    self.path = path
    let status = FileStatus(path: path)
    do throws(SystemError) {
      switch status?.kind {
      case .device, .fifo, .socket: target = .device(try OpenDevice(path: path))
      case .file, .folder, .link, nil:
        // A link stays, and the file that it leads to is replaced.
        let target = status == nil ? path : try resolvedPath(path)
        let file = try NewFile(
          temporaryPath: "\(target).\(RunningProgram.processIdentifier).part",
          permissions: 0o666, copied: status?.permissions)
        self.target = .file(file, path: target)
      }
    } catch {
      throw .failed("\(path): \(error)")
    }
  }

  func write(_ bytes: [UInt8]) throws(CommandError) {
    do throws(SystemError) {
      switch target {
      case .file(let file, _): try file.write(bytes)
      case .device(let device): try device.write(bytes)
      }
    } catch {
      throw .failed("\(path): \(error)")
    }
  }

  /// Renames the complete file to its name. It has the permissions of a file that it replaces.
  func finish() throws(CommandError) {
    guard case .file(let file, let place) = target else { return }
    do throws(SystemError) {
      try file.finish(as: place)
    } catch {
      throw .failed("\(path): \(error)")
    }
  }
}
