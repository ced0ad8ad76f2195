public import AgendaCore
internal import AgendaPictures
internal import AgendaReader
public import AgendaSources
public import CivilTime

extension EventEdit.NewAttachment {
  /// Larger files do not belong into a calendar: every program that synchronises it reads them.
  private static let mostBytes = 10 << 20

  /// Reads a file of at most 10 MiB.
  public init(contentsOf path: String) throws(CalendarError) {
    try self.init(contentsOf: path, atMost: Self.mostBytes)
  }

  /// Reads a JPEG, PNG, GIF or WebP picture of at most 32 MiB.
  public init(pictureAt path: String) throws(CalendarError) {
    try self.init(contentsOf: path, atMost: PictureLimit.bytes)
    do throws(PictureMetadata.Failure) {
      try PictureMetadata.checkCompleteness(of: bytes)
    } catch {
      throw .unreadable(source: path, reason: "\(error)")
    }
  }

  private init(contentsOf path: String, atMost limit: Int) throws(CalendarError) {
    do throws(ReaderError) {
      let source = try SourceBytes(contentsOf: path, limit: limit)
      let bytes = withExtendedLifetime(source) { Array($0.bytes) }
      if bytes.isEmpty { throw ReaderError.cannotRead(reason: "the file is empty") }
      let format = PictureFormat(firstBytesOf: Array(bytes.prefix(16)))
      self.init(
        bytes: bytes, mediaType: format?.mediaType,
        name: path.split(separator: "/").last.map(String.init))
    } catch {
      throw .unreadable(source: path, reason: "\(error)")
    }
  }
}

extension EventEdit {
  /// Takes the time and the place from the photo's Exif data, unless the edit has its own. `viewer` is
  /// the zone in which the event is added if the edit has none.
  ///
  /// - Throws: an error that describes the damage of the Exif data.
  public mutating func adoptPhotoMetadata(viewer: Zone) throws(CalendarError) {
    do {
      try adoptMetadata(viewer)
    } catch {
      throw CalendarError(error)
    }
  }

  private mutating func adoptMetadata(_ viewer: Zone) throws {
    guard let photo, start == nil || coordinates == nil else { return }
    let metadata = try PictureMetadata(of: photo.bytes)
    if coordinates == nil { coordinates = metadata.coordinates }
    guard start == nil, let taken = metadata.taken else { return }
    guard let date = CivilDate(year: taken.year, month: taken.month, day: taken.day),
      let time = TimeOfDay(hour: taken.hour, minute: taken.minute, second: taken.second)
    else { throw PictureMetadata.Failure.invalidTime(taken.description) }
    let shown = CivilDateTime(date, time)
    guard let offset = taken.offset else {
      start = .time(shown)
      return
    }
    let instant = Instant(utc: shown).adding(seconds: -offset)
    start = .time((zone ?? viewer).civil(at: instant))
  }
}
