import Testing

extension ListingOption {
  /// Options that choose the window, the present and the zone.
  static let windowOptions = [
    ListingOption("--from", "tomorrow") {
      #expect($0.fixture.titles($0.show + ["--days", "1"] + $0.typed) == Listing.sunday)
    },
    ListingOption("--to", "+2d") {
      #expect($0.fixture.titles($0.show + $0.typed) == Listing.saturday + Listing.sunday)
    },
    ListingOption("--days", "3") {
      #expect($0.fixture.titles($0.show + $0.typed) == Listing.saturday + Listing.sunday)
    },
    ListingOption("--weeks", "1") {
      #expect(
        $0.fixture.titles($0.show + $0.typed)
          == Listing.saturday + Listing.sunday + ["26 Weekly"])
    },
    ListingOption("--months", "1") {
      let titles = $0.fixture.titles($0.show + $0.typed)
      #expect(titles.suffix(4).allSatisfy { $0.hasSuffix("Weekly") })
      #expect($0.fixture.rows($0.show + $0.typed).last?["section"] == "2026-12-17")
    },
    ListingOption("--years", "2") {
      #expect($0.fixture.rows($0.show + $0.typed).last?["section"] == "2028-11-16")
    },
    ListingOption("--now", "2026-11-21T16:10:00+01:00") {
      #expect($0.titles("--not-started").prefix(2) == ["21 Trip", "21 Dentist"])
    },
    ListingOption("--timezone", "Asia/Tokyo") {
      let later = $0.rows().first { $0["title"] == "Later" }
      #expect(later?["start"] == "2026-11-22T00:00:00+09:00")
    },
  ]
}
