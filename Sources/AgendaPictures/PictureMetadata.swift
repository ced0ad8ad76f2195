package import AgendaCore

/// When and where a picture was taken, as its Exif data says (Exif 2.32, 4.6).
package struct PictureMetadata: Hashable, Sendable {
  /// The time on the camera's clock.
  package struct Taken: Hashable, Sendable, CustomStringConvertible {
    package var year, month, day, hour, minute, second: Int
    /// Seconds east of UTC; `nil` if the camera did not write it.
    package var offset: Int?

    /// `2026-02-30 12:00:00`
    package var description: String {
      func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
      return "\(year)-\(two(month))-\(two(day)) \(two(hour)):\(two(minute)):\(two(second))"
    }
  }

  package var taken: Taken?
  package var coordinates: Coordinates?

  package enum Failure: Error, Hashable, CustomStringConvertible {
    case notAPicture
    case cutOff
    case damaged
    case invalidTime(String)
    case invalidPlace

    package var description: String {
      switch self {
      case .notAPicture: "not a JPEG, PNG, GIF or WebP picture"
      case .cutOff: "the picture is incomplete: its end is missing"
      case .damaged: "its Exif data is damaged"
      case .invalidTime(let text): "its Exif data has an invalid time: \(text)"
      case .invalidPlace: "its Exif data has invalid coordinates"
      }
    }
  }

  /// - Throws: the problem of a file that is not a complete picture from its first byte to its last.
  package static func checkCompleteness(of bytes: [UInt8]) throws(Failure) {
    guard let format = PictureFormat(firstBytesOf: Array(bytes.prefix(16))) else {
      throw .notAPicture
    }
    guard PictureEnd.isPresent(in: bytes, format: format) else { throw .cutOff }
  }

  /// Empty if the picture has no such data.
  package init(of bytes: [UInt8]) throws(Failure) {
    guard let format = PictureFormat(firstBytesOf: Array(bytes.prefix(16))) else {
      throw .notAPicture
    }
    guard format == .jpeg else { return }
    for segment in JPEGSegments(bytes)
    where segment.marker == 0xe1 && bytes[segment.content].starts(with: "Exif\0\0".utf8) {
      let tiff = TIFFHeader(Array(bytes[segment.content].dropFirst(6)))
      guard let tiff, let main = tiff.directory(at: tiff.first) else { throw .damaged }
      taken = try Self.taken(tiff, main)
      coordinates = try Self.coordinates(tiff, main)
      return
    }
  }

  private static func taken(
    _ tiff: TIFFHeader, _ main: [Int: TIFFHeader.Entry]
  ) throws(Failure) -> Taken? {
    var exif: [Int: TIFFHeader.Entry] = [:]
    if let pointer = main[0x8769] {
      guard let found = tiff.number(pointer).flatMap(tiff.directory) else { throw .damaged }
      exif = found
    }
    guard let entry = exif[0x9003] ?? main[0x0132] else { return nil }
    guard let text = tiff.text(entry) else { throw .damaged }
    // Cameras whose clock was never set write blanks or zeros.
    if text.allSatisfy({ !$0.isNumber || $0 == "0" }) { return nil }
    let numbers = text.split { $0 == ":" || $0 == " " }.map { Int($0) }
    guard numbers.count == 6, let year = numbers[0], let month = numbers[1], let day = numbers[2],
      let hour = numbers[3], let minute = numbers[4], let second = numbers[5],
      (1...12).contains(month), (1...31).contains(day), (0...23).contains(hour),
      (0...59).contains(minute), (0...60).contains(second)
    else { throw .invalidTime(text) }
    var taken = Taken(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    if let offset = exif[0x9011].flatMap(tiff.text) {
      let parts = offset.dropFirst().split(separator: ":").map { Int($0) }
      if parts.count == 2, let hours = parts[0], let minutes = parts[1] {
        taken.offset = (hours * 60 + minutes) * 60 * (offset.hasPrefix("-") ? -1 : 1)
      }
    }
    return taken
  }

  private static func coordinates(
    _ tiff: TIFFHeader, _ main: [Int: TIFFHeader.Entry]
  ) throws(Failure) -> Coordinates? {
    guard let pointer = main[0x8825] else { return nil }
    guard let place = tiff.number(pointer).flatMap(tiff.directory) else { throw .damaged }
    guard let north = place[2], let east = place[4] else { return nil }
    guard let latitude = tiff.degrees(north), let longitude = tiff.degrees(east) else {
      throw .damaged
    }
    let isSouth = place[1].flatMap(tiff.text)?.uppercased() == "S"
    let isWest = place[3].flatMap(tiff.text)?.uppercased() == "W"
    guard
      let found = Coordinates(
        latitude: isSouth ? -latitude : latitude, longitude: isWest ? -longitude : longitude)
    else { throw .invalidPlace }
    return found
  }
}

/// The directories of a TIFF header, in which Exif data is written.
private struct TIFFHeader {
  struct Entry {
    let type: Int
    let count: Int
    /// Where the four bytes of the value are, or of its place.
    let place: Int
  }

  private let bytes: [UInt8]
  private let isLittle: Bool
  private(set) var first = 0

  init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    isLittle = bytes.starts(with: "II".utf8)
    guard isLittle || bytes.starts(with: "MM".utf8), read(2, 2) == 42, let first = read(4, 4) else {
      return nil
    }
    self.first = first
  }

  private func read(_ index: Int, _ count: Int) -> Int? {
    isLittle
      ? bytes.littleEndian(at: index, count: count) : bytes.bigEndian(at: index, count: count)
  }

  /// The entries of a directory by their tags.
  func directory(at place: Int) -> [Int: Entry]? {
    guard let count = read(place, 2) else { return nil }
    var entries: [Int: Entry] = [:]
    for number in 0..<count {
      let start = place + 2 + number * 12
      guard let tag = read(start, 2), let type = read(start + 2, 2), let size = read(start + 4, 4),
        read(start + 8, 4) != nil
      else { return nil }
      entries[tag] = Entry(type: type, count: size, place: start + 8)
    }
    return entries
  }

  /// A LONG.
  func number(_ entry: Entry) -> Int? { entry.type == 4 ? read(entry.place, 4) : nil }

  /// An ASCII text, up to its NUL.
  func text(_ entry: Entry) -> String? {
    guard entry.type == 2, entry.count <= 64 else { return nil }
    guard let start = entry.count <= 4 ? entry.place : read(entry.place, 4),
      start + entry.count <= bytes.count
    else { return nil }
    return String(decoding: bytes[start..<start + entry.count].prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Three RATIONALs: degrees, minutes and seconds.
  func degrees(_ entry: Entry) -> Double? {
    guard entry.type == 5, entry.count == 3, let start = read(entry.place, 4) else { return nil }
    var sum = 0.0
    for (index, unit) in [1.0, 60.0, 3600.0].enumerated() {
      guard let above = read(start + index * 8, 4), let below = read(start + index * 8 + 4, 4),
        below != 0 || above == 0
      else { return nil }
      sum += below == 0 ? 0 : Double(above) / Double(below) / unit
    }
    return sum
  }
}
