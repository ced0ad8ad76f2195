import Foundation
import TestSupport
import Testing

/// Commands that `agenda add` proposes are run as they are written.
@Suite("commands that add proposes")
struct ProposedCommandTests {
  private static let pinned = [
    "--now", "2026-11-21T14:00:00+01:00", "--timezone", "Europe/Berlin", "--locale", "en_GB",
  ]
  private static let options = [
    [], ["--location", "Café \"Central\""], ["--alarm", "10m", "--note", "-5 degrees"],
    ["--task"], ["--repeat", "weekly"], ["--for", "2h", "--category", "a b"],
  ]

  private func run(_ arguments: [String]) throws -> InMemoryRun {
    let scratch = try ScratchFolder()
    let store = scratch.url.appendingPathComponent("agenda.sqlite").path
    return InMemoryRun(arguments, variables: ["AGENDA_STORE": store])
  }

  /// The command lines in a message, as a shell divides them.
  private static func proposals(
    in message: String, before last: String = pinned[1]
  ) -> [[String]] {
    let parts = message.components(separatedBy: "agenda add ").dropFirst()
    return parts.map { part in
      var words: [String] = []
      var (word, isQuoted, isEscaped): (String?, Bool, Bool) = (nil, false, false)
      for character in part {
        if isEscaped {
          (word, isEscaped) = ((word ?? "") + String(character), false)
        } else if character == "\\" {
          isEscaped = true
        } else if character == "\"" {
          isQuoted.toggle()
          word = word ?? ""
        } else if !isQuoted, character == " " || character == "\n" {
          if let word { words.append(word) }
          word = nil
        } else {
          word = (word ?? "") + String(character)
        }
        // The options come last, and --now is the last one.
        if word == last { break }
      }
      return words + (word.map { [$0] } ?? [])
    }
  }

  private static func numbers(_ words: some Sequence<String>) -> [String: Int] {
    words.flatMap { $0.split(separator: " ") }
      .filter { $0.contains(where: \.isNumber) }
      .reduce(into: [:]) { $0[String($1).lowercased(), default: 0] += 1 }
  }

  /// Runs the commands that the message about these words proposes, and returns their number. Each adds one of the
  /// `readings`, if they are known.
  private func check(
    _ words: [String], _ options: [String], pinned: [String] = pinned, readings: [String]? = nil
  ) throws -> Int {
    let given = options + pinned
    let first = try run(["add", "--dry-run"] + words + given)
    let proposals = Self.proposals(in: first.errors, before: pinned[1])
    for proposal in proposals {
      let place = Comment(rawValue: "\(words) \(options): \(first.errors) \(proposal)")
      let again = try run(["add"] + proposal)
      #expect(again.status == .done && again.errors.isEmpty, "\(place) \(again.errors)")
      // Every option is kept, with its value.
      let text = proposal.joined(separator: "\n")
      #expect(text.contains("--dry-run"), place)
      for option in given where !option.hasPrefix("-") || option.contains(" ") {
        #expect(text.contains(option), "\(option): \(place)")
      }
      for option in given where option.hasPrefix("--") {
        #expect(text.contains(option), "\(option): \(place)")
      }
      // No number appears twice that was typed once, unless the message names it as a reading.
      let named = Self.numbers(
        (first.errors.components(separatedBy: "; write ").last ?? "").components(
          separatedBy: ": agenda"
        ).first.map { [$0] } ?? [])
      let count = Self.numbers(proposal.filter { !given.contains($0) && !$0.hasPrefix("--") })
      let typed = Self.numbers(words)
      for (number, count) in count where typed[number, default: 0] < count {
        #expect(named[number] != nil, "\(number): \(place)")
        let title = again.output.split(separator: "\n").first { $0.hasPrefix("+SUMMARY:") } ?? ""
        #expect(!title.split(separator: " ").contains(Substring(number)), "\(number): \(place)")
      }
      try checkReading(proposal, first, again)
      if let readings {
        let event = TypedEvent(again.output)
        #expect(readings.contains(where: event.isEvent), "\(readings) \(place) \(again.output)")
      }
      if first.status == .done { Self.checkTime(of: first.output, again.output, place) }
    }
    return proposals.count
  }

  /// A date that the message names is that of the event: `write 1 dec 2026 or 12 jan 2026`.
  private func checkReading(
    _ proposal: [String], _ first: InMemoryRun, _ again: InMemoryRun
  ) throws {
    guard first.errors.contains("the order of day and month is unclear") else { return }
    let months = [
      "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    let words = proposal.flatMap { $0.split(separator: " ").map(String.init) }
    let found = try #require(
      words.indices.dropFirst().first { months.contains(words[$0]) }, "\(proposal)")
    let month = (months.firstIndex(of: words[found]) ?? 0) + 1
    let start = try #require(
      again.output.firstMatch(of: #/\+(?:DTSTART|DUE)[^:]*:\d{4}(\d\d)(\d\d)/#), "\(again)")
    #expect(Int(start.1) == month && Int(start.2) == Int(words[found - 1]), "\(proposal) \(again)")
  }

  /// What was read from the words that were typed stays: the date and the time, if both were read.
  private static func checkTime(of first: String, _ again: String, _ place: Comment) {
    func start(_ output: String) -> Substring? {
      output.firstMatch(of: #/\+(?:DTSTART|DUE)[^:]*:(\d{8}(?:T\d{6})?)/#)?.1
    }
    guard let old = start(first), let new = start(again), old.count > 8 else { return }
    #expect(new.suffix(6) == old.suffix(6), place)
  }

  /// The rows of the tables whose columns name every reading.
  private static func rows() throws -> [TypedPhraseTests.Row] {
    try ["add.tsv", "more.tsv"].flatMap(TypedPhraseTests.rows)
  }

  private static func phrases() throws -> [[String]] {
    let file = Repository.root.appendingPathComponent("Fixtures/phrases/when.tsv")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    return try rows().map(\.arguments)
      + lines.filter { !$0.hasPrefix("#") }.map {
        $0.split(separator: "\t")[0].split(separator: " ").map(String.init)
      }
  }

  @Test("each command for a phrase of the tables adds an event that its row names")
  func tables() throws {
    var count = 0
    for (index, row) in try Self.rows().enumerated() {
      let pinned = ["--now", row.now, "--timezone", row.zone, "--locale", row.locale]
      let readings = TypedPhraseTests.readings(row.expected)
      count += try check(row.arguments, [], pinned: pinned, readings: readings)
      let options = Self.options[index % Self.options.count]
      let changesReading = options.contains { ["--task", "--repeat", "--for"].contains($0) }
      count += try check(
        row.arguments.filter { $0 != "--task" }, options, pinned: pinned,
        readings: changesReading || row.arguments.contains("--task") ? nil : readings)
    }
    #expect(count > 50)
  }

  @Test("each command for a phrase of the table of dates is accepted, and keeps every option")
  func dates() throws {
    for (index, phrase) in try Self.phrases().enumerated() {
      // `-1w` is an option here.
      if phrase.contains(where: { $0.hasPrefix("-") && $0.count > 1 }) { continue }
      _ = try check(phrase, Self.options[index % Self.options.count])
    }
  }

  @Test("each command for words of two phrases is accepted, and keeps every option")
  func random() throws {
    let phrases = try Self.phrases()
    var generator = SeededGenerator(seed: 4)
    var count = 0
    for _ in 0..<300 * TestSettings.rounds {
      var words = try #require(phrases.randomElement(using: &generator))
      let others = try #require(phrases.randomElement(using: &generator))
      let place = Int.random(in: 0...words.count, using: &generator)
      let cut = Int.random(in: 0..<others.count, using: &generator)
      words.insert(
        contentsOf: others[cut...].prefix(Int.random(in: 1...3, using: &generator)), at: place)
      words.removeAll { $0.hasPrefix("-") && $0.count > 1 }
      let options = try #require(Self.options.randomElement(using: &generator))
      count += try check(words, options)
    }
    #expect(count > 3)
    Tally.report("commands that add proposes", ["run": count])
  }

  @Test(
    "words around a time keep it from being taken out alone",
    arguments: [
      "Pay every month 15", "Dinner friday week", "Dinner friday after next",
      "Pills daily starting monday", "Review monday 10:00 biannually", "Zahnarzt 24.12. ca. 9",
    ])
  func alone(_ words: String) throws {
    let run = try run(
      ["add", "--dry-run"] + words.split(separator: " ").map(String.init) + Self.pinned)
    #expect(run.status == .wrongCommandLine && !run.errors.contains("agenda add"), "\(run)")
  }

  @Test(
    "every reading that is named has its command",
    arguments: [
      ("1/12/26 Trip", ["1 dec 2026 Trip", "12 jan 2026 Trip"]),
      ("tonight 8 Dinner", ["tonight at 8 Dinner"]),
      ("monday morning 9 Call", ["monday morning at 9 Call"]),
      ("tomorrow at ten to nine Call", ["tomorrow at 08:50 Call", "tomorrow at 10-9 Call"]),
      ("tomorrow nine Call", ["tomorrow at nine Call"]),
    ])
  func readings(words: String, commands: [String]) throws {
    let run = try run(
      ["add", "--dry-run"] + words.split(separator: " ").map(String.init) + Self.pinned)
    let found = Self.proposals(in: run.errors).map {
      $0.prefix { !$0.hasPrefix("--") }.joined(separator: " ")
    }
    #expect(found == commands, "\(run)")
  }
}
