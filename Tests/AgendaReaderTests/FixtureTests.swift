import AgendaReader
import AgendaSources
import CivilTime
import Foundation
import TestSupport
import Testing

/// Files as their producers write them, each next to a file with what it means. `AGENDA_RECORD=1`
/// writes the meanings again and fails; read what changed.
@Suite("Fixtures")
struct FixtureTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures")

  static func names(in folder: String) -> [String] {
    let files =
      (try? FileManager.default.contentsOfDirectory(
        atPath: Self.folder.appending(path: folder).path)) ?? []
    return files.filter { $0.hasSuffix(".ics") }.map { String($0.dropLast(4)) }.sorted()
  }

  static let quirks = names(in: "quirks")
  static let broken = names(in: "broken")

  static func meaning(of path: String) -> String {
    let reader = CalendarReader(zones: .system(TZDIR: nil))
    do throws(ReaderError) {
      return FixtureText.text(try reader.readFile(at: path))
    } catch {
      return "refused: \(error)\n"
    }
  }

  @Test("a producer's quirk is read as its users expect", arguments: quirks)
  func readsQuirk(_ name: String) throws { try check("quirks/\(name)") }

  // Checks Decisions: Reading files/10
  @Test("a broken file loses only its broken parts", arguments: broken)
  func readsBroken(_ name: String) throws { try check("broken/\(name)") }

  private func check(_ name: String) throws {
    let file = Self.folder.appending(path: "\(name).ics")
    let expected = Self.folder.appending(path: "\(name).expected")
    let meaning = Self.meaning(of: file.path)
    if TestSettings.isRecording {
      try meaning.write(to: expected, atomically: true, encoding: .utf8)
      Issue.record("recorded \(name)")
      return
    }
    #expect(meaning == (try String(contentsOf: expected, encoding: .utf8)), "\(name)")
  }
}
