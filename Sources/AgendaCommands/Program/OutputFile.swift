internal import Platform

/// A file that a user named to be written: whole under its name, or not at all.
struct OutputFile {
  private let path: String
  private let file: NewFile

  init(_ path: String) throws(CommandError) {
    self.path = path
    do throws(SystemError) {
      file = try NewFile(
        temporaryPath: "\(path).\(RunningProgram.processIdentifier).part", permissions: 0o666)
    } catch {
      throw .failed("\(path): \(error)")
    }
  }

  func write(_ bytes: [UInt8]) throws(CommandError) {
    do throws(SystemError) {
      try file.write(bytes)
    } catch {
      throw .failed("\(path): \(error)")
    }
  }

  /// Gives it its name.
  func finish() throws(CommandError) {
    do throws(SystemError) {
      try file.finish(as: path)
    } catch {
      throw .failed("\(path): \(error)")
    }
  }
}
