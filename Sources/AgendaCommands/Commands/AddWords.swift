internal import CivilTime
internal import Phrases

/// How `agenda add` divides its words: those for the time, before the title or after it, and the title.
struct AddWords {
  let words: [String]
  let now: CivilDateTime
  /// `nil` if no words are a time.
  let phrase: WhenPhrase?
  private let range: Range<Int>

  var title: [String] { Array(words[range]) }
  /// The words for the time.
  var time: [String] { Array(words[..<range.lowerBound] + words[range.upperBound...]) }
  /// Whether words after the title are a time.
  var isTimeLast: Bool { range.upperBound < words.count }

  /// `--title` sets the title; then all words are a time.
  init(_ words: [String], now: CivilDateTime, hasTitle: Bool = false) throws(WhenPhraseError) {
    self.words = words
    self.now = now
    let first = try WhenPhrase(words, now: now)
    if !hasTitle, let (range, phrase) = Self.timeAfterTitle(words, after: first, now: now) {
      (self.range, self.phrase) = (range, phrase)
    } else {
      (range, phrase) = ((first?.wordCount ?? 0)..<words.count, first)
    }
  }

  /// A date, a time or a repetition at the end, as in `lunch tomorrow 12:30`, `tomorrow lunch 12:30` and
  /// `9:30 lunch every monday`. All words after the title belong to it. `first` is what the words before
  /// the title say.
  private static func timeAfterTitle(
    _ words: [String], after first: WhenPhrase?, now: CivilDateTime
  ) -> (title: Range<Int>, phrase: WhenPhrase)? {
    let count = first?.wordCount ?? 0
    for place in words.indices.dropFirst(count + 1) {
      let all = Array(words[..<count] + words[place...])
      if canEndTitle(words[place...], after: first),
        first?.time == nil || !["a", "the"].contains(words[place - 1].lowercased()),
        let phrase = (try? WhenPhrase(allOf: all, now: now)) ?? nil,
        first == nil || first?.time != nil || phrase.time != nil || phrase.repetition != nil
      {
        return (count..<place, phrase)
      }
    }
    return nil
  }

  /// Whether these words are hardly part of the title. If the time is known already, only words such
  /// as `every` and `for` say so.
  private static func canEndTitle(_ words: ArraySlice<String>, after first: WhenPhrase?) -> Bool {
    guard let first, first.time != nil, let word = words.first else { return true }
    if RulePhrase.isAdverb(word) { return first.repetition == nil }
    if RulePhrase.isPluralOfDays(word) { return first.repetition == nil && !first.namesDate }
    switch word.lowercased() {
    case "every", "each": return first.repetition == nil
    case "until", "till", "except": return first.repetition != nil
    case "for": return first.repetition != nil || first.extent == nil
    default: return first.repetition != nil && words.dropFirst().first?.lowercased() == "times"
    }
  }

  // MARK: Words that are not understood

  private static let ends = ["until", "till", "to", "-", "–", "—"]
  private static let joints =
    ends + [
      "and", "&", "except", "but", "not", "every", "each", "other", "from", "due", "by", "of",
    ]

  private static func weekday(_ word: String) -> Bool {
    Weekday.allCases.contains {
      [$0.englishName, String($0.englishName.prefix(3))].contains(word.lowercased())
    }
  }

  /// `tue/thu`
  private static func isListOfWeekdays(_ word: String) -> Bool {
    let parts = word.split(whereSeparator: { "/-–".contains($0) })
    return parts.count > 1 && parts.allSatisfy { weekday(String($0)) }
  }

  static func isTask(_ word: String) -> Bool { ["task", "todo"].contains(word.lowercased()) }

  private static func isDue(_ word: String) -> Bool { ["due", "by"].contains(word.lowercased()) }

  /// A command of the kind that the words seem to be.
  var example: String {
    let repeats = words.contains {
      RulePhrase.isAdverb($0) || RulePhrase.isPluralOfDays($0) || Self.isListOfWeekdays($0)
        || ["every", "each"].contains($0.lowercased())
    }
    return repeats ? "every tuesday 18:00 until june Yoga" : "tomorrow 12:30 Lunch"
  }

  /// Words of the title that look like a time.
  var unreadWords: String? {
    isTimeLast
      ? WhenPhrase.timeWords(in: title, now: now)
      : WhenPhrase.unreadWords(in: title, after: phrase, now: now)
  }

  /// Whether the title has no word that can belong to the time, so that the command can be proposed.
  private var isUnderstood: Bool {
    guard phrase != nil, let first = title.first, let last = title.last else { return false }
    let hasDays = title.contains { word in
      Self.isListOfWeekdays(word)
        || phrase?.repetition == nil
          && (RulePhrase.isAdverb(word) || RulePhrase.isPluralOfDays(word))
    }
    return !hasDays && unreadWords == nil && WhenPhrase.timeWords(in: title, now: now) == nil
      && !Self.joints.contains(first.lowercased()) && !Self.joints.contains(last.lowercased())
  }

  /// The arguments that these words make, if `agenda add` understands all of them.
  private func arguments(
    _ words: [String], option: String = "", where isRight: (AddWords) -> Bool = { _ in true }
  ) -> String? {
    let words = words.flatMap { $0.split(separator: " ").map(String.init) }
    guard let read = try? AddWords(words, now: now), read.isUnderstood, isRight(read) else {
      return nil
    }
    let text = words.joined(separator: " ")
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || " -.:,/@+".unicodeScalars.contains($0)
        || ("0"..."9").contains($0)
    }
    if text.contains(where: { "\"$`\\!".contains($0) }) { return nil }
    return option + (isPlain ? text : "\"\(text)\"")
  }

  /// The arguments with these words of the title before it. A date next to a repetition can mean
  /// several things.
  func arguments(moving text: String) -> String? {
    let title = title.joined(separator: " ")
    guard let range = title.firstRange(of: text), range.lowerBound > title.startIndex else {
      return nil
    }
    let rest = title[..<range.lowerBound] + title[range.upperBound...]
    return arguments(Array(time + [text, String(rest)])) {
      phrase?.repetition == nil || text.hasPrefix("from ")
        || $0.phrase?.namesDate == phrase?.namesDate
    }
  }

  /// The arguments with a word such as `weekly` at the end.
  func arguments(repeating word: String) -> String? {
    let rest = title.first == word ? title.dropFirst() : title.dropLast()
    return arguments(time + Array(rest) + [word]) { $0.phrase?.repetition != nil }
  }

  /// The arguments for a task with the same words, without `task` and `due`.
  var taskArguments: String? {
    let words = title.first.map(Self.isTask) == true ? title.dropFirst() : title[...]
    let isDue = words.last.map(Self.isDue) == true
    return arguments(Array(words.dropLast(isDue ? 1 : 0)) + time, option: "--task ")
  }

  /// The words for a task, whose title does not end with `due` or `by`.
  var forTask: AddWords {
    guard isTimeLast, title.count > 1, title.last.map(Self.isDue) == true,
      let read = try? AddWords(title.dropLast() + time, now: now), read.isTimeLast
    else { return self }
    return read
  }

  /// Why the words would probably make a wrong event; `nil` if they would not.
  func mistake(isTask: Bool) -> String? {
    guard phrase != nil else { return nil }
    if let mistake = weekdayMistake ?? exceptionMistake { return mistake }
    if let mistake = secondTimeMistake { return mistake }
    guard isTimeLast, let last = title.last else { return nil }
    let found = ([last] + time).joined(separator: " ")
    func message(_ reason: String, _ arguments: String?) -> String {
      "\"\(found)\" \(reason)" + (arguments.map { ", such as agenda add \($0)" } ?? "")
        + ", or give the time with --at"
    }
    switch last.lowercased() {
    case let word where !isTask && Self.isDue(word):
      return message("says when a task is due: use --task", taskArguments)
    case let word where Self.ends.contains(word):
      return message(
        "is an end without a start: write both before the title",
        arguments(["today", last] + time + title.dropLast()))
    case "and", "&", "except":
      return message("is not understood after a title: begin with the time", nil)
    default:
      guard let repetition = unreadWords, repetition.lowercased().hasPrefix("every ") else {
        return nil
      }
      return "\"\(repetition)\" is part of the title: begin with the repetition and the time, such "
        + "as agenda add \(example), or give the time with --at"
    }
  }

  /// `tue 9:30 and thu 10:00`: a second time that is not read.
  private var secondTimeMistake: String? {
    guard !isTimeLast, let first = title.first, ["and", "&"].contains(first.lowercased()),
      (try? WhenPhrase(Array(title.dropFirst()), now: now)) ?? nil != nil
    else { return nil }
    return "\"\(title.prefix(2).joined(separator: " "))\" begins a second time: add each event by "
      + "itself, or give the time with --at"
  }

  /// `except sunday`: only the next Sunday or all Sundays.
  private var exceptionMistake: String? {
    guard phrase?.repetition?.exceptions.isEmpty == false else { return nil }
    for (word, next) in zip(time, time.dropFirst())
    where word.lowercased() == "except" && Self.weekday(DatePhrase.plain(next)) {
      return "\"\(word) \(next)\" can mean one date or all: write the days, such as every mon-sat, "
        + "or the date, such as except 24 dec"
    }
    return nil
  }

  /// `tue and thu`: two weekdays, only one of which is read.
  private var weekdayMistake: String? {
    guard phrase?.repetition.map({ $0.rule.byDay.isEmpty }) ?? true else { return nil }
    if let list = title.first(where: Self.isListOfWeekdays), let place = words.firstIndex(of: list)
    {
      return weekdayMistake(from: place, to: place)
    }
    for place in words.indices.dropLast() where Self.weekday(DatePhrase.plain(words[place])) {
      let isListed = words[place].hasSuffix(",")
      let isJoined = ["and", "&"].contains(words[place + 1].lowercased())
      let next = place + (isJoined ? 2 : 1)
      guard isListed || isJoined, next < words.count, Self.weekday(words[next]),
        range.contains(place) || range.contains(next)
      else { continue }
      return weekdayMistake(from: place, to: next)
    }
    return nil
  }

  private func weekdayMistake(from first: Int, to last: Int) -> String {
    var proposed = words
    proposed.insert("every", at: first)
    let all = arguments(proposed.filter { $0.lowercased() != "weekly" })
    let text = words[first...last].joined(separator: " ")
    return "\"\(text)\" is more than one date: for a repetition write every \(text)"
      + (all.map { ", such as agenda add \($0)" } ?? "") + ", otherwise add each event by itself"
  }
}
