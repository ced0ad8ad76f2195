import AgendaSources
import Foundation
import TestSupport
import Testing

@Suite("Writing into folders")
struct FolderWriterTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private var path: String { folder.url.path }
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  @Test("a file is created, replaced and removed as a whole, and nothing else is left")
  func life() throws {
    let writer = try FolderWriter(path)
    try writer.replace("a.ics", nil, with: bytes("one"))
    #expect(try writer.contents(of: "a.ics") == bytes("one"))
    try writer.replace("a.ics", bytes("one"), with: bytes("two"))
    #expect(try names() == ["a.ics"])
    try writer.replace("a.ics", bytes("two"), with: nil)
    #expect(try names().isEmpty)
  }

  @Test("a file with unexpected content is not overwritten, even with the same times")
  func conflict() throws {
    try folder.write("a.ics", "theirs")
    let writer = try FolderWriter(path)
    #expect(throws: FolderWriter.Failure.changed(path: path + "/a.ics", isMissing: false)) {
      try writer.replace("a.ics", bytes("ours"), with: bytes("new"))
    }
    #expect(throws: FolderWriter.Failure.changed(path: path + "/a.ics", isMissing: false)) {
      try writer.replace("a.ics", nil, with: bytes("new"))
    }
    #expect(throws: FolderWriter.Failure.changed(path: path + "/b.ics", isMissing: true)) {
      try writer.replace("b.ics", bytes("ours"), with: nil)
    }
    #expect(try writer.contents(of: "a.ics") == bytes("theirs"))
    #expect(try names() == ["a.ics"])
  }

  @Test("the permissions of a replaced file stay")
  func permissions() throws {
    let file = try folder.write("a.ics", "one")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
    try FolderWriter(path).replace("a.ics", bytes("one"), with: bytes("two"))
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
  }

  @Test("a link is not replaced")
  func link() throws {
    try folder.write("a.ics", "one")
    try FileManager.default.createSymbolicLink(
      atPath: path + "/b.ics", withDestinationPath: path + "/a.ics")
    #expect(throws: FolderWriter.Failure.notAFile(path: path + "/b.ics")) {
      try FolderWriter(path).replace("b.ics", bytes("one"), with: bytes("two"))
    }
  }

  @Test("the temporary file of a killed process disappears")
  func leftover() throws {
    try folder.write(".agenda.tmp", "half of an ev")
    let writer = try FolderWriter(path)
    #expect(try names().isEmpty)
    try folder.write(".agenda.tmp", "another half")
    try writer.replace("a.ics", nil, with: bytes("one"))
    #expect(try names() == ["a.ics"])
  }

  @Test("a folder that does not exist is an error")
  func missing() {
    #expect(throws: FolderWriter.Failure.cannotOpen(reason: "No such file or directory")) {
      _ = try FolderWriter(path + "/none")
    }
  }

  @Test("of two simultaneous writers, the second sees the first one's content")
  func lock() async throws {
    try folder.write("count.ics", "0")
    let path = self.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask {
          let writer = try FolderWriter(path)
          let old = try writer.contents(of: "count.ics")
          let count = Int(String(decoding: old ?? [], as: UTF8.self)) ?? -1
          try writer.replace("count.ics", old, with: Array("\(count + 1)".utf8))
        }
      }
      try await group.waitForAll()
    }
    #expect(try FolderWriter(path).contents(of: "count.ics") == bytes("20"))
  }

  // Checks limit: CalendarFileName.mostBytes
  @Test(
    "a file name of a UID has no slash, no leading dot or dash, at most 100 bytes, and is not in use",
    arguments: [
      "8f3c@example.com", "../../etc/passwd", "/", "..", ".hidden", "a/b", "line\nbreak",
      String(repeating: "x", count: 300), "", "ü", "a\u{0}b", "CON", "-rf", "--", ".-a",
    ])
  func fileName(uid: String) throws {
    let writer = try FolderWriter(path)
    var used: Set<String> = []
    for _ in 0..<4 {
      let name = writer.unusedName(forUID: uid)
      #expect(used.insert(name).inserted)
      #expect(!name.contains("/") && !name.hasPrefix(".") && !name.hasPrefix("-"))
      #expect(name.hasSuffix(".ics"))
      #expect(name.utf8.count <= 100 && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f })
      try writer.replace(name, nil, with: [])
    }
    #expect(used.contains("8f3c@example.com.ics") == (uid == "8f3c@example.com"))
  }
}
