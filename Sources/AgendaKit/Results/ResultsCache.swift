internal import AgendaSources

/// A named file that keeps the entries of a store's results from one run of a program to the next.
///
///     request.cache = try ResultsCache(named: "year", in: folder)
///
/// It is used only if the store, the selection, the days, the zone and its rules, and the version of
/// this library are exactly those that it was written for; otherwise the store is read and the cache
/// is written again. Sections and their order are made anew each time, so that one cache can serve
/// several layouts. Only results of a store use a cache.
public struct ResultsCache: Sendable {
  /// The name of the cache.
  public let name: String
  let listing: ListingCache

  /// - Parameters:
  ///   - name: what the file is called; several programs can share it.
  ///   - folder: an existing folder, such as `~/.cache/NAME-OF-PROGRAM`.
  /// - Throws: `CalendarError` if no file can have that name.
  public init(named name: String, in folder: String) throws(CalendarError) {
    guard let listing = ListingCache(named: name, in: folder) else {
      throw CalendarError(source: name, reason: "a cache cannot have this name")
    }
    self.name = name
    self.listing = listing
  }

  /// Deletes the file. Nothing happens if it does not exist.
  public func delete() throws(CalendarError) {
    do throws(ListingCache.Failure) {
      try listing.delete()
    } catch {
      throw CalendarError(source: name, reason: error.description)
    }
  }
}
