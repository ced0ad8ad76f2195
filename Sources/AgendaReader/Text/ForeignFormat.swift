internal import ICalendar

/// The format of a source that is not a calendar, detected by its first bytes.
public enum ForeignFormat: Hashable, Sendable {
  case empty, html, xml, json, gzip, zip, pdf, sqlite, vCard, mail, image, binary, text

  /// The format of a source in which a search for a calendar makes no sense; `nil` for any other.
  init?(withoutText bytes: Bytes) {
    if bytes.allSatisfy({ $0.isBlank || $0 == 0 }) {
      self = .empty
    } else if bytes.starts(with: [0x1F, 0x8B]) {
      self = .gzip
    } else if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
      self = .zip
    } else {
      return nil
    }
  }

  init(_ bytes: Bytes) {
    let head = bytes.part(0, 4096)
    let start = head.trimmed
    func begins(_ magic: [UInt8]) -> Bool { head.starts(with: magic) }
    if let format = Self(withoutText: bytes) {
      self = format
    } else if begins(Array("%PDF".utf8)) {
      self = .pdf
    } else if begins(Array("SQLite format 3".utf8)) {
      self = .sqlite
    } else if begins([0x89, 0x50, 0x4E, 0x47]) || begins([0xFF, 0xD8, 0xFF])
      || begins(Array("GIF8".utf8))
    {
      self = .image
    } else if start.first == UInt8(ascii: "<") {
      self = start.beginsWithName("<?XML") && !Self.mentionsHTML(start) ? .xml : .html
    } else if start.first == UInt8(ascii: "{") || start.first == UInt8(ascii: "[") {
      self = .json
    } else if start.beginsWithName("BEGIN:VCARD") {
      self = .vCard
    } else if Self.isMail(start, bytes.part(0, 65_536)) {
      self = .mail
    } else if head.contains(where: { $0 < 0x20 && !$0.isBlank && $0 != 0x0C && $0 != 0x1B }) {
      self = .binary
    } else {
      self = .text
    }
  }

  /// Whether it begins with the header of a mail (RFC 5322 2.2): a field or the line of an mbox file,
  /// and further down a field that every program writes.
  private static func isMail(_ start: Bytes, _ header: Bytes) -> Bool {
    guard let colon = start.first(where: { $0 == 0x3A || $0 == 0x20 || $0 == 0x0A || $0 == 0x0D }),
      colon == 0x3A || start.beginsWithName("FROM ")
    else { return false }
    for index in 0..<header.count where index == 0 || header[index - 1] == 0x0A {
      let line = header.part(index, header.count)
      if line.beginsWithName("CONTENT-TYPE:") || line.beginsWithName("MIME-VERSION:")
        || line.beginsWithName("MESSAGE-ID:")
      {
        return true
      }
    }
    return false
  }

  private static func mentionsHTML(_ bytes: Bytes) -> Bool {
    for index in 0..<bytes.count where bytes[index] == UInt8(ascii: "<") {
      let tag = bytes.part(index, bytes.count)
      if tag.beginsWithName("<HTML") || tag.beginsWithName("<!DOCTYPE HTML") { return true }
    }
    return false
  }
}

extension ForeignFormat: CustomStringConvertible {
  /// The words after `not an iCalendar file: `.
  public var description: String {
    switch self {
    case .empty: "it is empty"
    case .html: "this is HTML"
    case .xml: "this is XML"
    case .json: "this is JSON"
    case .gzip: "this is gzip-compressed"
    case .zip: "this is a ZIP archive"
    case .pdf: "this is a PDF document"
    case .sqlite: "this is an SQLite database"
    case .vCard: "this is a vCard"
    case .mail:
      "this is a mail without a calendar; expected a part of the type text/calendar or "
        + "application/ics, or an attached .ics file"
    case .image: "this is a picture"
    case .binary: "this is binary data"
    case .text: "it has no line BEGIN:VCALENDAR"
    }
  }
}
