import Testing

/// An option of listings, with what it changes in the output of `show`.
struct ListingOption: Sendable, CustomTestStringConvertible {
  let name: String
  let typed: [String]
  let check: @Sendable (Listing) -> Void

  init(_ typed: String..., check: @escaping @Sendable (Listing) -> Void) {
    name = String((typed.first ?? "").dropFirst(2))
    self.typed = typed
    self.check = check
  }

  var testDescription: String { typed.joined(separator: " ") }

  static let all = windowOptions + selectionOptions + outputOptions
}

/// What `show` prints with an option.
struct Listing {
  let fixture: OptionFixture
  let typed: [String]

  /// The entries of the two days from today without any option.
  static let saturday = ["21 Trip", "21 Running", "21 Later", "21 Dentist", "21 Cake"]
  static let sunday = ["22 Trip", "22 Not for me"]

  var show: [String] { ["show"] + fixture.sources }
  var today: [String] { show + ["--days", "2"] }

  /// The titles of the two days from today.
  func titles(_ more: String...) -> [String] { fixture.titles(today + typed + more) }
  func rows(_ more: String...) -> [[String: String]] { fixture.rows(today + typed + more) }
  func text(_ more: String...) -> String { fixture.run(today + more + typed).output }
}
