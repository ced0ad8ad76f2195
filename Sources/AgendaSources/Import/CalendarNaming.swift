internal import AgendaCore
internal import AgendaStore

/// The name of an imported source's calendar: one that the user gave, otherwise the one that the source
/// states. Outlook and Apple call every calendar `Calendar`, so a name that another source has already
/// gets the name of the file or the host of the address.
struct CalendarNaming {
  private let origin: SourceOrigin
  private let isInRoot: Bool
  /// The names of the other sources' calendars.
  private let taken: Set<String>

  /// `replaced` are sources that this one takes in.
  init(
    store: Store, origin: SourceOrigin, isInRoot: Bool, replacing replaced: [StoredSource] = []
  ) throws(StoreError) {
    self.origin = origin
    self.isInRoot = isInRoot
    var own = Set(replaced.map(\.id))
    if let known = try store.sourceID(at: origin.location) { own.insert(known) }
    taken = try store.calendarNames().reduce(into: []) { names, entry in
      if !own.contains(entry.key) { names.formUnion(entry.value) }
    }
  }

  /// `known` is the source in the store.
  func name(of read: ReadSource, given: String?, known: ImportedSource?) -> String {
    if let given { return given }
    if read.isUnchanged, let known { return known.calendar }
    if read.isMail { return read.mailCalendar }
    return name(read.name, known: known)
  }

  /// The same for the name that a source states.
  func name(_ name: String, known: ImportedSource?) -> String {
    // A source keeps the name that it got when another one had its own.
    if let known, !known.hasExplicitName, isLongName(known.calendar, of: name) {
      return known.calendar
    }
    if known?.calendar == name || !taken.contains(name) { return name }
    return origin.source.longName(name, besides: taken)
  }

  private func isLongName(_ calendar: String, of name: String) -> Bool {
    guard calendar.hasPrefix("\(name) ("), calendar.hasSuffix(")") else { return false }
    let inner = calendar.dropFirst(name.count + 2).dropLast()
    let place = origin.source.shortPlace
    if place == name { return Int(inner) != nil }
    return inner == place
      || inner.hasPrefix(place + " ") && Int(inner.dropFirst(place.count + 1)) != nil
  }

  /// What the report says about a name that the source did not state.
  func finding(_ read: ReadSource, stored name: String) -> Finding? {
    guard !isInRoot, !read.isUnchanged, !read.isMail, isLongName(name, of: read.name) else {
      return nil
    }
    return .nameInUse(read.name, calendar: name)
  }
}

extension Source {
  /// `Calendar (work.ics)`; if another source has that too, `Calendar (work.ics 2)`.
  func longName(_ name: String, besides taken: Set<String>) -> String {
    var number = 1
    while taken.contains(longName(name, number)) { number += 1 }
    return longName(name, number)
  }

  private func longName(_ name: String, _ number: Int) -> String {
    let place = shortPlace
    // An address without a name has the name of its host.
    if place == name { return "\(name) (\(number + 1))" }
    return number == 1 ? "\(name) (\(place))" : "\(name) (\(place) \(number))"
  }

  /// Where it is, in a word: the name of a file or folder, or the host of an address.
  var shortPlace: String {
    switch self {
    case .path(let path): path.split(separator: "/").last.map(String.init) ?? path
    case .url(let url): url.host
    case .standardInput: displayName
    }
  }
}
