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

  /// A finding that names files by their locations.
  func named(_ finding: Finding) -> Finding {
    var finding = finding
    finding.positions.files = finding.positions.files.map { file in
      // `/home/ana/work.ics:12`
      let line = file.lastIndex(of: ":") ?? file.endIndex
      let path = file[..<line]
      if let name = names[String(path)] { return name + file[line...] }
      guard let slash = path.lastIndex(of: "/"), let name = names[String(path[..<slash])] else {
        return file
      }
      return Source.name(ofFile: String(file[slash...].dropFirst()), in: name)
    }
    return finding
  }
}
