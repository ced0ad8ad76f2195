internal import AgendaCore
internal import AgendaReader
internal import AgendaStore

/// Series with overrides that only other sources of the calendar have. An edit of the series takes these
/// along: in their own document if agenda can write it, otherwise as a copy in the document of the
/// series. The series then has a higher SEQUENCE, so that what the other source has is outdated.
extension EditSession {
  /// Another source with overrides of a series.
  struct OtherSource {
    let loaded: LoadedSeries
    /// Where its overrides are written; `nil` if agenda does not write there.
    let target: EditTarget?
    let overrides: Set<EventReference>
  }

  /// The event of an occurrence; the series if only its override is in the source of the occurrence. An
  /// override of an event that does not recur is an entry of its own.
  func loadSeries(_ occurrence: Occurrence) throws(StoreError) -> LoadedSeries {
    let loaded = try load(occurrence)
    guard !loaded.sharesUID,
      !loaded.versions.contains(where: { $0.event.identity.recurrenceID == nil }),
      let series = loaded.series, series.master.identity.recurrenceID == nil,
      series.master.repeats, series.master.reference.source != loaded.source.id,
      !loaded.excerpt.files.isMessage(series.master.reference)
    else { return loaded }
    var occurrence = occurrence
    occurrence.event = series.master
    return try load(occurrence)
  }

  func otherSources(of loaded: LoadedSeries) throws(StoreError) -> [OtherSource] {
    guard !loaded.sharesUID, let series = loaded.series,
      series.master.identity.recurrenceID == nil,
      series.master.reference.source == loaded.source.id
    else { return [] }
    let files = loaded.excerpt.files
    let overrides = series.overrides.filter {
      $0.reference.source != loaded.source.id && !files.isMessage($0.reference)
    }
    var others: [OtherSource] = []
    for (_, overrides) in Dictionary(grouping: overrides, by: \.reference.source)
      .sorted(by: { $0.key < $1.key })
    {
      guard let first = overrides.first else { continue }
      var occurrence = loaded.occurrence
      occurrence.event = first
      let other = try load(occurrence)
      // With a version of the whole series, that source has all of it in its own way.
      let isWhole = other.versions.contains { $0.event.identity.recurrenceID == nil }
      others.append(
        OtherSource(
          loaded: other, target: isWhole || other.sharesUID ? nil : target(of: other),
          overrides: Set(overrides.map(\.reference))))
    }
    return others
  }

  /// Adds the overrides of other sources to the documents of a series.
  func add(
    _ others: [OtherSource], to documents: inout SeriesDocuments,
    _ folders: [String: FolderWriter]
  ) throws {
    for other in others {
      if let target = other.target {
        let folder = target.path.flatMap { folders[$0] }
        let own = try self.documents(
          of: other.loaded, in: target, folder, firstNumber: documents.parts.count)
        documents.parts += own.parts
        documents.outdated += own.outdated
        documents.otherSources.append(other.loaded.source.source.location)
      } else {
        let versions = other.loaded.versions.filter {
          other.overrides.contains($0.event.reference)
        }
        let text = try CalendarText(
          try other.loaded.text(of: versions, store), reader: reader(other.loaded.event.calendar),
          name: "")
        for member in text.members(of: other.loaded.event) {
          documents.foreign.append(
            SeriesEditor.Member(
              id: .foreign(documents.foreign.count), event: member.event, text: member.text.bytes))
        }
      }
    }
  }
}

extension LoadedSeries {
  /// What the calendar shows of the event, with the components of other sources.
  var series: Series? { excerpt.assembly.series(with: event.reference) }
}
