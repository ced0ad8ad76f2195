package import AgendaCore
package import AgendaPictures
package import CivilTime

/// How sources are imported.
package struct ImportOptions {
  package var storePath: String
  package var zones: ZoneDatabase
  /// The time of the import.
  package var now: Instant
  /// Accepts a source that lost more than half of its events, or all.
  package var allowsShrinking = false
  /// Refuses a source with a rejected component.
  package var isStrict = false
  /// Computes the result without writing anything.
  package var isDryRun = false
  /// The folder for temporary files: a dry run's store if no store exists, large answers, and
  /// copies of large files.
  package var temporaryFolder = "/tmp"
  /// A file with more bytes is read from a copy in the temporary folder, piece by piece.
  package var mostInMemory = 256 << 20
  /// The program that makes thumbnails; without it, pictures wait for a later import.
  package var pictureDecoder: ThumbnailMaker.Program?
  /// The largest number of addresses that are fetched at once.
  package var jobs = 16
  /// Asks addresses again although their last answer is still fresh.
  package var isForced = false
  /// Failures are reported only for calendars that are older than this many seconds.
  package var staleAge: Int?
  /// What a person is asked about servers; without it, nobody is there to answer.
  package var questions = ServerQuestions()
  /// Called now and then while sources are fetched and imported.
  package var progress: (SourceProgress) -> Void = { _ in }

  package init(storePath: String, zones: ZoneDatabase, now: Instant) {
    self.storePath = storePath
    self.zones = zones
    self.now = now
  }
}
