package import CivilTime
internal import Platform

/// Reports, from a separate thread, that calendars may have changed, until it is stopped.
package final class SourceWatch: Sendable {
  package enum Places: Sendable {
    case store(String)
    case files([String])
    case nothing
  }

  /// `nil` if the system cannot watch files.
  private let watch: FileWatch?

  /// The link or file that sets the system's zone.
  package static let zoneFile = "/etc/localtime"
  /// The time for which a file must stay unchanged before it is read, because a program may still
  /// be writing it.
  private static let pauseInMilliseconds: Int32 = 20

  /// `report` is called with `false` for each change, at the moment of `wakeAt`, and when the clock or
  /// the zone is set; at the end it is called with `true`.
  package init(
    _ places: Places, zoneFile: String = SourceWatch.zoneFile,
    wakeAt: @escaping @Sendable () -> Instant?,
    report: @escaping @Sendable (_ isOver: Bool) -> Void
  ) {
    let watch = Self.watch(places, zoneFile)
    self.watch = watch
    let pause = if case .files = places { Self.pauseInMilliseconds } else { Int32(0) }
    let isStarted = WorkerThread.start {
      while let event = try? watch?.wait(until: wakeAt()?.secondsSinceEpoch, pause: pause),
        event != .stopped
      {
        report(false)
      }
      report(true)
    }
    if !isStarted { report(true) }
  }

  package func stop() { watch?.stop() }

  private static func watch(_ places: Places, _ zoneFile: String) -> FileWatch? {
    switch places {
    case .store(let path): try? FileWatch(files: [zoneFile], databases: [path])
    case .files(let paths):
      try? FileWatch(
        files: [zoneFile] + paths.filter { !isFolder($0) }, folders: paths.filter(isFolder))
    case .nothing: try? FileWatch(files: [zoneFile])
    }
  }

  private static func isFolder(_ path: String) -> Bool { FileStatus(path: path)?.kind == .folder }
}
