/// A text that depends on a number, in the forms that its language distinguishes.
///
/// A case has one form for each of CLDR's plural categories, and `form(for:)` chooses by CLDR's
/// rules for integers. CLDR's "many" of French, Italian, Portuguese and Spanish is left out,
/// because it applies only to numbers from one million on that are written in words.
package enum Plural: Hashable, Sendable {
  /// Chinese, Japanese, Korean.
  case invariant(Phrase1)
  /// Dutch, English, German, Italian, Spanish, Swedish, Turkish.
  case oneOther(one: Phrase1, other: Phrase1)
  /// French and Portuguese: 0 is like 1.
  case zeroIsOne(one: Phrase1, other: Phrase1)
  case hebrew(one: Phrase1, two: Phrase1, other: Phrase1)
  case czech(one: Phrase1, few: Phrase1, other: Phrase1)
  case polish(one: Phrase1, few: Phrase1, many: Phrase1)
  /// Russian and Ukrainian.
  case eastSlavic(one: Phrase1, few: Phrase1, many: Phrase1)
  case arabic(
    zero: Phrase1, one: Phrase1, two: Phrase1, few: Phrase1, many: Phrase1, other: Phrase1)

  /// The text for a number, which is shown as `digits`.
  package func callAsFunction(_ number: Int, _ digits: String) -> String {
    form(for: number)(digits)
  }

  package func form(for number: Int) -> Phrase1 {
    let number = number.magnitude
    let (tens, ones) = (number % 100, number % 10)
    switch self {
    case .invariant(let form): return form
    case .oneOther(let one, let other): return number == 1 ? one : other
    case .zeroIsOne(let one, let other): return number <= 1 ? one : other
    case .hebrew(let one, let two, let other):
      return number == 1 ? one : number == 2 ? two : other
    case .czech(let one, let few, let other):
      return number == 1 ? one : (2...4).contains(number) ? few : other
    case .polish(let one, let few, let many):
      if number == 1 { return one }
      return (2...4).contains(ones) && !(12...14).contains(tens) ? few : many
    case .eastSlavic(let one, let few, let many):
      if ones == 1, tens != 11 { return one }
      return (2...4).contains(ones) && !(12...14).contains(tens) ? few : many
    case .arabic(let zero, let one, let two, let few, let many, let other):
      switch (number, tens) {
      case (0, _): return zero
      case (1, _): return one
      case (2, _): return two
      case (_, 3...10): return few
      case (_, 11...99): return many
      default: return other
      }
    }
  }

  /// Every form, in the order of CLDR's categories.
  package var forms: [Phrase1] {
    switch self {
    case .invariant(let form): [form]
    case .oneOther(let one, let other), .zeroIsOne(let one, let other): [one, other]
    case .hebrew(let one, let two, let other): [one, two, other]
    case .czech(let one, let few, let other): [one, few, other]
    case .polish(let one, let few, let many), .eastSlavic(let one, let few, let many):
      [one, few, many]
    case .arabic(let zero, let one, let two, let few, let many, let other):
      [zero, one, two, few, many, other]
    }
  }
}
