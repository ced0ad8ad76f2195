extension Words {
  /// The words for a locale; English if its language has no table.
  static func words(for locale: LocaleIdentifier?) -> Words {
    guard let locale else { return .english }
    switch locale.language {
    case "ar": return .arabic
    case "cs": return .czech
    case "de": return .german
    case "es": return .spanish
    case "fr": return .french
    case "he": return .hebrew
    case "it": return .italian
    case "ja": return .japanese
    case "ko": return .korean
    case "nl": return .dutch
    case "pl": return .polish
    case "pt": return .portuguese
    case "ru": return .russian
    case "sv": return .swedish
    case "tr": return .turkish
    case "uk": return .ukrainian
    case "zh": return locale.isTraditionalChinese ? .traditionalChinese : .simplifiedChinese
    default: return .english
    }
  }

  /// Every table.
  static var all: [Words] {
    [
      .arabic, .czech, .dutch, .english, .french, .german, .hebrew, .italian, .japanese, .korean,
      .polish, .portuguese, .russian, .simplifiedChinese, .spanish, .swedish, .traditionalChinese,
      .turkish, .ukrainian,
    ]
  }
}

extension LocaleIdentifier {
  /// By its script, otherwise by its region.
  fileprivate var isTraditionalChinese: Bool {
    script.map { $0 == "Hant" } ?? ["HK", "MO", "TW"].contains(region ?? "")
  }
}
