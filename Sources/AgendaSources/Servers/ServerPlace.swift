internal import AgendaStore
internal import FetchProtocol

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
    var folder = path.utf8.prefix(self.path.utf8.count)
    if !folder.elementsEqual(self.path.utf8) {
      // The server writes the path of the calendar in another way than before.
      var depth = self.path.utf8.count { $0 == UInt8(ascii: "/") }
      folder = path.utf8.prefix { byte in
        if depth > 0, byte == UInt8(ascii: "/") { depth -= 1 } else if depth == 0 { return false }
        return true
      }
      guard String(Substring(folder)).comparablePath == self.path.comparablePath else { return nil }
    }
    return folder.endIndex == path.endIndex ? nil : String(path[folder.endIndex...])
  }

  func path(ofName name: String) -> String { path + name }

  /// The last part of the path, by which people can name the calendar too.
  var shortName: String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}
