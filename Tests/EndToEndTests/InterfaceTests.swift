import Foundation
import TestSupport
import Testing

/// The public interface of the library, which programs depend on.
@Suite("the interface of AgendaKit")
struct InterfaceTests {
  /// The modules that a program can see, and the names that it can use of each; `nil` for all.
  private static func modules() throws -> [(name: String, names: Set<String>?)] {
    let file = Repository.root.appendingPathComponent("Sources/AgendaKit/Exports.swift")
    var exported: [String: Set<String>] = [:]
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    where line.hasPrefix("@_exported") {
      let path = (line.split(separator: " ").last ?? "").split(separator: ".").map(String.init)
      try #require(path.count == 2, "\(line)")
      exported[path[0], default: []].insert(path[1])
    }
    return [("AgendaKit", nil), ("AgendaKitFoundation", nil)]
      + exported.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private struct Graph: Decodable {
    struct Symbol: Decodable {
      struct Identifier: Decodable { let precise: String }
      struct Kind: Decodable { let identifier: String }
      struct Fragment: Decodable { let spelling: String }
      struct Comment: Decodable {}

      let identifier: Identifier
      let kind: Kind
      let pathComponents: [String]
      let declarationFragments: [Fragment]
      let docComment: Comment?

      /// Such as `!=`, which the compiler adds.
      var isSynthesized: Bool { identifier.precise.contains("::SYNTHESIZED::") }
      var declaration: String { declarationFragments.map(\.spelling).joined() }
    }

    struct Relationship: Decodable {
      struct Origin: Decodable {}

      let kind: String
      let source: String
      let targetFallback: String?
      let sourceOrigin: Origin?
    }

    let symbols: [Symbol]
    let relationships: [Relationship]

    /// What a protocol requires and describes, such as `==`: whether a person or the compiler writes it
    /// is no part of the interface, but that the type conforms is. The type of an `id` is one, too.
    var witnesses: Set<String> {
      let members = relationships.filter { $0.kind == "memberOf" && $0.sourceOrigin != nil }
      let identifiers = symbols.filter { $0.pathComponents.last == "id" }
      return Set(members.map(\.source)).subtracting(identifiers.map(\.identifier.precise))
    }

    /// The protocols that each type conforms to, without those that all types do.
    var conformances: [String: Set<String>] {
      var found: [String: Set<String>] = [:]
      for conformance in relationships where conformance.kind == "conformsTo" {
        guard let name = conformance.targetFallback?.split(separator: ".").last,
          !["Copyable", "Escapable", "SendableMetatype", "BitwiseCopyable"].contains(name)
        else { continue }
        found[conformance.source, default: []].insert(String(name))
      }
      return found
    }
  }

  private struct Found {
    let module: String
    let symbol: Graph.Symbol
    let protocols: Set<String>

    var line: String {
      let path = symbol.pathComponents.joined(separator: ".")
      let conformances = protocols.isEmpty ? "" : " : " + protocols.sorted().joined(separator: ", ")
      return "\(module) \(path): \(symbol.declaration)\(conformances)"
    }
  }

  private static func symbols() throws -> [Found] {
    let folder = try ScratchFolder()
    let build = AgendaRun.program.deletingLastPathComponent()
    let target = try Tool("swift").run(["-print-target-info"])
    let information = try JSONSerialization.jsonObject(with: Data(target.output.utf8))
    let triple = try #require(
      ((information as? [String: Any])?["target"] as? [String: Any])?["triple"] as? String)
    var found: [Found] = []
    for module in try modules() {
      let output = folder.url.appendingPathComponent(module.name)
      try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
      var arguments = [
        "symbolgraph-extract", "-module-name", module.name, "-target", triple,
        "-minimum-access-level", "public", "-output-dir", output.path,
        "-I", build.appendingPathComponent("Modules").path,
      ]
      for library in ["CLibical", "CSQLite", "CSystem"] {
        arguments += ["-I", Repository.root.appendingPathComponent("Sources/\(library)").path]
      }
      let run = try Tool("swift").run(arguments)
      try #require(run.status == 0, "\(module.name): \(run.errors)")
      for file in try FileManager.default.contentsOfDirectory(
        at: output, includingPropertiesForKeys: nil)
      {
        let graph = try JSONDecoder().decode(Graph.self, from: Data(contentsOf: file))
        let (witnesses, conformances) = (graph.witnesses, graph.conformances)
        for symbol in graph.symbols where !symbol.isSynthesized {
          let id = symbol.identifier.precise
          guard module.names?.contains(symbol.pathComponents[0]) ?? true, !witnesses.contains(id)
          else { continue }
          found.append(
            Found(module: module.name, symbol: symbol, protocols: conformances[id] ?? []))
        }
      }
    }
    return found
  }

  @Test("the public interface is the recorded one", .requires("swift"))
  func recorded() throws {
    let lines = try Self.symbols().map(\.line)
    let present = Set(lines).sorted().joined(separator: "\n") + "\n"
    let file = Repository.fixtures.appendingPathComponent("interface/AgendaKit.txt")
    if TestSettings.isRecording {
      try Data(present.utf8).write(to: file)
      Issue.record("recorded \(file.lastPathComponent)")
      return
    }
    let kept = try String(contentsOf: file, encoding: .utf8)
    let (new, old) = (Set(present.split(separator: "\n")), Set(kept.split(separator: "\n")))
    let differences =
      new.subtracting(old).map { "+ \($0)" }.sorted()
      + old.subtracting(new).map { "- \($0)" }.sorted()
    #expect(
      differences.isEmpty,
      """
      \(differences.joined(separator: "\n"))
      If programs shall see this, run AGENDA_RECORD=1 .ci/test --filter InterfaceTests
      """)
  }

  @Test("every public symbol has documentation", .requires("swift"))
  func documented() throws {
    let missing = try Self.symbols().filter { $0.symbol.docComment == nil }
      .map { "\($0.module) \($0.symbol.pathComponents.joined(separator: "."))" }
    #expect(missing.isEmpty, "\(Set(missing).sorted().joined(separator: "\n"))")
  }
}
