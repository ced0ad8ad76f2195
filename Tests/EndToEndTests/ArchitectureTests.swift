import Foundation
import Testing

/// Which module may import which. Package.swift declares the dependencies, and `.ci/run` has the
/// compiler check every import against it; these tests check the order of the layers.
@Suite("architecture")
struct ArchitectureTests {
  /// From the bottom to the top. A module imports only modules of lower layers.
  private static let layers: [Set<String>] = [
    ["SystemLibrary"],
    ["Platform"],
    ["CivilTime", "CommandLineOptions", "FetchProtocol"],
    ["Recurrence"],
    ["Phrases", "AgendaCore"],
    ["ICalendar"],
    ["AgendaReader", "AgendaStore", "AgendaRendering", "AgendaPictures"],
    ["AgendaSources"],
    ["AgendaKit"],
    ["AgendaBrowser", "AgendaKitFoundation"],
    ["AgendaCommands"],
    ["agenda", "agenda-fetch"],
  ]

  /// Libraries that are not ours, and the only modules that may import them.
  private static let owners: [String: Set<String>] = [
    "Glibc": ["SystemLibrary"], "Musl": ["SystemLibrary"], "Darwin": ["SystemLibrary"],
    "CSystem": ["SystemLibrary"],
    "SystemLibrary": ["Platform"],
    "CLibical": ["ICalendar"],
    "CSQLite": ["AgendaStore"],
    "CCurl": ["agenda-fetch"],
    "CExpat": ["agenda-fetch"],
    "Foundation": ["AgendaKitFoundation"],
  ]

  private static let sources = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources")

  @Test("every module imports only modules of lower layers")
  func layers() {
    var lower: Set<String> = []
    for layer in Self.layers {
      for module in layer {
        for (file, imported) in Self.imports(of: module) {
          let isLibrary = Self.owners[imported] != nil || imported == "Synchronization"
          #expect(lower.contains(imported) || isLibrary, "\(module)/\(file) imports \(imported)")
        }
      }
      lower.formUnion(layer)
    }
  }

  @Test("every library has one module that imports it")
  func libraries() {
    for module in Self.layers.joined() {
      for (file, imported) in Self.imports(of: module) {
        guard let owners = Self.owners[imported] else { continue }
        #expect(owners.contains(module), "\(module)/\(file) imports \(imported)")
      }
    }
  }

  @Test("the commands reach files, the store and pictures only through AgendaKit")
  func commandsUseTheLibrary() {
    let allowed: Set<String> = [
      "AgendaBrowser", "AgendaKit", "AgendaRendering", "CommandLineOptions", "Platform",
      "AgendaCore", "Phrases", "Recurrence", "CivilTime", "Synchronization",
    ]
    for (file, imported) in Self.imports(of: "AgendaCommands") {
      #expect(allowed.contains(imported), "AgendaCommands/\(file) imports \(imported)")
    }
  }

  @Test("the core takes nothing but the digest and the comparison of bytes from the platform")
  func pureCore() {
    for module in ["Recurrence", "Phrases", "AgendaCore", "CommandLineOptions", "AgendaRendering"] {
      for (file, lines) in Self.importLines(of: module) {
        for line in lines where line.contains("Platform") {
          #expect(
            line.hasSuffix("import struct Platform.StableDigest")
              || line.hasSuffix("import enum Platform.Memory"), "\(module)/\(file): \(line)")
        }
      }
    }
  }

  /// The modules that know neither options nor commands. Their errors say what is wrong; the commands
  /// add what to type.
  private static let library = Set(layers.joined())
    .subtracting([
      "CommandLineOptions", "AgendaBrowser", "AgendaCommands", "agenda", "agenda-fetch",
    ])

  /// What looks like an option or a command in the library, and is neither.
  private static let otherWords: [(file: String, text: String)] = [
    // Arguments of programs that agenda starts.
    ("AgendaSources/Subscriptions/FetchRun.swift", #"["--batch", "--jobs", "\(jobs)"]"#),
    ("AgendaSources/Servers/ServerConversation.swift", #""--caldav""#),
    ("AgendaPictures/PictureDecoder.swift", #""--decode-pictures""#),
    // The verb, not the command.
    ("AgendaSources/Writing/InvalidEdit.swift", "agenda changes only files"),
  ]

  @Test("no text of the library names an option or a command")
  func libraryNamesNoOption() throws {
    var used = 0
    for (path, text) in try Self.texts(of: Self.library) {
      var text = text
      for word in Self.otherWords where word.file == path && text.contains(word.text) {
        text = text.replacing(word.text, with: "")
        used += 1
      }
      // Custom properties of style sheets: `--page:#fff` and `var(--page)`.
      text = text.replacing(/--[a-z]+:(?=\S)|var\(--[a-z]+\)/, with: "")
      for match in text.matches(of: /--[a-z][a-z-]*/) {
        Issue.record("\(path) names the option \(match.output)")
      }
      for name in try Self.commandNames() {
        #expect(!text.contains("agenda \(name)"), "\(path) names the command \(name)")
      }
    }
    #expect(used == Self.otherWords.count)
  }

  /// The names of all commands.
  private static func commandNames() throws -> [Substring] {
    let names = try texts(of: ["AgendaCommands"]).filter { $0.path.contains("/Commands/") }
      .flatMap { $0.text.matches(of: /\bCommand\(\s*"([a-z]+)"/).map(\.output.1) }
    try #require(names.count > 25)
    return names
  }

  /// The sources of modules without comments. Literals that are joined with `+` are one.
  private static func texts(of modules: Set<String>) throws -> [(path: String, text: String)] {
    try FileManager.default.subpathsOfDirectory(atPath: sources.path).sorted().filter {
      $0.hasSuffix(".swift") && modules.contains(String($0.prefix { $0 != "/" }))
    }.map { path in
      let text = try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
      let lines = text.split(separator: "\n").filter { !$0.contains(/^\s*\/\//) }
      return (path, lines.joined(separator: "\n").replacing(/"\s*\+\s*"/, with: ""))
    }
  }

  @Test("every folder of Sources is a module in these layers")
  func noModuleIsMissing() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
    let system: Set<String> = ["CLibical", "CSQLite", "CCurl", "CExpat", "CSystem"]
    #expect(Set(folders).subtracting(system).isSubset(of: Set(Self.layers.joined())))
  }

  /// The lines of each module that import something; every file is read once.
  private static let importLines: [String: [(file: String, lines: [String])]] = {
    var modules: [String: [(file: String, lines: [String])]] = [:]
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: sources.path)) ?? []
    for path in paths where path.hasSuffix(".swift") {
      let module = String(path.prefix { $0 != "/" })
      let text = try? String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
      // The expression is slow, and few lines begin like an import.
      let lines = (text ?? "import Unreadable").components(separatedBy: "\n").filter { line in
        line.utf8.first { $0 != 0x20 && $0 != 0x09 }.map("i@pf".utf8.contains) == true
          && line.contains("import ") && line.firstMatch(of: declaration) != nil
      }
      modules[module, default: []].append((String(path.dropFirst(module.count + 1)), lines))
    }
    return modules
  }()

  private static func importLines(of module: String) -> [(file: String, lines: [String])] {
    importLines[module] ?? []
  }

  private static func imports(of module: String) -> [(file: String, module: String)] {
    importLines(of: module).flatMap { file, lines in
      lines.compactMap { line in
        line.firstMatch(of: declaration).map { (file, String($0.output.1)) }
      }
    }
  }

  // `import struct Module.Name` names the module before the dot.
  private static var declaration: Regex<(Substring, Substring)> {
    /^\s*(?:@\w+ +)*(?:(?:public|package|internal|fileprivate|private) +)?import +(?:(?:struct|class|enum|protocol|func|var|let|typealias) +)?(\w+)/
  }
}
