internal import Foundation

/// Pictures as calendars carry them, made here or by a few constant bytes.
public enum PictureSample {
  /// A PNG of that size; `claimed` is the size that its header gives instead.
  public static func png(
    _ width: Int, _ height: Int, claimed: (width: Int, height: Int)? = nil
  ) -> [UInt8] {
    var rows: [UInt8] = []
    rows.reserveCapacity(height * (1 + width * 3))
    for y in 0..<height {
      rows.append(0)
      for x in 0..<width {
        rows += [UInt8(truncatingIfNeeded: x), UInt8(truncatingIfNeeded: y), 128]
      }
    }
    return png(claimed ?? (width, height), data: deflated(rows))
  }

  /// A PNG of a few kilobytes that is really of that size, all of it black: a run of rows of zeros, as
  /// deflate repeats them.
  public static func bomb(_ width: Int, _ height: Int) throws -> [UInt8] {
    let script = """
      import sys, zlib
      w, h = int(sys.argv[1]), int(sys.argv[2])
      packer = zlib.compressobj(9)
      row = bytes(1 + 3 * w)
      data = b"".join(packer.compress(row) for _ in range(h)) + packer.flush()
      print(data.hex())
      """
    let run = try Python.run(["-c", script, String(width), String(height)])
    let digits = Array(run.output.trimmingCharacters(in: .whitespacesAndNewlines).utf8)
    let data = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
    }
    return png((width, height), data: data)
  }

  private static func png(_ size: (width: Int, height: Int), data: [UInt8]) -> [UInt8] {
    let header = bigEndian(size.width) + bigEndian(size.height) + [8, 2, 0, 0, 0]
    return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + chunk("IHDR", header)
      + chunk("IDAT", data) + chunk("IEND", [])
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let named = Array(name.utf8) + data
    return bigEndian(data.count) + named + bigEndian(Int(checksum(named)))
  }

  private static func bigEndian(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// Blocks that are stored as they are (RFC 1951 3.2.4), in zlib's frame.
  private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = [0x78, 0x01]
    var start = 0
    repeat {
      let end = min(start + 65_535, bytes.count)
      let count = end - start
      out.append(end == bytes.count ? 1 : 0)
      out += [UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8 & 255)]
      out += bytes[start..<end]
      start = end
    } while start < bytes.count
    var (first, second) = (1, 0)
    for byte in bytes {
      first = (first + Int(byte)) % 65_521
      second = (second + first) % 65_521
    }
    return out + bigEndian(second << 16 | first)
  }

  private static let checksumTable: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? 0xedb8_8320 ^ value >> 1 : value >> 1
    }
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { checksumTable[Int(($0 ^ UInt32($1)) & 255)] ^ $0 >> 8 }
  }

  /// The width and height that the header of a PNG gives.
  public static func size(ofPNG bytes: [UInt8]) -> [Int]? {
    guard bytes.count > 24, bytes[1...3].elementsEqual("PNG".utf8) else { return nil }
    return [16, 20].map { start in bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
  }

  /// `jpeg` with an Exif segment that gives its orientation.
  public static func jpeg(orientation: UInt8) -> [UInt8] {
    let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
    let content =
      Array("Exif\0\0MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1] + entry + [0, 0, 0, 0]
    return Array(jpeg[..<2]) + [0xff, 0xe1, 0, UInt8(content.count + 2)] + content
      + Array(jpeg[2...])
  }

  /// `jpeg` with an Exif segment that says when it was taken: `2026:11:21 10:00:00`.
  public static func jpeg(taken: String) -> [UInt8] {
    // The first directory points to the one of Exif, whose only entry is DateTimeOriginal.
    let pointer: [UInt8] = [0, 1, 0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0]
    let time: [UInt8] = [0, 1, 0x90, 0x03, 0, 2, 0, 0, 0, 20, 0, 0, 0, 44, 0, 0, 0, 0]
    let content =
      Array("Exif\0\0MM".utf8) + [0, 42, 0, 0, 0, 8] + pointer + time + Array(taken.utf8) + [0]
    return Array(jpeg[..<2]) + [0xff, 0xe1, 0, UInt8(content.count + 2)] + content
      + Array(jpeg[2...])
  }

  /// An ATTACH or IMAGE line that holds the bytes, folded.
  public static func line(
    _ bytes: [UInt8], mediaType: String? = nil, property: String = "ATTACH"
  ) -> String {
    let type = mediaType.map { ";FMTTYPE=\($0)" } ?? ""
    let text =
      "\(property)\(type);ENCODING=BASE64;VALUE=BINARY:"
      + Data(bytes).base64EncodedString()
    var folded = ""
    for (index, character) in text.enumerated() {
      if index > 0, index % 74 == 0 { folded += "\r\n " }
      folded.append(character)
    }
    return folded
  }

  /// A JPEG of 40 × 20 pixels, red on the left and blue on the right.
  public static let jpeg = bytes(
    """
    /9j/4AAQSkZJRgABAQEAYABgAAD//gA7Q1JFQVRPUjogZ2QtanBlZyB2MS4wICh1c2luZyBJSkcgSlBFRyB2NjIpLC\
    BxdWFsaXR5ID0gMzAK/9sAQwAbEhQXFBEbFxYXHhwbIChCKyglJShROj0wQmBVZWRfVV1baniZgWpxkHNbXYW1hpCe\
    o6utq2eAvMm6pseZqKuk/9sAQwEcHh4oIyhOKytOpG5dbqSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpK\
    SkpKSkpKSkpKSkpKSkpKSk/8AAEQgAFAAoAwEiAAIRAQMRAf/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkK\
    C//EALUQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJS\
    YnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeo\
    qaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/EAB8BAAMBAQEBAQEBAQEAAA\
    AAAAABAgMEBQYHCAkKC//EALURAAIBAgQEAwQHBQQEAAECdwABAgMRBAUhMQYSQVEHYXETIjKBCBRCkaGxwQkjM1Lw\
    FWJy0QoWJDThJfEXGBkaJicoKSo1Njc4OTpDREVGR0hJSlNUVVZXWFlaY2RlZmdoaWpzdHV2d3h5eoKDhIWGh4iJip\
    KTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uLj5OXm5+jp6vLz9PX29/j5+v/aAAwD\
    AQACEQMRAD8AoUUUVxn0hBc/w/jUFT3P8P41BX0mA/3ePz/NngY3+PL5fkFFFFdhyF6iiivjz6oguf4fxqCiivpMB/\
    u8fn+bPAxv8eXy/IKKKK7DkP/Z
    """)

  /// A GIF of 40 × 20 pixels, red on the left and blue on the right.
  public static let gif = bytes(
    """
    R0lGODdhKAAUAIAAAAQC/PwCBCwAAAAAKAAUAAACOYyPmcDt/5SUsNaJj90tZ855GLiJE2mZFAqpCtu6CBzJGt3ZBp\
    7rPKPb/YKBH4BoRA6DSebS97QZCwA7
    """)

  /// A WebP of 40 × 20 pixels, red on the left and blue on the right.
  public static let webp = bytes(
    """
    UklGRnYAAABXRUJQVlA4IGoAAADQBACdASooABQAPm0skkWkIqGYBABABsSgB2APwg4QIYB+AFd/7gABe8wZ/aoyYA\
    D+8JtD//5Bdm2zmf//5Af8gP+QH/j+nysH+gzG5ufyA6yfnGP/8gPfz/gCWC1pzINRsiaV04x0eAAA
    """)

  private static func bytes(_ base64: String) -> [UInt8] {
    Array(Data(base64Encoded: base64) ?? Data())
  }
}
