// Modules: SystemLibrary Platform CivilTime Recurrence Phrases
import CivilTime
import Phrases
import Recurrence

/// Words for dates, times, lengths and repetitions from any bytes: they are refused or understood, and
/// what they mean is in order.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPhrases(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  // The first byte picks the present, the rest is what a person types.
  guard count > 1 else { return 0 }
  let input = UnsafeBufferPointer(start: bytes, count: count)
  let today = CivilDate(dayNumber: 9_000 + Int(input[0]) * 97) ?? .first
  let now = CivilDateTime(today, TimeOfDay(secondOfDay: Int(input[0]) * 331) ?? .midnight)
  let text = String(decoding: input.dropFirst(), as: UTF8.self)
  let words = text.split(separator: " ").map(String.init)
  _ = try? DatePhrase.parse(text, today: today)
  if let first = try? DatePhrase.parse(text, today: today, side: .first),
    let last = try? DatePhrase.parse(text, today: today, side: .last), first > last
  {
    fatalError("a period ends before it begins")
  }
  var phrase: WhenPhrase?
  do {
    phrase = try WhenPhrase(words, now: now)
    if let phrase {
      guard (1...words.count).contains(phrase.wordCount) else {
        fatalError("words that are not there")
      }
      if case .until(let end, let time) = phrase.extent {
        if end < phrase.date { fatalError("ends before it begins") }
        if time != nil, phrase.time == nil { fatalError("a whole day ends at a time") }
      }
      if case .length(let length) = phrase.extent, length.days < 0 || length.seconds < 0 {
        fatalError("a negative length")
      }
    }
  } catch {}
  _ = try? WhenPhrase.readsAll(words, now: now)
  if let read = try? EntryWords(words, now: now, dialect: .init(datesHaveDots: input[0] % 2 == 0)) {
    if read.title.count + read.time.count > words.count { fatalError("words that are not there") }
    for words in read.unread { _ = read.moving(words) }
    _ = read.severalDays
  }
  _ = LengthText(text, allowsZero: true)
  _ = PastPhrase(text, now: now)
  if let rule = try? RulePhrase(text, today: today) { check(rule.rule) }
  return 0
}

/// A repetition in words is a rule that can be written and read again.
private func check(_ rule: Rule) {
  guard (try? Rule(parsing: Array(rule.description.utf8))) == rule else {
    fatalError("\(rule) is read again as another rule")
  }
}
