import Foundation
import Testing

/// Which module may import which: data flows one way, and each C library has one adapter.
@Suite("architecture")
struct ArchitectureTests {
  private static let allowed: [String: Set<String>] = [
    "CivilTime": [],
    "Recurrence": ["CivilTime"],
    "AgendaCore": ["Recurrence", "CivilTime"],
    "AgendaReader": ["AgendaCore", "Recurrence", "CivilTime", "CLibical"],
    "AgendaStore": ["AgendaCore", "Recurrence", "CivilTime", "CSQLite"],
    "AgendaRendering": ["AgendaCore", "Recurrence", "CivilTime"],
    "Processes": [],
    "AgendaPictures": ["AgendaCore", "Processes"],
    "CommandLineOptions": [],
    "AgendaCommands": [
      "CommandLineOptions", "AgendaReader", "AgendaStore", "AgendaRendering", "AgendaPictures",
      "AgendaCore", "Recurrence", "CivilTime", "Processes",
    ],
    "AgendaKit": [
      "AgendaReader", "AgendaStore", "AgendaRendering", "AgendaCore", "Recurrence", "CivilTime",
    ],
    "agenda": ["AgendaCommands", "AgendaPictures", "Processes"],
    "agenda-fetch": ["CommandLineOptions", "Processes", "CCurl"],
  ]

  /// What the operating system and the standard library give every module.
  private static let platform: Set<String> = ["Glibc", "Musl", "Darwin", "Synchronization"]

  private static let sources = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources")

  @Test("each module imports only what stands below it", arguments: allowed.keys.sorted())
  func imports(of module: String) throws {
    let permitted = try #require(Self.allowed[module]).union(Self.platform)
    let files = try Self.swiftFiles(in: module)
    #expect(!files.isEmpty)
    for file in files {
      for imported in try Self.imports(in: file) where !permitted.contains(imported) {
        Issue.record("\(module)/\(file.lastPathComponent) imports \(imported)")
      }
    }
  }

  @Test("every module stands in the table")
  func noModuleIsForgotten() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
    let system: Set<String> = ["CLibical", "CSQLite", "CCurl"]
    #expect(Set(folders).subtracting(system) == Set(Self.allowed.keys))
  }

  @Test("only the zone files' reader and the edges touch the operating system below the commands")
  func pureCore() throws {
    for module in ["Recurrence", "AgendaCore", "CommandLineOptions"] {
      for file in try Self.swiftFiles(in: module) {
        let imported = Set(try Self.imports(in: file))
        #expect(
          imported.isDisjoint(with: ["Glibc", "Musl", "Darwin"]),
          "\(module)/\(file.lastPathComponent) is in the pure core")
      }
    }
  }

  private static func swiftFiles(in module: String) throws -> [URL] {
    let folder = sources.appendingPathComponent(module)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return paths.filter { $0.hasSuffix(".swift") }.map { folder.appendingPathComponent($0) }
  }

  private static func imports(in file: URL) throws -> [String] {
    let text = try String(contentsOf: file, encoding: .utf8)
    // `import struct Module.Name` names the module before the dot.
    let declaration =
      /^(?:@\w+ +)*(?:(?:public|package|internal|fileprivate|private) +)?import +(?:(?:struct|class|enum|protocol|func|var|let|typealias) +)?(\w+)/
    return text.split(separator: "\n").compactMap { line in
      line.firstMatch(of: declaration).map { String($0.output.1) }
    }
  }
}
