import Foundation
import TestSupport
import Testing

/// `.ci/packaging/install.sh` with an archive of a few small files.
@Suite("install.sh")
struct InstallScriptTests {
  private let folder: ScratchFolder
  private let prefix: String

  init() throws {
    folder = try ScratchFolder()
    prefix = folder.url.appendingPathComponent("my prefix").path
    try FileManager.default.copyItem(
      at: Repository.root.appendingPathComponent(".ci/packaging/install.sh"),
      to: folder.url.appendingPathComponent("install.sh"))
    try folder.write("tree/bin/agenda", "#!/bin/sh\necho agenda 1\n")
    try folder.write("tree/share/man/man1/agenda.1.gz", "page")
    try folder.write("tree/share/systemd/user/a.service", "ExecStart=/usr/bin/agenda refresh\n")
  }

  private func install(_ options: String...) throws -> ProgramRun {
    try Tool("sh").run([folder.url.appendingPathComponent("install.sh").path] + options)
  }

  private func installed(_ name: String) -> String? {
    try? String(contentsOfFile: "\(prefix)/\(name)", encoding: .utf8)
  }

  @Test("installs the files below the prefix, and the service runs the installed program")
  func installs() throws {
    let run = try install("--prefix", prefix)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try ProgramRun(URL(fileURLWithPath: prefix + "/bin/agenda"), []).output == "agenda 1\n")
    #expect(installed("share/man/man1/agenda.1.gz") == "page")
    #expect(installed("share/systemd/user/a.service") == "ExecStart=\(prefix)/bin/agenda refresh\n")
  }

  @Test("an upgrade replaces files and removes those that the new version does not have")
  func upgrades() throws {
    _ = try install("--prefix", prefix)
    try folder.write("tree/bin/agenda", "#!/bin/sh\necho agenda 2\n")
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent("tree/share/man"))
    #expect(try install("--prefix", prefix).status == 0)
    #expect(installed("bin/agenda")?.contains("agenda 2") == true)
    #expect(!FileManager.default.fileExists(atPath: prefix + "/share/man"))
  }

  @Test("--uninstall removes what was installed and keeps all other files")
  func uninstalls() throws {
    try folder.write("my prefix/bin/other", "other")
    _ = try install("--prefix", prefix)
    #expect(try install("--uninstall", "--prefix", prefix).status == 0)
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: prefix).sorted() == ["bin", "bin/other"])
    let again = try install("--uninstall", "--prefix", prefix)
    #expect(again.status == 1)
    #expect(again.errors == "install.sh: agenda is not installed in \(prefix)\n")
  }

  @Test(
    "wrong options change nothing", arguments: [["--prefix"], ["--prefix", "here"], ["--remove"]])
  func wrongOptions(options: [String]) throws {
    let script = folder.url.appendingPathComponent("install.sh").path
    #expect(try Tool("sh").run([script] + options).status == 2)
  }
}
