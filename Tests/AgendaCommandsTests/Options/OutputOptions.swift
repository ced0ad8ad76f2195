import Testing

extension ListingOption {
  /// Options that choose the form of the output.
  static let outputOptions = [
    ListingOption("--format", "jsonl") {
      #expect($0.text().split(separator: "\n").allSatisfy { $0.hasPrefix("{") })
    },
    ListingOption("--group-by", "calendar") {
      #expect($0.rows().first?["section"] == "Home")
    },
    ListingOption("--locale", "de") {
      #expect($0.text().hasPrefix("Samstag, 21. November 2026 · heute\n"))
    },
    ListingOption("--zones") { #expect($0.text().contains("Later (10:00 America/New_York)")) },
    ListingOption("--also", "Asia/Tokyo") {
      #expect($0.text().contains("  16:00–17:00  Sun 00:00–01:00  Later"))
    },
    ListingOption("--ids") {
      for row in $0.fixture.rows($0.today) {
        #expect($0.text().contains(" · \(row["id"] ?? "?")\n"))
      }
    },
    ListingOption("--numbers") {
      for row in $0.fixture.rows($0.today) {
        let start = "  \(row["indexPath"] ?? "?")  "
        #expect(
          $0.text().split(separator: "\n").contains {
            $0.hasPrefix(start) && $0.contains(row["title"] ?? "?")
          })
      }
    },
    ListingOption("--toc", "-f", "markdown") {
      #expect($0.text().hasPrefix("- November 2026: [21](#"))
    },
    ListingOption("--if-any", "--search", "nothing") {
      #expect($0.text() == "")
      #expect(!$0.fixture.run($0.today + $0.typed.dropFirst()).output.isEmpty)
    },
    ListingOption("--color", "always") {
      #expect($0.text().contains("\u{1b}["))
      #expect(!$0.isColored("never", columns: 80))
      #expect($0.isColored("auto", columns: 80))
      #expect(!$0.isColored("auto", columns: nil))
    },
  ]
}

extension Listing {
  fileprivate func isColored(_ choice: String, columns: Int?) -> Bool {
    fixture.run(today + ["--color", choice], columns: columns).output.contains("\u{1b}[")
  }
}
