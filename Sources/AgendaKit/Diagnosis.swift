internal import AgendaPictures
internal import AgendaReader
package import AgendaStore
internal import Platform

/// Versions, and the problems of the time zone rules and the store.
public struct Diagnosis: Sendable {
  /// The version of this library.
  public let agendaVersion: String
  /// The version of libical.
  public let libicalVersion: String
  /// The version of the time zone rules, such as `2026b`; `nil` if unknown.
  public let zonesVersion: String?
  /// The folder with the time zone rules.
  package let zonesFolder: String
  /// Why thumbnails can't be made; `nil` if they can.
  package let thumbnailProblem: String?
  /// The state of the store; `nil` if nothing was imported yet, or the store can't be read.
  package let store: StoreHealth?
  /// All problems including those of the store, one sentence each.
  public let problems: [String]
}

extension CalendarStore {
  /// Checks the time zone rules and every row of the store, and tries to write to the store without
  /// changing its content.
  public func diagnosis() -> Diagnosis {
    var problems: [String] = []
    if zones.zone(named: "Europe/Berlin") == nil {
      problems.append("no time zone rules in \(zones.folder); install tzdata")
    }
    var health: StoreHealth?
    do {
      health = try self.health()
      problems += health?.problems ?? []
      if health?.isDamaged == true {
        problems.append(
          "the store is damaged; save its events with agenda export -o FILE, move \(path) away "
            + "and import your calendars and FILE again")
      }
      try Store.tryWriting(to: path)
    } catch {
      problems.append("\(error)")
    }
    let thumbnails = ThumbnailMaker(configuration.pictureDecoder.map { .init(path: $0) }).whyNot()
    return Diagnosis(
      agendaVersion: Platform.agendaVersion, libicalVersion: CalendarReader.libicalVersion,
      zonesVersion: zones.version, zonesFolder: zones.folder,
      thumbnailProblem: thumbnails.map { "\($0)" }, store: health, problems: problems)
  }
}
