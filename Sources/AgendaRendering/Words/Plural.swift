/// A text that depends on a number, in the forms that its language distinguishes.
package struct Plural: Hashable, Sendable {
  let rule: PluralRule
  /// In the order of the rule.
  let forms: [String]

  /// The text for a number, which is shown as `digits`.
  package func callAsFunction(_ number: Int, _ digits: String) -> String {
    form(for: number)(digits)
  }

  func form(for number: Int) -> Phrase1 {
    Phrase1(forms[min(rule.form(for: number), forms.count - 1)])
  }
}

/// Which form of a text belongs to a number, by CLDR's rules for integers.
///
/// CLDR's "many" of French, Italian, Portuguese and Spanish is left out, because it applies only to
/// numbers from one million on that are written in words.
enum PluralRule: String {
  case invariant
  /// one, other
  case oneOther
  /// one, other; 0 is like 1.
  case zeroIsOne
  /// one, two, other
  case hebrew
  /// one, few, other
  case czech
  /// one, few, many
  case polish
  /// one, few, many
  case eastSlavic
  /// zero, one, two, few, many, other
  case arabic
  /// 1st, 2nd, 3rd, 4th
  case englishOrdinal
  /// 1:a and 2:a, others
  case swedishOrdinal

  /// The place of the form.
  func form(for number: Int) -> Int {
    let number = number.magnitude
    let (tens, ones) = (number % 100, number % 10)
    switch self {
    case .invariant: return 0
    case .oneOther: return number == 1 ? 0 : 1
    case .zeroIsOne: return number <= 1 ? 0 : 1
    case .hebrew: return number == 1 ? 0 : number == 2 ? 1 : 2
    case .czech: return number == 1 ? 0 : (2...4).contains(number) ? 1 : 2
    case .polish:
      if number == 1 { return 0 }
      return (2...4).contains(ones) && !(12...14).contains(tens) ? 1 : 2
    case .eastSlavic:
      if ones == 1, tens != 11 { return 0 }
      return (2...4).contains(ones) && !(12...14).contains(tens) ? 1 : 2
    case .arabic:
      if number <= 2 { return Int(number) }
      return (3...10).contains(tens) ? 3 : (11...99).contains(tens) ? 4 : 5
    case .englishOrdinal:
      return (11...13).contains(tens) || !(1...3).contains(ones) ? 3 : Int(ones) - 1
    case .swedishOrdinal: return (1...2).contains(ones) && !(11...12).contains(tens) ? 0 : 1
    }
  }
}
