import AgendaReader
import AgendaSources
import CivilTime
import Foundation
import TestSupport
import Testing

/// Files, folders and standard input, and things that replace them.
@Suite("Sources")
final class SourceTests {
  let folder: URL
  let reader = CalendarReader(zones: .system(TZDIR: nil))

  init() throws {
    folder = ScratchFolder.parent.appending(path: "sources-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  private func event(_ uid: String) -> String {
    "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:\(uid)\nDTSTART:20261124\nEND:VEVENT\nEND:VCALENDAR\n"
  }

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: folder.appending(path: name))
  }

  private func path(_ name: String) -> String { folder.appending(path: name).path }

  /// Binds a socket of that name within the folder, which is left behind when it is closed.
  private func makeSocket(_ name: String) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path(name).utf8) + [0]
    try #require(bytes.count <= MemoryLayout.size(ofValue: address.sun_path))
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(status == 0)
  }

  @Test("the files of a folder are one calendar, in the order of their names")
  func vdir() throws {
    try write("b.ics", event("2"))
    try write("a.ICS", event("1"))
    try write("c.ics", event("3"))
    try write(".hidden.ics", event("4"))
    try write("notes.txt", "nothing")
    try write("displayname", "Family\n")
    try write("color", "#ff0000\n")
    try FileManager.default.createDirectory(
      at: folder.appending(path: "inner"), withIntermediateDirectories: true)
    let read = try reader.readFolder(at: folder.path)
    #expect(read.name == "Family")
    #expect(read.color == "#ff0000")
    #expect(read.entries.map(\.name) == ["a.ICS", "b.ics", "c.ics"])
    let files = CalendarFiles(read.files)
    let events = files.componentEvents
    #expect(events.map(\.identity.uid) == ["1", "2", "3"])
    #expect(events.map(\.calendar) == ["Family", "Family", "Family"])
    #expect(events.map(\.reference.component) == [0, 1, 2])
    #expect(Set(events.map(\.reference.source)) == [0])
    let second = try #require(events.dropFirst().first)
    #expect(files.file(of: second.reference)?.line(ofComponent: second.reference.component) == 2)
  }

  @Test("a file that is known to be unchanged is not read")
  func unchangedFile() throws {
    try write("a.ics", "<html>")
    try write("b.ics", event("2"))
    var sizes: [Int] = []
    let read = try reader.readFolder(at: folder.path) { name, fingerprint in
      sizes.append(fingerprint.size)
      return name == "a.ics"
    }
    #expect(read.entries.map(\.name) == ["b.ics"])
    #expect(read.unchanged.map(\.name) == ["a.ics"])
    #expect(read.files.count == 1)
    #expect(sizes.first == 6)
  }

  @Test("FIFOs, devices, links out of the folder and loops are named, the rest is read")
  func oddEntries() throws {
    try write("good.ics", event("1"))
    mkfifo(path("fifo.ics"), 0o600)
    try FileManager.default.createSymbolicLink(
      atPath: path("device.ics"), withDestinationPath: "/dev/zero")
    try FileManager.default.createSymbolicLink(
      atPath: path("passwd.ics"), withDestinationPath: "/etc/passwd")
    try FileManager.default.createSymbolicLink(
      atPath: path("loop.ics"), withDestinationPath: "loop.ics")
    try FileManager.default.createSymbolicLink(
      atPath: path("same.ics"), withDestinationPath: "good.ics")
    try FileManager.default.createDirectory(
      at: folder.appending(path: "inner.ics"), withIntermediateDirectories: true)
    try write("inner.ics/deep.ics", event("2"))
    try FileManager.default.createSymbolicLink(
      atPath: path("inside.ics"), withDestinationPath: "inner.ics/deep.ics")
    try write("page.ics", "<html>")
    let read = try reader.readFolder(at: folder.path)
    let results = read.entries.map { entry in
      switch entry.result {
      case .success(let file): "\(entry.name) \(file.eventCount)"
      case .failure(let error): "\(entry.name) \(error)"
      }
    }
    #expect(
      results == [
        "device.ics a link to a file in another folder", "fifo.ics a FIFO, not a file",
        "good.ics 1", "inner.ics a folder, not a file",
        "inside.ics a link to a file in another folder",
        "loop.ics Too many levels of symbolic links",
        "page.ics not an iCalendar file: this is HTML",
        "passwd.ics a link to a file in another folder", "same.ics 1",
      ])
  }

  @Test("a folder without any .ics is an error")
  func emptyFolder() throws {
    try write("notes.txt", "nothing")
    #expect(throws: ReaderError.noCalendarsInFolder) {
      try self.reader.readFolder(at: self.folder.path)
    }
  }

  @Test("a FIFO, a device and a folder named as files are refused without waiting")
  func refused() throws {
    mkfifo(path("fifo"), 0o600)
    #expect(throws: ReaderError.notAFile(kind: "a FIFO")) {
      try self.reader.readFile(at: self.path("fifo"))
    }
    #expect(throws: ReaderError.notAFile(kind: "a device")) {
      try self.reader.readFile(at: "/dev/zero")
    }
    #expect(throws: ReaderError.notAFile(kind: "a folder")) {
      try self.reader.readFile(at: self.folder.path)
    }
    try makeSocket("socket.ics")
    #expect(throws: ReaderError.notAFile(kind: "a socket")) {
      try self.reader.readFile(at: self.path("socket.ics"))
    }
    let results = try reader.readFolder(at: folder.path).entries.map { "\($0.result)" }
    #expect(results.count == 1 && results[0].contains("a socket"))
    #expect(throws: ReaderError.cannotRead(reason: "No such file or directory")) {
      try self.reader.readFile(at: self.path("nothing.ics"))
    }
  }

  @Test("a file above the limit is refused before it is read")
  func tooLarge() throws {
    try write("a.ics", event("1"))
    var reader = reader
    reader.options.mostBytes = 16
    #expect(throws: ReaderError.tooLarge(limit: 16)) {
      try reader.readFile(at: self.path("a.ics"))
    }
  }

  @Test("standard input is read to its end, however it comes")
  func standardInput() throws {
    let text = event("1")
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let writer = ends[1]
    Thread.detachNewThread {
      for byte in text.utf8 {
        var byte = byte
        _ = Foundation.write(writer, &byte, 1)
      }
      close(writer)
    }
    let file = try reader.readStandardInput(ends[0])
    close(ends[0])
    #expect(file.allEvents.map(\.identity.uid) == ["1"])
    #expect(file.name == "standard input")
  }

  @Test("an endless input is refused at the limit")
  func endless() throws {
    let device = open("/dev/zero", O_RDONLY)
    defer { close(device) }
    var reader = reader
    reader.options.mostBytes = 1 << 20
    #expect(throws: ReaderError.tooLarge(limit: 1 << 20)) { try reader.readStandardInput(device) }
  }

  @Test("a check counts rejected components; with --strict they refuse the source")
  func strictCheck() throws {
    let rejected = event("2").replacingOccurrences(of: "20261124", with: "20260230")
    try write("a.ics", event("1") + rejected)
    var loader = SourceLoader(zones: .system(TZDIR: nil), options: CalendarReader.Options())
    loader.load([Source(path("a.ics"))])
    let source = try #require(loader.sources.first)
    let check = try #require(SourceCheck.all(of: [source], isStrict: false).first)
    #expect(check.report.error == nil)
    #expect(check.report.added == 1)
    #expect(check.report.rejected == 1)
    let strict = try #require(SourceCheck.all(of: [source], isStrict: true).first)
    #expect(strict.report.error?.hasPrefix("rejected components: 1,") == true)
    #expect(strict.report.added == 0)
  }

  @Test("addresses that differ only at their end have different names")
  func similarAddresses() {
    let names = (0..<200).map { Source("https://example.com/calendars/\($0)").displayName }
    // Sixteen bits: two of 200 addresses share a digest in one of four cases.
    #expect(Set(names).count >= 197)
  }
}
