internal import Platform

/// Why a zone can't be loaded.
public struct ZoneError: Error, Hashable, Sendable {
  package let problem: Problem

  package init(_ problem: Problem) { self.problem = problem }

  package enum Problem: Hashable, Sendable {
    /// The text does not have the form of a zone name: `../../../etc/passwd`, `/dev/zero`, or empty.
    case notAName(String)
    /// The folder has no zone with this name.
    case notFound(String, folder: String)
    /// The name leads to a FIFO, a device, a folder, or a file outside of the zone folder.
    case notRegular(String)
    /// The system reports an error (`errno`) for the file of the zone.
    case unreadable(String, code: Int32)
    /// What is wrong in a zone file (TZif) or in a TZ rule.
    case invalid(String)
  }
}

extension ZoneError: CustomStringConvertible {
  public var description: String {
    switch problem {
    case .notAName(let name): "\"\(name)\" is not a zone name"
    case .notFound(let name, let folder): "no time zone \"\(name)\" in \(folder)"
    case .notRegular(let name): "time zone \"\(name)\" is not a regular file of the zone folder"
    case .unreadable(let name, let code):
      "time zone \"\(name)\" cannot be read: \(SystemError(code: code))"
    case .invalid(let reason): reason
    }
  }
}
