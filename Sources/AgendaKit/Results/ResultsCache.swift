public import AgendaSources

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
  let name: String
  let listing: ListingCache

  /// - Parameters:
  ///   - name: what the file is called; several programs can share it.
  ///   - folder: an existing folder, such as `~/.cache/NAME-OF-PROGRAM`.
  /// - Throws: `CalendarError` if the name is empty, is longer than 200 bytes, begins with a dot, or
  ///   contains a slash.
  public init(named name: String, in folder: String) throws(CalendarError) {
    do throws(ListingCache.Failure) {
      listing = try ListingCache(named: name, in: folder)
    } catch {
      throw CalendarError.unreadable(source: "results cache", reason: error.description)
    }
    self.name = name
  }

  /// Deletes the file. Nothing happens if it does not exist.
  public func delete() throws(CalendarError) {
    do throws(ListingCache.Failure) {
      try listing.delete()
    } catch {
      throw CalendarError.unreadable(source: name, reason: error.description)
    }
  }
}
