/// The texts of one group of a language. A property that asks for its text has the name of it.
struct Texts: Sendable {
  /// A text that depends on a number, a weekday or a month has several forms.
  private(set) var forms: [String: [String]] = [:]
  private var plural = PluralRule.invariant
  private var ordinal = PluralRule.invariant

  /// The groups of a language by the beginnings of their keys. Keys without a group are in "".
  static func groups(of language: WordTable.Language) -> [String: Texts] {
    var groups: [String: Texts] = [:]
    WordTable.keys.withUTF8Buffer { keys in
      language.texts.withUTF8Buffer { texts in
        for (key, text) in zip(items(keys), items(texts)) where !text.isEmpty {
          let dot = key.firstIndex(of: UInt8(ascii: "."))
          let group = dot.map { String(decoding: key[..<$0], as: UTF8.self) } ?? ""
          let name = String(decoding: dot.map { key[($0 + 1)...] } ?? key, as: UTF8.self)
          groups[group, default: Texts()].forms[name] = forms(of: text)
        }
      }
    }
    let own = groups[""] ?? Texts()
    for group in groups.keys {
      groups[group]?.plural = PluralRule(rawValue: own("plural")) ?? .invariant
      groups[group]?.ordinal = PluralRule(rawValue: own("ordinal")) ?? .invariant
    }
    return groups
  }

  private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

  private static func items(_ table: UnsafeBufferPointer<UInt8>) -> [Bytes] {
    table.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
  }

  /// The forms of a text. `""` is a text of nothing.
  private static func forms(of text: Bytes) -> [String] {
    text.split(separator: UInt8(ascii: "|")).map { form in
      form.elementsEqual([0x22, 0x22]) ? "" : String(decoding: form, as: UTF8.self)
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
