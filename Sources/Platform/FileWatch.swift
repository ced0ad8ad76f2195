internal import SystemLibrary

/// Waits until files or folders change, a moment comes, the clock is set, or somebody stops it. It
/// uses no processor time while it waits.
///
/// Linux reports changes by inotify(7) and the time by timerfd_create(2), Darwin both by kqueue(2).
package final class FileWatch: Sendable {
  package enum Event: Sendable {
    case files
    /// The moment has come, or the clock was set.
    case time
    case stopped
  }

  private let files: [String]
  private let databases: [String]
  private let folders: [String]
  private let watcher: SystemWatcher
  private let stopping: Pipe
  private let longestPause: Int32

  /// Watches files and SQLite databases, which need not exist, and folders with the folders below
  /// them. After `longestPause` milliseconds without a change, the wait ends even if a program still
  /// has a file open.
  package init(
    files: [String] = [], databases: [String] = [], folders: [String] = [],
    longestPause: Int32 = FileWatch.longestPause
  ) throws(SystemError) {
    guard let stopping = Pipe() else { throw .last }
    self.stopping = stopping
    self.longestPause = longestPause
    do throws(SystemError) {
      watcher = try SystemWatcher(stopping: stopping.reading)
    } catch {
      stopping.close()
      throw error
    }
    self.files = files
    self.databases = databases
    self.folders = folders
    watchAll()
  }

  /// Folders can come and go, so they are looked up again after each change. Those that are watched
  /// already stay so.
  private func watchAll() {
    for file in files {
      watcher.watch(file: file)
      if let target = Self.target(of: file), target != file { watcher.watch(file: target) }
    }
    for database in databases { watcher.watch(database: Self.target(of: database) ?? database) }
    for folder in folders { watch(folder: folder, depth: 0) }
  }

  deinit { stopping.close() }

  /// How long a file may be open for writing without a change, in milliseconds.
  package static let longestPause: Int32 = 2000

  /// Waits; `moment` is in seconds since 1970. A program writes a file in pieces: the wait ends only
  /// after `pause` milliseconds without another change, and when the file is closed, if its writer
  /// does that soon.
  package func wait(until moment: Int? = nil, pause: Int32 = 0) throws(SystemError) -> Event {
    for database in databases { watcher.watch(database: Self.target(of: database) ?? database) }
    watcher.setTimer(moment)
    var event = try watcher.wait(milliseconds: -1) ?? .time
    while event == .files, pause > 0 {
      let limit = watcher.hasUnfinishedFiles ? max(pause, longestPause) : pause
      guard let next = try watcher.wait(milliseconds: limit) else { break }
      if next != .files { event = next }
    }
    if event == .files { watchAll() }
    return event
  }

  /// Ends a wait, now or later, from any thread.
  package func stop() { Self.writeByte(to: stopping.writing) }

  /// Ends waits of this watch when the process is asked to terminate (SIGTERM).
  package func stopOnTermination() {
    terminationDescriptor = stopping.writing
    // The handler may only call what signal-safety(7) lists.
    signal(SIGTERM) { _ in FileWatch.writeByte(to: terminationDescriptor) }
    // A program can inherit from its parent that signals are held back.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  private static func writeByte(to descriptor: Int32) {
    var byte: UInt8 = 0
    _ = write(descriptor, &byte, 1)
  }

  /// Folders below a calendar folder hold its calendars; deeper ones are of no interest.
  private static let greatestDepth = 2

  private func watch(folder: String, depth: Int) {
    watcher.watch(folder: folder)
    guard depth < Self.greatestDepth, let directory = opendir(folder) else { return }
    defer { closedir(directory) }
    while let item = readdir(directory) {
      let name = withUnsafePointer(to: &item.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
          String(cString: $0)
        }
      }
      guard !name.hasPrefix("."), FileStatus(path: "\(folder)/\(name)")?.kind == .folder else {
        continue
      }
      watch(folder: "\(folder)/\(name)", depth: depth + 1)
    }
  }

  private static func target(of path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

// Written before the handler is installed, and a plain number, as a signal handler needs.
private nonisolated(unsafe) var terminationDescriptor: Int32 = -1

/// The folder and the name of a path.
private func split(_ path: String) -> (folder: String, name: String) {
  guard let slash = path.lastIndex(of: "/") else { return (".", path) }
  let folder = path[..<slash]
  return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
}

#if canImport(Darwin)
  private final class SystemWatcher: @unchecked Sendable {
    private let queue: Int32
    private var descriptors: [String: Int32] = [:]
    private let stopping: Int32

    init(stopping: Int32) throws(SystemError) {
      queue = kqueue()
      guard queue >= 0 else { throw .last }
      self.stopping = stopping
      change(ident: UInt(stopping), filter: EVFILT_READ, flags: EV_ADD)
    }

    deinit {
      for descriptor in descriptors.values { close(descriptor) }
      close(queue)
    }

    private func change(
      ident: UInt, filter: Int32, flags: Int32, fflags: UInt32 = 0, data: Int = 0
    ) {
      var change = kevent(
        ident: ident, filter: Int16(filter), flags: UInt16(flags), fflags: fflags, data: data,
        udata: nil)
      _ = kevent(queue, &change, 1, nil, 0, nil)
    }

    func watch(file: String) {
      watch(folder: file)
      watch(folder: file + "-wal")
      watch(folder: split(file).folder)
    }

    func watch(database: String) { watch(file: database) }

    /// kqueue does not report when a file is closed.
    var hasUnfinishedFiles: Bool { false }

    func watch(folder: String) {
      let descriptor = open(folder, O_EVTONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return }
      if let previous = descriptors.updateValue(descriptor, forKey: folder) { close(previous) }
      change(
        ident: UInt(descriptor), filter: EVFILT_VNODE, flags: EV_ADD | EV_CLEAR,
        fflags: UInt32(NOTE_WRITE | NOTE_EXTEND | NOTE_DELETE | NOTE_RENAME))
    }

    func setTimer(_ moment: Int?) {
      change(
        ident: 1, filter: EVFILT_TIMER, flags: moment == nil ? EV_DELETE : EV_ADD | EV_ONESHOT,
        fflags: UInt32(NOTE_SECONDS | NOTE_ABSOLUTE), data: moment ?? 0)
    }

    func wait(milliseconds: Int32) throws(SystemError) -> FileWatch.Event? {
      var event = kevent()
      var limit = timespec(tv_sec: 0, tv_nsec: Int(max(0, milliseconds)) * 1_000_000)
      while true {
        let count =
          milliseconds < 0
          ? kevent(queue, nil, 0, &event, 1, nil) : kevent(queue, nil, 0, &event, 1, &limit)
        if count == 0 { return nil }
        if count > 0 {
          switch Int32(event.filter) {
          case EVFILT_READ: return .stopped
          case EVFILT_TIMER: return .time
          default: return .files
          }
        }
        if errno != EINTR { throw .last }
      }
    }
  }
#else
  private final class SystemWatcher: @unchecked Sendable {
    private let notifications: Int32
    private let timer: Int32
    private let stopping: Int32
    /// The names that matter in each watched folder; `nil` for all.
    private var names: [Int32: Set<String>?] = [:]
    /// Folders that are watched for a database that is missing or has no -wal file.
    private var databaseFolders: [String: Int32] = [:]
    /// Files that a program has changed and not closed yet.
    private var unfinished: Set<UnfinishedFile> = []

    private struct UnfinishedFile: Hashable {
      let folder: Int32
      let name: String
    }

    var hasUnfinishedFiles: Bool { !unfinished.isEmpty }

    init(stopping: Int32) throws(SystemError) {
      self.stopping = stopping
      notifications = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      guard notifications >= 0 else { throw .last }
      timer = timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
      guard timer >= 0 else {
        let error = SystemError.last
        close(notifications)
        throw error
      }
    }

    deinit {
      close(notifications)
      close(timer)
    }

    /// The file itself can be replaced by another one, so its folder is watched.
    func watch(file: String) {
      let (folder, name) = split(file)
      watch(folder, names: [name])
    }

    /// SQLite writes a commit into the -wal file next to the database, or into the database. Other
    /// files of the folder are of no interest as long as both exist.
    func watch(database: String) {
      let (folder, name) = split(database)
      if addFile(database), addFile(database + "-wal") {
        if let number = databaseFolders.removeValue(forKey: folder) {
          names[number] = nil
          inotify_rm_watch(notifications, number)
        }
      } else if let number = watch(folder, names: [name, name + "-wal"]) {
        databaseFolders[folder] = number
      }
    }

    /// Watches names in a folder; while the folder is missing, it watches for that folder above it.
    @discardableResult
    private func watch(_ folder: String, names: Set<String>) -> Int32? {
      var (folder, names) = (folder, names)
      while true {
        if let number = add(folder, names: names) { return number }
        guard folder != "/", folder != "." else { return nil }
        let (parent, name) = split(folder)
        (folder, names) = (parent, [name])
      }
    }

    /// A file that is replaced or deleted loses its name, which is a change of its attributes.
    private func addFile(_ path: String) -> Bool {
      let mask = IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF
      return inotify_add_watch(notifications, path, UInt32(mask)) >= 0
    }

    func watch(folder: String) { _ = add(folder, names: nil) }

    private func add(_ folder: String, names wanted: Set<String>?) -> Int32? {
      let mask =
        IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE
        | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
      let number = inotify_add_watch(notifications, folder, UInt32(mask))
      guard number >= 0 else { return nil }
      switch (names[number], wanted) {
      case (.some(.some(let known)), .some(let wanted)): names[number] = known.union(wanted)
      case (.some(.none), _): break
      default: names[number] = .some(wanted)
      }
      return number
    }

    func setTimer(_ moment: Int?) {
      var time = itimerspec()
      time.it_value.tv_sec = moment ?? 0
      _ = timerfd_settime(
        timer, Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET), &time, nil)
    }

    func wait(milliseconds: Int32) throws(SystemError) -> FileWatch.Event? {
      while true {
        var waiting = [stopping, timer, notifications].map {
          pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        let count = poll(&waiting, nfds_t(waiting.count), milliseconds)
        if count == 0 { return nil }
        if count < 0 {
          if errno == EINTR { continue }
          throw .last
        }
        if waiting[0].revents != 0 { return .stopped }
        if waiting[1].revents != 0 {
          // Fails with ECANCELED after the clock was set, which is as good as the time.
          var expirations: UInt64 = 0
          _ = readDescriptor(timer, &expirations, MemoryLayout<UInt64>.size)
          return .time
        }
        if hasRelevantNotification() { return .files }
      }
    }

    /// Takes all notifications that are there.
    private func hasRelevantNotification() -> Bool {
      var buffer = [UInt8](repeating: 0, count: 1 << 14)
      var isRelevant = false
      while true {
        let count = buffer.withUnsafeMutableBytes {
          readDescriptor(notifications, $0.baseAddress, $0.count)
        }
        guard count > 0 else { return isRelevant }
        var place = 0
        while place + MemoryLayout<inotify_event>.size <= count {
          let event = buffer.withUnsafeBytes {
            $0.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
          }
          let start = place + MemoryLayout<inotify_event>.size
          place = start + Int(event.len)
          let name = String(
            decoding: buffer[start..<min(place, count)].prefix { $0 != 0 }, as: UTF8.self)
          guard matters(name, in: event.wd) else { continue }
          isRelevant = true
          let file = UnfinishedFile(folder: event.wd, name: name)
          if event.mask & UInt32(IN_MODIFY) != 0 {
            unfinished.insert(file)
          } else {
            unfinished.remove(file)
          }
        }
      }
    }

    private func matters(_ name: String, in folder: Int32) -> Bool {
      // A notification without a name is about the folder itself, or about an overflow.
      guard !name.isEmpty, case .some(.some(let wanted)) = names[folder] else { return true }
      return wanted.contains(name)
    }
  }
#endif
