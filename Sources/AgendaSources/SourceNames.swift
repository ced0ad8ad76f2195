internal import AgendaCore
internal import AgendaStore

/// The names of the sources of a run, as the user gave them. The store knows only locations.
struct SourceNames {
  private let storePath: String
  private var names: [String: String] = [:]

  init(storePath: String) { self.storePath = storePath }

  mutating func add(_ name: String, for location: String) { names[location] = name }

  /// The place of a component, with the name of its source.
  func place(of origin: ComponentOrigin) -> SourcePlace {
    guard let name = names[origin.location] else { return origin.place(inStore: storePath) }
    let file = origin.document
    return SourcePlace(
      source: file.isEmpty ? name : Source.name(ofFile: file, in: name), line: origin.line)
  }

  /// A finding of a source that names files of a folder by their location.
  func named(_ finding: Finding, of location: String) -> Finding {
    guard let name = names[location] else { return finding }
    var finding = finding
    let folder = location + "/"
    finding.kind.renameFiles { file in
      file.hasPrefix(folder)
        ? Source.name(ofFile: String(file.dropFirst(folder.count)), in: name) : file
    }
    return finding
  }
}
