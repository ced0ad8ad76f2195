package import CivilTime

/// How the words of `agenda add` divide: those for the time, before the title or after it, and the title.
///
/// It alone decides which words were read as a time, and which only look like a part of one: `unread`.
package struct EntryWords: Sendable {
  package let words: [String]
  /// `nil` if no words are a time.
  package let phrase: WhenPhrase?
  /// The words of the title that look like a part of the time.
  package let unread: [TimeLikeWords]
  /// Why words before the time that was read cannot be a time.
  package let error: WhenPhraseError?
  /// Where these words begin in the title.
  private let errorPlace: Int?
  /// Where the title is.
  let range: Range<Int>
  private let now: CivilDateTime
  private let dialect: TimeLikeWords.Dialect
  private let isTask: Bool

  package var title: [String] { Array(words[range]) }
  /// The words for the time.
  package var time: [String] { Array(words[..<range.lowerBound] + words[range.upperBound...]) }
  /// Whether words after the title are a time.
  package var isTimeLast: Bool { range.upperBound < words.count }

  /// The words that make it unsafe to add the entry: words next to the time, the only time or repetition, or a
  /// date that does not exist.
  package var obstacle: TimeLikeWords? {
    // An argument with spaces is a title on purpose.
    guard let phrase, !title.contains(where: { $0.contains(" ") }) else { return nil }
    return unread.first { words in
      guard words.isCertain else { return false }
      if words.touches || errorPlace.map(words.range.contains) == true { return true }
      let all = words.text.split(separator: " ").map(String.init)
      guard let other = (try? WhenPhrase(all, now: now)) ?? nil else { return false }
      return other.time != nil && phrase.time == nil
        || other.repetition != nil && phrase.repetition == nil
    }
  }

  /// `hasTitle`: all words are a time, because the title is known.
  package init(
    _ typed: [String], now: CivilDateTime, dialect: TimeLikeWords.Dialect = .init(),
    isTask: Bool = false, hasTitle: Bool = false
  ) throws(WhenPhraseError) {
    var words = typed
    (self.now, self.dialect, self.isTask) = (now, dialect, isTask)
    func reader(_ words: [String], seam: Int? = nil) -> WhenReader {
      WhenReader(words, now: now, seam: seam, datesHaveDots: dialect.datesHaveDots, isNew: true)
    }
    if isTask, let first = words.first, Self.isDue(first),
      (try? WhenPhrase(Array(words.dropFirst()), now: now)) ?? nil != nil
    {
      words.removeFirst()
    }
    var first = reader(words)
    while try first.readPart() {}
    // `Sunday roast tomorrow 13:00`
    if first.place == 1, first.date != nil, words[0].first?.isUppercase == true {
      let hasOther = words.indices.dropFirst(2).contains { place in
        var other = reader(Array(words[place...]))
        while (try? other.readPart()) == true {}
        return other.date != nil && other.place == words.count - place
          && words[place].first?.isUppercase == false
      }
      if hasOther { first = reader([]) }
    }
    var leading: WhenPhrase?
    var failure: WhenPhraseError?
    do throws(WhenPhraseError) { leading = try WhenPhrase(first) } catch { failure = error }
    // `90 min yoga tomorrow 18:00`
    let isLength = first.lengthWords != nil && first.isShort
    let count = leading == nil && failure == nil && !isLength ? 0 : first.place
    var found: (title: Range<Int>, phrase: WhenPhrase)?
    var early: (place: Int, error: WhenPhraseError)?
    for place in words.indices.dropFirst(count + 1) where !hasTitle {
      let isArticle = ["a", "the"].contains(words[place - 1].lowercased())
      guard Self.canEndTitle(words[place...], after: count > 0 ? first : nil),
        count == 0 || first.time == nil || !isArticle
      else { continue }
      var all = reader(Array(words[..<count] + words[place...]), seam: count)
      do throws(WhenPhraseError) {
        while try all.readPart() {}
        guard all.place == count + words.count - place, let phrase = try WhenPhrase(all) else {
          continue
        }
        let isExtent = first.extent == nil && Self.opensExtent(words[place])
        guard
          count == 0 || first.time != nil || isExtent || phrase.time != nil
            || phrase.repetition != nil
        else { continue }
        found = (count..<place, phrase)
        break
      } catch {
        if early == nil { early = (place, error) }
      }
    }
    if found == nil, let failure { throw failure }
    let phrase = found?.phrase ?? leading
    var range = found?.title ?? (leading == nil ? 0 : count)..<words.count
    // The title of a task does not end with `due`.
    let last = range.upperBound - 1
    if isTask, range.count > 1, range.upperBound < words.count,
      Self.isDue(words[last]) || ["until", "till"].contains(words[last].lowercased())
    {
      words.remove(at: last)
      range = range.lowerBound..<last
    }
    // A comma before the time after the title ends it.
    if range.upperBound < words.count, range.count > 0, words[range.upperBound - 1].hasSuffix(","),
      words[range.upperBound - 1].utf8.count > 1
    {
      words[range.upperBound - 1].removeLast()
    }
    (self.words, self.phrase, self.range) = (words, phrase, range)
    let title = words[range].flatMap { $0.split(separator: " ").map(String.init) }
    unread =
      hasTitle
      ? []
      : TimeLikeWords.all(
        in: title,
        TimeLikeWords.Surroundings(
          before: Array(words[..<range.lowerBound]), after: Array(words[range.upperBound...]),
          hasDate: phrase?.namesDate ?? false, hasTime: phrase?.time != nil,
          repeats: phrase?.repetition != nil, dialect: dialect))
    errorPlace = early.map { $0.place - range.lowerBound }
    error = early.flatMap { $0.place < range.upperBound || phrase == nil ? $0.error : nil }
  }

  /// Whether a time after the title can begin with these words. After a date and a time, only words such as
  /// `every` and `for` can.
  private static func canEndTitle(_ words: ArraySlice<String>, after first: WhenReader?) -> Bool {
    guard let first, first.time != nil, let word = words.first else { return true }
    if RulePhrase.isAdverb(word) { return !first.repeats }
    if RulePhrase.isPluralOfDays(word) { return !first.repeats && first.date == nil }
    switch word.lowercased() {
    case "every", "each": return !first.repeats
    case "except": return first.repeats
    case "until", "till", "for": return first.repeats || first.extent == nil
    default:
      let isCount = words.dropFirst().first?.lowercased() == "times"
      return first.repeats && isCount || first.date == nil && !first.repeats
        || first.extent == nil && LengthWords(words) != nil
    }
  }

  /// Whether `--in-zone` takes this name; not `London time`.
  package func knowsZone(_ name: String) -> Bool { !name.contains(" ") && dialect.isZone(name) }

  private static func opensExtent(_ word: String) -> Bool {
    ["until", "till", "for", "-", "–", "—"].contains(word.lowercased())
  }

  private static func isDue(_ word: String) -> Bool { ["due", "by"].contains(word.lowercased()) }

  // MARK: Words to propose

  /// These words, if `agenda add` understands all of them.
  private static func understood(
    _ words: [String], now: CivilDateTime, dialect: TimeLikeWords.Dialect, isTask: Bool,
    hasTitle: Bool = false, where isRight: (EntryWords) -> Bool = { _ in true }
  ) -> [String]? {
    let words = single(words)
    guard
      let read = try? EntryWords(
        words, now: now, dialect: dialect, isTask: isTask, hasTitle: hasTitle),
      read.phrase != nil, read.title.isEmpty == hasTitle, read.unread.isEmpty,
      read.listedDays == nil, !read.timeGoesOn, isRight(read)
    else { return nil }
    return words
  }

  /// Whether a word of the title directly beside the time can belong to it: `at nine oh five Gym`.
  private var timeGoesOn: Bool {
    let title = Self.single(title)
    return range.lowerBound > 0 && TimeLikeWords.goOn(in: title, around: 0..<0)
      || isTimeLast && TimeLikeWords.goOn(in: title, around: title.count..<title.count)
  }

  private func understood(
    _ words: [String], isTask: Bool? = nil, where isRight: (EntryWords) -> Bool = { _ in true }
  ) -> [String]? {
    Self.understood(words, now: now, dialect: dialect, isTask: isTask ?? self.isTask) { read in
      // A date in the past is probably not meant.
      isRight(read) && read.phrase.map { !$0.namesDate || $0.date >= now.date } ?? true
    }
  }

  private static func single(_ words: some Sequence<String>) -> [String] {
    words.flatMap { $0.split(separator: " ").map(String.init) }
  }

  /// All words, with these of the title as a part of the time, if all that was read stays.
  ///
  /// Only words that end everything that was typed change their place. Words in the middle stay in the title,
  /// because the words beside them can belong to them: `evry monday 9:00 Walk`.
  package func moving(_ moved: TimeLikeWords) -> [String]? {
    var rest = Self.single(title)
    let text = Array(rest[moved.range])
    // The words go on: `until 20 dec and …`, `friday after next`.
    guard text.count < rest.count, !TimeLikeWords.goOn(in: rest, around: moved.range) else {
      return nil
    }
    let before = Array(words[..<range.lowerBound])
    let after = Array(words[range.upperBound...])
    let isLast = moved.range.upperBound == rest.count
    var choices: [[String]] = []
    // `tomorrow nine Call` is `tomorrow at nine Call`, but `2h` is a length, `1914-1918` are often years, and the
    // number of `5 apples` belongs to the title.
    if moved.range.lowerBound == 0, rest[text.count].first?.isLowercase == false,
      LengthWords(text[...]) == nil, !text.contains(where: { $0.contains { "-–".contains($0) } })
    {
      choices.append(before + ["at"] + rest + after)
    }
    rest.removeSubrange(moved.range)
    if isLast, after.isEmpty { choices.append(before + text + rest) }
    func isRight(_ read: EntryWords) -> Bool {
      guard Self.single(read.title) == rest else { return false }
      guard let old = phrase, let new = read.phrase else { return true }
      return new != old && (!old.namesDate || new.namesDate && new.date == old.date)
        && (old.time == nil || new.time == old.time)
        && (old.repetition == nil || new.repetition == old.repetition)
        && (old.extent == nil || new.extent == old.extent)
        && (old.repetition == nil || new.namesDate == old.namesDate)
    }
    return choices.lazy.compactMap { understood($0, where: isRight) }.first
  }

  /// The words with each of those that say clearly what is meant.
  package static func replacing(
    in words: [String], _ error: WhenPhraseError, now: CivilDateTime,
    dialect: TimeLikeWords.Dialect, isTask: Bool, hasTitle: Bool
  ) -> [[String]] {
    guard let (text, choices) = error.replacement else { return [] }
    let old = text.split(separator: " ").map { DatePhrase.plain(String($0)) }
    let words = single(words)
    let places = words.indices.filter {
      words[$0...].prefix(old.count).map(DatePhrase.plain) == old
    }
    guard let place = places.first else { return [] }
    return choices.compactMap {
      understood(
        words[..<place] + [$0] + words[(place + old.count)...], now: now, dialect: dialect,
        isTask: isTask, hasTitle: hasTitle
      ) { read in
        // A date beside a repetition may be none of its dates.
        read.phrase.map { $0.repetition == nil || !$0.namesDate } ?? true
      }
    }
  }

  /// The words for a task that means the same.
  package var taskWords: [String]? {
    let words = Self.isTask(title.first) ? title.dropFirst() : title[...]
    let isDue = words.last.map(Self.isDue) == true
    return understood(Array(words.dropLast(isDue ? 1 : 0)) + time, isTask: true)
  }

  package static func isTask(_ word: String?) -> Bool {
    ["task", "todo"].contains(word?.lowercased())
  }

  /// `pay rent by friday`: words that end a title before the date of a task.
  package var dueWords: String? {
    guard isTimeLast, let last = title.last, Self.isDue(last) else { return nil }
    return ([last] + time).joined(separator: " ")
  }

  /// `tue and thu`: several weekdays without `every`, and all words with it.
  package var severalDays: (text: String, words: [String]?)? {
    listedDays.map { days in
      let rest = words[..<days.lowerBound] + ["every"] + words[days.lowerBound...]
      let all = understood(rest.filter { $0.lowercased() != "weekly" }) {
        $0.phrase?.repetition?.rule.byDay.count ?? 0 > 1
      }
      return (words[days].joined(separator: " "), all)
    }
  }

  private var listedDays: Range<Int>? {
    func days(_ word: String) -> Int {
      let parts = DatePhrase.plain(word).split(whereSeparator: { "/-–".contains($0) })
      return parts.allSatisfy { Weekday(englishWord: String($0)) != nil } ? parts.count : 0
    }
    guard phrase?.repetition?.rule.byDay.isEmpty ?? true else { return nil }
    for place in words.indices where days(words[place]) > 0 {
      var (end, count) = (place + 1, days(words[place]))
      while end < words.count {
        let next = ["and", "&"].contains(words[end].lowercased()) ? end + 1 : end
        guard next < words.count, days(words[next]) == 1 else { break }
        (end, count) = (next + 1, count + 1)
      }
      if count > 1, range.overlaps(place..<end) { return place..<end }
    }
    return nil
  }
}
