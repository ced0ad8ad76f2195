internal import Platform

/// Names of files for events that are new in a folder. A UID is any text, from anybody: a name has
/// no slash, no leading dot or dash and at most 100 bytes.
enum CalendarFileName {
  private static let suffix = ".ics"
  /// File systems take 255 bytes, and other programs add to a name.
  private static let mostBytes = 100

  /// The UID itself if it is a safe name, then its safe characters with a digest of the whole UID.
  static func candidates(forUID uid: String) -> [String] {
    let digested = numbered(forUID: uid, 0)
    let isSafe =
      uid.utf8.first.map { !isUnsafeFirst($0) } == true && uid.utf8.allSatisfy(isSafe)
      && uid.utf8.count + suffix.utf8.count <= mostBytes
    return isSafe ? [uid + suffix, digested] : [digested]
  }

  /// A name that also depends on a number, if the others are taken.
  static func numbered(forUID uid: String, _ number: Int) -> String {
    var digest = StableDigest()
    digest.add(uid)
    digest.add(number)
    let end = "-" + String(digest.value, radix: 16) + suffix
    let safe = uid.utf8.filter(isSafe).drop(while: isUnsafeFirst)
    let name = String(decoding: safe.prefix(mostBytes - end.utf8.count), as: UTF8.self) + end
    return name.utf8.first.map(isUnsafeFirst) == true ? String(name.dropFirst()) : name
  }

  /// A name for an object of a server, whose names people see who may not read the objects: it says nothing
  /// about the event (RFC 4791, section 11).
  static func opaque(forUID uid: String, _ number: Int = 0) -> String {
    var digest = StableDigest()
    digest.add(uid)
    digest.add(number)
    return String(digest.value, radix: 16) + suffix
  }

  /// A name with a leading dot is hidden, and programs read one with a leading dash as an option.
  private static func isUnsafeFirst(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
  }

  private static func isSafe(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "."), UInt8(ascii: "@"), UInt8(ascii: "+"):
      true
    default: false
    }
  }
}
