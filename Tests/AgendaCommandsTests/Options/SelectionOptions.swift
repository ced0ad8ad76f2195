import Testing

extension ListingOption {
  /// Options that choose the entries.
  static let selectionOptions = [
    ListingOption("--calendar", "work") {
      #expect($0.titles() == Listing.saturday.dropLast() + Listing.sunday)
    },
    ListingOption("--not-calendar", "home") {
      #expect($0.titles() == Listing.saturday.dropLast() + Listing.sunday)
    },
    ListingOption("--timed") {
      #expect(
        $0.rows().map { $0["title"] } == ["Running", "Later", "Dentist", "Cake", "Not for me"])
    },
    ListingOption("--all-day") {
      #expect($0.titles() == ["21 Trip", "22 Trip"])
      #expect($0.rows().allSatisfy { $0["allDay"] == "true" })
    },
    ListingOption("--where", "not title ~ trip and duration >= 1h") {
      #expect(
        $0.titles().filter { !$0.hasSuffix("Cake") }
          == ["21 Running", "21 Later", "21 Dentist", "22 Not for me"])
    },
    ListingOption("--search", "dentist") { #expect($0.titles() == ["21 Dentist"]) },
    ListingOption("--limit", "2") { #expect($0.titles() == Array(Listing.saturday.prefix(2))) },
    ListingOption("--once") { #expect($0.titles() == Listing.saturday + ["22 Not for me"]) },
    ListingOption("--not-started") { #expect(!$0.titles().contains("21 Running")) },
    ListingOption("--not-declined", "me@example.com") {
      #expect($0.titles() == Listing.saturday + ["22 Trip"])
    },
    ListingOption("--include-cancelled") {
      #expect($0.titles().contains("22 Called off"))
      #expect($0.text().contains("Called off (cancelled)"))
    },
    ListingOption("--tasks") { #expect($0.titles().last == "22 Plants") },
    ListingOption("--journal") {
      #expect($0.titles() == Listing.saturday + ["22 Trip", "22 Diary", "22 Not for me"])
    },
  ]
}
