internal import AgendaPictures
internal import AgendaReader
package import AgendaStore
internal import Platform

/// Versions, and the problems of the time zone rules and the store: what a person reports with a mistake.
/// Programs ask for ``CalendarStore/problems()``.
package struct Diagnosis: Sendable {
  /// The version of this library.
  package let agendaVersion: String
  /// The version of libical.
  package let libicalVersion: String
  /// The version of the time zone rules, such as `2026b`; `nil` if unknown.
  package let zonesVersion: String?
  /// The folder with the time zone rules.
  package let zonesFolder: String
  /// Why thumbnails can't be made; `nil` if they can.
  package let thumbnailProblem: String?
  /// The state of the store; `nil` if nothing was imported yet, or the store can't be read.
  package let store: StoreHealth?
  /// All problems including those of the store.
  package let found: [Problem]

  package enum Problem: Sendable {
    case noZoneRules(folder: String)
    case store(StoreHealth.Problem)
    /// The store is damaged in a way that cannot be repaired.
    case damagedStore(path: String)
    case error(any Error)
  }
}

extension Diagnosis.Problem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noZoneRules(let folder): "no time zone rules in \(folder); install tzdata"
    case .store(let problem): problem.description
    case .damagedStore(let path):
      "the store is damaged; export its events, move \(path) away and import your calendars and the "
        + "events again"
    case .error(let error): "\(error)"
    }
  }
}

extension CalendarStore {
  /// Checks the time zone rules and every row of the store, and tries to write to the store without
  /// changing its content.
  package func diagnosis() -> Diagnosis {
    var problems: [Diagnosis.Problem] = []
    if zones.zone(named: "Europe/Berlin") == nil {
      problems.append(.noZoneRules(folder: zones.folder))
    }
    var health: StoreHealth?
    do {
      health = try self.health()
      problems += (health?.found ?? []).map(Diagnosis.Problem.store)
      if health?.isDamaged == true {
        problems.append(.damagedStore(path: path))
      }
      try Store.tryWriting(to: path)
    } catch {
      problems.append(.error(error))
    }
    let thumbnails = ThumbnailMaker(configuration.pictureDecoder.map { .init(path: $0) }).whyNot()
    return Diagnosis(
      agendaVersion: Platform.agendaVersion, libicalVersion: CalendarReader.libicalVersion,
      zonesVersion: zones.version, zonesFolder: zones.folder,
      thumbnailProblem: thumbnails.map { "\($0)" }, store: health, found: problems)
  }
}
