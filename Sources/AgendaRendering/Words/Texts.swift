/// The texts of one group of a language. A property that asks for its text has the name of it.
struct Texts: Sendable {
  /// A text that depends on a number, a weekday or a month has several forms.
  private(set) var forms: [String: [String]] = [:]
  private var plural = PluralRule.invariant
  private var ordinal = PluralRule.invariant

  /// The groups of a language by the beginnings of their keys. Keys without a group are in "".
  static func groups(of language: WordTable.Language) -> [String: Texts] {
    var groups: [String: Texts] = [:]
    for (key, text) in zip(texts(WordTable.keys), texts(language.texts)) where !text.isEmpty {
      let key = key.joined()
      let name = key.drop { $0 != "." }.dropFirst()
      let group = name.isEmpty ? "" : String(key.prefix { $0 != "." })
      groups[group, default: Texts()].forms[name.isEmpty ? key : String(name)] = text
    }
    let own = groups[""] ?? Texts()
    for group in groups.keys {
      groups[group]?.plural = PluralRule(rawValue: own("plural")) ?? .invariant
      groups[group]?.ordinal = PluralRule(rawValue: own("ordinal")) ?? .invariant
    }
    return groups
  }

  /// The forms of each text. `""` is a text of nothing.
  private static func texts(_ table: StaticString) -> [[String]] {
    table.withUTF8Buffer { bytes in
      bytes.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map { text in
        text.split(separator: UInt8(ascii: "|")).map { form in
          let text = String(decoding: form, as: UTF8.self)
          return text == "\"\"" ? "" : text
        }
      }
    }
  }

  func has(_ key: String) -> Bool { forms[key] != nil }

  /// Every form; none if the language leaves this text out.
  func list(_ key: String) -> [String] { forms[key] ?? [] }

  // `Tests/Oracles/make-word-table.py` makes sure that every language has every text.

  func callAsFunction(_ key: String = #function) -> String { forms[key]?.first ?? key }

  func callAsFunction(_ key: String = #function) -> Phrase1 { Phrase1(self(key)) }

  func callAsFunction(_ key: String = #function) -> Phrase2 { Phrase2(self(key)) }

  func callAsFunction(_ key: String = #function) -> Phrase3 { Phrase3(self(key)) }

  func callAsFunction(_ key: String = #function) -> Plural {
    Plural(rule: plural, forms: forms[key] ?? [key])
  }

  /// The ordinal of a number in digits: `15th`.
  func ordinal(_ key: String = #function) -> Plural {
    Plural(rule: ordinal, forms: forms[key] ?? [key])
  }
}
