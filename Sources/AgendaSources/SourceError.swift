package import AgendaReader

/// The reason why a source cannot be read at all. The caller adds the name of the source.
package enum SourceError: Error {
  case unreadable(ReaderError)
  /// The system's reason, in words.
  case system(String)
  /// Why an address could not be fetched, in words.
  case notFetched(String)
}

extension SourceError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unreadable(let error): error.description
    case .system(let reason), .notFetched(let reason): reason
    }
  }
}
