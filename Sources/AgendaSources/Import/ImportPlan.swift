internal import AgendaCore
internal import AgendaStore
internal import Platform

/// The settings of a source that the user gave when it was imported.
struct SourceSettings {
  /// The calendar's name, if the user gave one.
  let calendar: String?
  let encoding: String?
  let fetching: FetchSettings
}

extension SourceSettings {
  /// The same with the name that the user has given the calendar of the source before, or that of the
  /// files that a folder takes in.
  fileprivate func completed(for source: Source, by known: [StoredSource]) -> SourceSettings {
    guard calendar == nil, let location = source.location else { return self }
    let named = known.map(\.source).filter(\.hasExplicitName)
    let own = named.first { $0.location == location }
    let names = Set(named.filter { $0.isFile(of: location) }.map(\.calendar))
    let isKnown = known.contains { $0.source.location == location }
    let taken = isKnown || names.count > 1 ? nil : names.first
    return SourceSettings(
      calendar: own?.calendar ?? taken, encoding: encoding, fetching: fetching)
  }
}

/// A source that is to be imported.
struct ImportJob {
  let source: Source
  let settings: SourceSettings
  /// The source in the store, if it is known to be there.
  var known: ImportedSource?
  /// The path of its root, if it was found in one.
  var root: String?
}

/// What an import or a refresh is going to import, before anything is read.
struct ImportPlan {
  let jobs: [ImportJob]
  /// Whether sources are imported again with their previous settings.
  let isRefresh: Bool
  /// Whether the user named the calendars that are imported again.
  let isOfNamedCalendars: Bool

  /// Sources that the user named, with their settings. `known` are the sources of the store.
  init(
    importing sources: [Source], _ settings: SourceSettings, known: [StoredSource],
    rootFolders: [RootFolder]
  ) {
    isRefresh = false
    isOfNamedCalendars = false
    jobs = sources.flatMap { source -> [ImportJob] in
      let root = CalendarRoot(source)
      let emptied = Self.emptiedFolders(of: source, root, known, rootFolders)
      let members = root == nil && !emptied.isEmpty ? [] : source.members(of: root)
      return (members + emptied).map {
        ImportJob(
          source: $0, settings: settings.completed(for: $0, by: known),
          root: root?.location ?? (emptied.isEmpty ? nil : source.location))
      }
    }
  }

  /// Sources of the store with their previous settings. The sources from standard input and those that
  /// exist only in the store are left out. Unless the user named calendars, new folders of roots are
  /// imported, too. `fetching` replaces settings of the addresses.
  init(
    refreshing sources: [StoredSource], known: [StoredSource], rootFolders: [RootFolder],
    _ subscriptions: [String: SubscriptionRow], isOfNamedCalendars: Bool, fetching: FetchSettings
  ) {
    isRefresh = true
    self.isOfNamedCalendars = isOfNamedCalendars
    let roots = Dictionary(rootFolders.map { ($0.folder, $0.root) }, uniquingKeysWith: { $1 })
    var jobs = sources.map(\.source).filter { [.file, .folder, .url].contains($0.kind) }.map {
      source in
      let record = subscriptions[source.location].map(SubscriptionRecord.init)
      let settings = SourceSettings(
        calendar: source.hasExplicitName ? source.calendar : nil, encoding: source.encoding,
        fetching: fetching.completed(by: record?.settings ?? FetchSettings()))
      return ImportJob(
        source: Source(source.location), settings: settings, known: source,
        root: roots[source.location])
    }
    if !isOfNamedCalendars { jobs += Self.newFolders(known, rootFolders) }
    self.jobs = jobs
  }

  /// The folders of a root that the store knows and that have lost all of their files. `root` is
  /// `nil` if no folder has any.
  private static func emptiedFolders(
    of source: Source, _ root: CalendarRoot?, _ known: [StoredSource], _ folders: [RootFolder]
  ) -> [Source] {
    guard !folders.isEmpty, let location = root?.location ?? source.location else { return [] }
    let sources = Set(known.map(\.source.location))
    let filled = Set(root?.folders.compactMap { try? resolvedPath($0) } ?? [])
    return folders.filter {
      $0.root == location && sources.contains($0.folder) && !filled.contains($0.folder)
        && FileStatus(path: $0.folder)?.kind == .folder
    }.map { .path($0.folder) }
  }

  /// The folders that were added to roots since their import. Roots without any source in the store
  /// are skipped.
  private static func newFolders(
    _ known: [StoredSource], _ folders: [RootFolder]
  ) -> [ImportJob] {
    let sources = Set(known.map(\.source.location))
    let all = sources.union(folders.map(\.folder))
    var roots: [String: RootFolder] = [:]
    for folder in folders where sources.contains(folder.folder) { roots[folder.root] = folder }
    return roots.keys.sorted().flatMap { root in
      let settings = SourceSettings(
        calendar: nil, encoding: roots[root]?.encoding, fetching: FetchSettings())
      return CalendarRoot.folders(in: root)
        .filter { path in (try? resolvedPath(path)).map { !all.contains($0) } ?? false }
        .map { ImportJob(source: .path($0), settings: settings, root: root) }
    }
  }
}
