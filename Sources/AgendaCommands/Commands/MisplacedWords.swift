internal import AgendaCore
internal import AgendaKit
internal import CivilTime
internal import Phrases

/// Words of a title that look like a part of the time.
struct MisplacedWords {
  let text: String
  let advice: String
  /// Why no time was read.
  let reason: String
  /// What to type so that they are read.
  let arguments: String?

  private static let partsOfDay = ["morning", "noon", "afternoon", "evening", "night", "tonight"]

  /// A date, a time or a length.
  init(_ text: String, in add: AddWords) {
    self.text = text
    let isHour = Int(text).map { (0...24).contains($0) } ?? false
    arguments = isHour || add.phrase != nil && add.isTimeLast ? nil : add.arguments(moving: text)
    reason = "\"\(text)\" is part of the title:"
    if let arguments {
      advice = "to have it read as a time, write: agenda add \(arguments)"
    } else if isHour {
      advice = "if it is a time, write \(text):00"
    } else if add.phrase?.repetition != nil {
      advice = "next to a repetition, agenda reads until 3 may, except 24 dec and 10 times"
    } else {
      advice = "agenda reads a date or time only if all words for it are before the title"
    }
  }

  /// `weekly` or `tuesdays` at the beginning or end of the title of an event that does not repeat.
  init?(repetitionIn add: AddWords) {
    guard let phrase = add.phrase, phrase.repetition == nil else { return nil }
    let ends = [add.title.first, add.title.last].compactMap(\.self)
    guard let word = ends.first(where: { RulePhrase.isAdverb($0) || RulePhrase.isPluralOfDays($0) })
    else { return nil }
    text = word
    arguments = add.arguments(repeating: word)
    advice =
      "the event does not repeat; if it should, "
      + (arguments.map { "write: agenda add \($0)" } ?? "use --repeat")
    reason = "\"\(text)\" is part of the title:"
  }

  /// `task` at the beginning of the title of an event.
  init?(taskIn add: AddWords) {
    guard add.phrase != nil, let first = add.title.first, add.title.count > 1,
      AddWords.isTask(first)
    else { return nil }
    text = first
    arguments = nil
    let command = add.taskArguments.map { ", write: agenda add \($0)" } ?? ", use --task"
    advice = "to add a task\(command)"
    reason = "\"\(text)\" is part of the title:"
  }

  /// What is never read before a title: a zone after the time, `evening`, or `week` after a weekday.
  /// `last` is the word before the title.
  init?(
    atBeginningOf title: [String], after phrase: WhenPhrase?, endingWith last: String?,
    viewer: Viewer
  ) {
    guard let first = title.first else { return nil }
    arguments = nil
    if phrase?.time != nil, Self.isZone(first, in: viewer.database) {
      text = first
      advice = "if it is a time zone, use --in-zone \(first)"
    } else if phrase != nil, phrase?.time == nil, Self.partsOfDay.contains(first.lowercased()) {
      text = first
      advice = "if it is a time, write one such as 19:00"
    } else if first.lowercased() == "week", let date = phrase?.date.adding(weeks: 1),
      let last, Self.isBeforeWeek(last)
    {
      text = first
      advice = "if you mean a week later, write \(date)"
    } else {
      return nil
    }
    reason = "\"\(text)\" is part of the title; \(advice);"
  }

  /// Whether `week` after this word can mean a week later, as in `friday week`.
  private static func isBeforeWeek(_ word: String) -> Bool {
    let word = word.lowercased()
    return word == "today" || word == "tomorrow"
      || Weekday.allCases.contains { word == $0.englishName || word == $0.englishName.prefix(3) }
  }

  /// Names such as Cuba and Japan belong to titles.
  private static func isZone(_ word: String, in database: ZoneDatabase) -> Bool {
    (word.contains("/") || word == word.uppercased())
      && (try? Viewer.zone(named: word, option: Options.eventZone, in: database)) != nil
  }
}
