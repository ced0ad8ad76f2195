internal import Synchronization

extension Words {
  static let english = Words(WordTable.english)

  /// Those that were asked for.
  private static let made = Mutex<[String: Words]>(["en": english])

  /// The words for a locale; English if its language has no file.
  static func words(for locale: LocaleIdentifier?) -> Words {
    guard let locale, locale.language != "en" else { return english }
    let isChinese = locale.language == "zh"
    let name = isChinese ? locale.isTraditionalChinese ? "zh-Hant" : "zh-Hans" : locale.language
    return made.withLock { made in
      if let words = made[name] { return words }
      let table = WordTable.others.first { $0.name == name }
      let words = table.map(Words.init) ?? english
      made[name] = words
      return words
    }
  }

  /// Those of every language.
  static var all: [Words] { [english] + WordTable.others.map(Words.init) }
}

extension LocaleIdentifier {
  /// By its script, otherwise by its region.
  fileprivate var isTraditionalChinese: Bool {
    script.map { $0 == "Hant" } ?? ["HK", "MO", "TW"].contains(region ?? "")
  }
}
