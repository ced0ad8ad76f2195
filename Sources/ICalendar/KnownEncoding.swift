package import Platform

/// An encoding of calendars that the C library converts.
///
/// A file may name one of these, and no other: the C library has hundreds of converters that hardly
/// anybody uses or tests, and a file comes from a stranger.
package struct KnownEncoding: Sendable {
  /// The usual name.
  package let name: String
  /// The name of the converter in glibc, musl and libiconv.
  private let converterName: String
  /// Other names, in small letters and digits.
  private let aliases: [String]
  /// Whether a character is one byte. Then almost all bytes are valid in it.
  package let isSingleByte: Bool

  private init(
    _ name: String, converter: String? = nil, isSingleByte: Bool = true, aliases: [String] = []
  ) {
    self.name = name
    converterName = converter ?? name
    self.aliases = aliases
    self.isSingleByte = isSingleByte
  }

  /// The encoding with this name, in any letter case and with any punctuation.
  package init?(named name: String) {
    guard let known = Self.byPlainName[Self.plain(name)] else { return nil }
    self = known
  }

  /// `nil` if this computer has no converter from the encoding.
  package var converter: TextConverter? { TextConverter(from: converterName) }

  /// A name in small letters and digits only.
  package static func plain(_ name: String) -> String {
    let bytes = name.utf8.filter { $0.isLetter || $0.isDigit }
    return String(decoding: bytes, as: UTF8.self).lowercased()
  }

  private static let byPlainName: [String: KnownEncoding] = {
    let names = all.flatMap { known in
      ([plain(known.name)] + known.aliases).map { ($0, known) }
    }
    return Dictionary(names) { first, _ in first }
  }()

  // Microsoft's code pages and GB 18030 contain the older standards. Programs write those names and
  // mean the code pages, as on the web.
  private static let all: [KnownEncoding] = [
    KnownEncoding("Windows-1250", converter: "CP1250", aliases: ["cp1250", "xcp1250", "1250"]),
    KnownEncoding("Windows-1251", converter: "CP1251", aliases: ["cp1251", "xcp1251", "1251"]),
    KnownEncoding("Windows-1253", converter: "CP1253", aliases: ["cp1253", "xcp1253", "1253"]),
    KnownEncoding("Windows-1254", converter: "CP1254", aliases: ["cp1254", "xcp1254", "1254"]),
    KnownEncoding("Windows-1255", converter: "CP1255", aliases: ["cp1255", "xcp1255", "1255"]),
    KnownEncoding("Windows-1256", converter: "CP1256", aliases: ["cp1256", "xcp1256", "1256"]),
    KnownEncoding("Windows-1257", converter: "CP1257", aliases: ["cp1257", "xcp1257", "1257"]),
    KnownEncoding("Windows-1258", converter: "CP1258", aliases: ["cp1258", "xcp1258", "1258"]),
    KnownEncoding("ISO-8859-2", aliases: ["latin2"]),
    KnownEncoding("ISO-8859-3", aliases: ["latin3"]),
    KnownEncoding("ISO-8859-4", aliases: ["latin4"]),
    KnownEncoding("ISO-8859-5"),
    KnownEncoding("ISO-8859-6"),
    KnownEncoding("ISO-8859-7"),
    KnownEncoding("ISO-8859-8", aliases: ["iso88598i"]),
    KnownEncoding("ISO-8859-9", aliases: ["latin5"]),
    KnownEncoding("ISO-8859-10", aliases: ["latin6"]),
    KnownEncoding("ISO-8859-13", aliases: ["latin7"]),
    KnownEncoding("ISO-8859-14", aliases: ["latin8"]),
    KnownEncoding("ISO-8859-15", aliases: ["latin9"]),
    KnownEncoding("ISO-8859-16", aliases: ["latin10"]),
    KnownEncoding("KOI8-R", aliases: ["koi8"]),
    KnownEncoding("KOI8-U"),
    KnownEncoding("TIS-620", aliases: ["iso885911"]),
    KnownEncoding(
      "Shift_JIS", converter: "CP932", isSingleByte: false,
      aliases: ["sjis", "xsjis", "mskanji", "cp932", "ms932", "windows31j"]),
    KnownEncoding("EUC-JP", isSingleByte: false, aliases: ["xeucjp"]),
    KnownEncoding("ISO-2022-JP", isSingleByte: false),
    KnownEncoding(
      "GB18030", isSingleByte: false,
      aliases: ["gbk", "xgbk", "gb2312", "euccn", "cp936", "ms936", "windows936"]),
    KnownEncoding("Big5", isSingleByte: false, aliases: ["xbig5", "cp950", "windows950"]),
    KnownEncoding(
      "EUC-KR", converter: "CP949", isSingleByte: false,
      aliases: ["xeuckr", "ksc5601", "ksc56011987", "uhc", "cp949", "windows949"]),
  ]
}
