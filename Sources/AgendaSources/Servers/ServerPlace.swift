internal import AgendaStore

/// A calendar on a CalDAV server: its address, and the names of its objects.
struct ServerPlace: Hashable {
  /// The address, which ends with a slash.
  let address: String
  let calendar: String
  /// The path of the address.
  let path: String

  init(_ source: ImportedSource) {
    self.init(address: source.location, calendar: source.calendar)
  }

  init(address: String, calendar: String) {
    self.address = address
    self.calendar = calendar
    let start = address.firstRange(of: "://")?.upperBound ?? address.startIndex
    path = address[start...].firstIndex(of: "/").map { String(address[$0...]) } ?? "/"
  }

  /// The name of a document for the path of an object; `nil` if it is not in the calendar.
  func name(ofPath path: String) -> String? {
    guard path.hasPrefix(self.path), path.utf8.count > self.path.utf8.count else { return nil }
    return String(path.dropFirst(self.path.count))
  }

  func path(ofName name: String) -> String { path + name }

  /// The last part of the path, by which people can name the calendar too.
  var shortName: String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}
