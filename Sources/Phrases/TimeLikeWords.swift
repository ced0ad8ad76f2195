internal import CivilTime

/// Words of a title that look like a part of a date, time, length, zone or repetition.
///
/// Two tables decide it: the roles that a word can have (`Vocabulary`), and which roles next to each other are a
/// time, and where (`Pattern`). They know more than agenda reads, such as `Wendesday`, `PST`, `heute` and `week 52`,
/// so that such words are named instead of becoming a part of the title in silence.
package struct TimeLikeWords: Hashable, Sendable {
  package let text: String
  /// Where they are among the words of the title.
  let range: Range<Int>
  /// Whether they are too likely a part of the time to be left in the title beside words that were read.
  let isCertain: Bool
  /// Whether words that were read are next to them.
  let touches: Bool
  /// Whether they name a time zone.
  package let isZone: Bool

  /// What stands before and after the title, and what was read from it.
  struct Surroundings {
    /// The words before and after the title that were read.
    let before: [String]
    let after: [String]
    let hasDate: Bool
    let hasTime: Bool
    let repeats: Bool
    let dialect: Dialect
  }

  /// What depends on the locale and on the zones of the system.
  package struct Dialect: Sendable {
    /// Whether dates are written with dots, so that `10.12` can be one.
    package let datesHaveDots: Bool
    /// The names of days and months in another language, in lower case.
    package let names: Set<String>
    package let isZone: @Sendable (String) -> Bool

    package init(
      datesHaveDots: Bool = false, names: Set<String> = [],
      isZone: @escaping @Sendable (String) -> Bool = { _ in false }
    ) {
      (self.datesHaveDots, self.names, self.isZone) = (datesHaveDots, names, isZone)
    }
  }

  /// All of them, in the order of the title.
  static func all(in title: [String], _ surroundings: Surroundings) -> [TimeLikeWords] {
    let finder = Finder(words: title, around: surroundings)
    var all: [(range: Range<Int>, kind: Pattern.Kind)] = []
    var place = 0
    while place < title.count {
      guard let (end, kind) = finder.run(at: place) else {
        place += 1
        continue
      }
      // `friday` and `12:30` next to each other are one.
      if let last = all.last, last.range.upperBound == place, last.kind != .zone,
        kind == .certain || kind == .perhaps
      {
        let isCertain = last.kind == .certain || kind == .certain
        all[all.count - 1] = (last.range.lowerBound..<end, isCertain ? .certain : .perhaps)
      } else if kind != .title {
        all.append((place..<end, kind))
      }
      place = end
    }
    return all.map(finder.words)
  }

  /// Whether a word next to these can go on with them: `12:30 and`, `friday after next`, `daily starting`.
  static func goOn(in words: [String], around range: Range<Int>) -> Bool {
    func isOpen(_ place: Int, _ step: Int) -> Bool {
      guard words.indices.contains(place) else { return false }
      let roles = Vocabulary.roles(words[place])
      let parts: Set<Substring> = [
        "NUMBER", "SPELLED", "ZERO", "UNIT", "RELATION", "ADVERB", "PART", "ORDINAL", "FRACTION",
      ]
      if !roles.isDisjoint(with: parts) || roles.contains("and") || roles.contains("or") {
        return true
      }
      return !roles.isDisjoint(with: ["JOINT", "ARTICLE"]) && isOpen(place + step, step)
    }
    return isOpen(range.upperBound, 1) || isOpen(range.lowerBound - 1, -1)
  }
}

/// Roles of words next to each other, what they are, and where.
///
/// Each line of the table is a kind, what must be true, and for each word the roles (in capitals) or the words
/// themselves that fit. The first line that fits decides. `run` is any number of words that are certainly a time,
/// `any` is any word, and `city` is the word `time` after the name of a city of a time zone.
///
/// - `first`, `last`, `touching`: words that were read are before it, after it, or on either side.
/// - `edge`: it begins or ends the title. `lower`: it begins in lower case.
/// - `time`, `date`, `no-time`, `no-date`, `no-rule`: what was read and what was not.
/// - `after-day`, `after-hour`: the last word that was read before it is a day, or an hour alone.
/// - `before-day`, `before-part`: the first word that was read after it is a day, or any part of a date.
/// - `no-code`: not after a word in capitals, as in `BA 1430`.
struct Pattern {
  enum Kind: String { case certain, perhaps, zone, title }

  let kind: Kind
  let needs: Set<Substring>
  let places: [(choices: [Substring], isOptional: Bool)]

  static let all: [Pattern] = table.split(separator: "\n").compactMap { line in
    let sides = line.split(separator: ": ")
    let needs = sides[0].split(separator: " ")
    guard sides.count == 2, let kind = Kind(rawValue: String(needs[0])) else { return nil }
    let places = sides[1].split(separator: " ").map { place in
      let isOptional = place.hasSuffix("?")
      return ((isOptional ? place.dropLast() : place).split(separator: "|"), isOptional)
    }
    return Pattern(kind: kind, needs: Set(needs.dropFirst()), places: places)
  }

  static let table = """
    title last: for SPELLED
    certain: DAY week|fortnight|next
    certain: WHOLE MERIDIEM|ZONE?
    perhaps last no-date: LASTDAY
    certain no-time: SPAN
    perhaps: SPAN
    certain no-code no-time: COMPACT
    perhaps no-code: COMPACT
    perhaps: 24/7|24-7
    certain last no-date: DATELIKE
    perhaps: MAYBE
    certain: MINUTES|half past|to|before|after|vor|nach HOUR|halb|half HOUR?
    certain: half|halb|viertel|dreiviertel SPELLED|HOUR
    certain: SPELLEDHOUR SPELLEDMINUTES
    certain no-time: APPROXIMATELY at? HOUR
    certain no-time: OPENER HOUR
    certain no-time: HOUR AFTERHOUR
    certain first: for NUMBER|SPELLED
    certain first after-hour: MINUTES
    perhaps touching no-time: HOUR
    certain touching: MERIDIEM
    certain touching no-time: PART
    certain first lower: PART
    perhaps last lower: PART
    certain touching time: all|whole|entire|full|ganzer|ganzen day|tag
    perhaps touching: all|whole|entire|ganzer|ganzen day|tag
    certain touching time: WHOLEDAY
    perhaps touching: WHOLEDAY
    zone: CODE
    zone touching time: ZONE
    zone time: REGION|COUNTRY time|zeit
    perhaps first time: REGION
    zone time: any city
    zone time: any any city
    certain: NUMBER|SPELLED|ARTICLE|FRACTION UNIT|MONTH|MERIDIEM
    certain: FRACTION an|a|of|and UNIT|NUMBER|SPELLED
    certain: WEEK NUMBER
    certain no-date: WEEKNUMBER
    certain: MONTH NUMBER|ORDINAL
    certain: ORDINAL MONTH
    certain: ORDINAL UNIT|WHOLE of|in MONTH|RELATION|EVERY
    certain: ORDINAL of|in MONTH|RELATION|EVERY
    certain first: YEAR
    perhaps first date no-time: SMALL
    certain touching no-date: DAYOFMONTH
    perhaps touching: DAYOFMONTH
    certain: SURE
    perhaps touching: NAME
    certain first after-day: UNIT
    certain touching: WEEKEND
    certain no-date no-rule touching: new? FEAST eve|day
    perhaps no-date no-rule: new? FEAST eve|day|holiday
    certain no-date no-rule touching lower: HOLIDAY
    certain no-date no-rule last: HOLIDAY
    perhaps no-date no-rule: HOLIDAY
    certain last before-day: FEASTDAY
    perhaps edge no-rule date: ADVERB
    perhaps edge no-rule time: ADVERB
    certain: COUNT any UNIT
    certain: RELATION|EVERY run
    certain: RELATION|EVERY RELATION? RELATION? UNIT|MONTH|PART|ADVERB
    certain: EVERY NUMBER|SPELLED|ORDINAL
    certain first lower: EVERY
    perhaps edge lower: EVERY
    certain last before-part: RELATION|EVERY
    certain: JOINT run
    certain: JOINT the ORDINAL
    certain first: after|before RELATION
    certain first: END|between
    perhaps lower: END any
    certain first: DASH NUMBER
    certain last: CLOSER
    """
}

private struct Finder {
  let words: [String]
  let around: TimeLikeWords.Surroundings
  private let roles: [Set<Substring>]

  init(words: [String], around: TimeLikeWords.Surroundings) {
    (self.words, self.around) = (words, around)
    roles = words.indices.map { place in
      var roles = Vocabulary.roles(words[place])
      if roles.count < 2, around.dialect.names.contains(Vocabulary.plain(words[place])) {
        roles.insert("WHOLE")
      }
      let isAtEnd = place == 0 || place == words.count - 1
      if isAtEnd, words[place].first?.isLetter == true, around.dialect.isZone(words[place]) {
        roles.insert("ZONE")
      }
      return roles
    }
  }

  private func touchesStart(_ place: Int) -> Bool { place == 0 && !around.before.isEmpty }
  private func touchesEnd(_ end: Int) -> Bool { end == words.count && !around.after.isEmpty }

  func words(_ range: Range<Int>, _ kind: Pattern.Kind) -> TimeLikeWords {
    // In `24.12. um` next to a time, a word of two letters belongs to the time, too.
    let before = range.lowerBound == 1 && words[0].utf8.count < 3 ? 0 : range.lowerBound
    let isBeforeLast = range.upperBound == words.count - 1 && (words.last ?? "").utf8.count < 3
    let after = isBeforeLast ? words.count : range.upperBound
    // `tomorrow 13:00 Sunday roast`
    let isTitle =
      touchesStart(range.lowerBound) && around.hasDate && around.hasTime
      && words[range.lowerBound].first?.isUppercase == true
    return TimeLikeWords(
      text: words[range].joined(separator: " "), range: range,
      isCertain: kind == .zone || kind == .certain && !isTitle,
      touches: touchesStart(before) || touchesEnd(after), isZone: kind == .zone)
  }

  /// The words from here on that belong to a time. The depth limits chains such as `every other other …`.
  func run(at place: Int, depth: Int = 0) -> (end: Int, kind: Pattern.Kind)? {
    for pattern in Pattern.all {
      guard let end = end(of: pattern, at: place, depth) else { continue }
      if pattern.needs.isSubset(of: truths(place..<end)) { return (end, pattern.kind) }
    }
    return nil
  }

  private func end(of pattern: Pattern, at begin: Int, _ depth: Int) -> Int? {
    var place = begin
    for (choices, isOptional) in pattern.places {
      if choices == ["run"] {
        guard depth < 5, place < words.count, let run = run(at: place, depth: depth + 1),
          run.kind == .certain
        else { return nil }
        place = run.end
      } else if choices == ["city"] {
        let name = words[begin..<place].joined(separator: " ")
        // Only next to the time, because looking through all zones takes long.
        guard around.hasTime, begin == 0 || place == words.count - 1, place < words.count,
          ["time", "zeit", "ortszeit"].contains(Vocabulary.plain(words[place])),
          around.dialect.isZone(name + " time")
        else { return nil }
        place += 1
      } else if place < words.count,
        choices == ["any"] || choices.contains(where: roles[place].contains)
      {
        place += 1
      } else if !isOptional {
        return nil
      }
    }
    return place
  }

  private func truths(_ range: Range<Int>) -> Set<Substring> {
    let (isFirst, isLast) = (touchesStart(range.lowerBound), touchesEnd(range.upperBound))
    let before = around.before.last.map(Vocabulary.roles) ?? []
    let after = around.after.first.map(Vocabulary.roles) ?? []
    let parts: Set<Substring> = ["WHOLE", "UNIT", "MONTH", "PART", "ORDINAL", "RELATION"]
    let isCode = range.lowerBound > 0 && words[range.lowerBound - 1].allSatisfy { !$0.isLowercase }
    var all: Set<Substring> = [
      around.hasTime ? "time" : "no-time", around.hasDate ? "date" : "no-date",
    ]
    for (name, isTrue) in [
      ("first", isFirst), ("last", isLast), ("touching", isFirst || isLast),
      ("edge", range.lowerBound == 0 || range.upperBound == words.count),
      ("lower", words[range.lowerBound].first?.isUppercase == false), ("no-rule", !around.repeats),
      ("after-day", before.contains("DAY")), ("after-hour", before.contains("HOUR")),
      ("before-day", after.contains("DAY")), ("before-part", !after.isDisjoint(with: parts)),
      ("no-code", !isCode),
    ] where isTrue { all.insert(Substring(name)) }
    return all
  }
}

/// The words of times, in English and, where agenda only names them, in German.
enum Vocabulary {
  /// The word in lower case without marks around it.
  static func plain(_ word: String) -> String {
    var text = word.lowercased()[...]
    while let last = text.last, ",;:!?)\"'”’".contains(last) { text.removeLast() }
    while let first = text.first, "(\"'“‘".contains(first) { text.removeFirst() }
    return String(text).replacing("’", with: "'")
  }

  /// Each line is a role and the words that have it. A word can have several.
  static let table: [String: Set<Substring>] = {
    let lines = """
      RELATION next last this coming following past other alternate nächste nächsten nächster kommenden letzten diesen
      RELATION übernächsten übernächste
      EVERY every each jeden jede jedes alle
      JOINT until till from by before after since between at @ around about except due on of and & - – — or to through
      JOINT starting beginning bis und um ab von vom zum seit vor nach gegen approximately roughly circa ca ca.
      OPENER until till from before after between at @ around by bis um ab vor nach
      APPROXIMATELY about approximately approx approx. roughly circa ca ca. c. gegen ungefähr etwa zirka ~ @ around
      END until till except
      CLOSER until till from by before after since between around except due and & - – — or of to through starting
      CLOSER beginning und oder bis um von vom zum ab gegen about circa ca ca. ungefähr etwa approximately approx roughly
      DASH - – —
      UNIT seconds sec secs minute minutes min mins hour hours hr hrs h day days night nights week weeks wk wks weekend
      UNIT weekends fortnight fortnights month months quarter quarters year years yr yrs times o'clock oclock d w
      UNIT m uhr stunde stunden minuten tage tagen woche wochen monat monate monaten
      WEEK week wk kw cw woche
      WEEKEND weekend weekends wochenende
      PART morning mornings afternoon afternoons evening evenings night nights lunchtime teatime dinnertime dawn dusk
      PART sunrise sunset abend abends morgens nachmittag nachmittags vormittag vormittags mittag mittags
      WHOLE today tomorrow tonight yesterday noon midday midnight tmrw tmr tomo 2morrow 2moro tonite 2nite overmorrow
      COUNT once twice thrice einmal zweimal dreimal
      WHOLE midweek wensday wendsday everyday eod cob eow eom heute übermorgen gestern täglich wöchentlich monatlich jährlich
      DAY today tomorrow heute übermorgen
      WHOLE mitternacht mo. di. mi. do. fr. sa. so. montag dienstag mittwoch donnerstag freitag samstag sonnabend
      WHOLE sonntag januar jänner februar märz juni juli oktober dezember okt dez mrz morgen früh
      WHOLE montags dienstags mittwochs donnerstags freitags samstags sonntags werktags
      LASTDAY mo di mi do fr sa so
      MAYBE sun sat wed
      NAME may march mar june april august jan jun mai
      MONTH mai
      FRACTION half quarter couple few
      WHOLEDAY all-day allday ganztägig ganztags
      REGION eastern central mountain pacific atlantic ortszeit
      COUNTRY local uk british us european german indian japanese chinese
      ABBREVIATION UTC GMT BST IST CET CEST MEZ MESZ EET EEST WET WEST MSK EST EDT CST CDT MST MDT PST PDT
      ABBREVIATION AKST HST JST KST AEST AEDT ACST AWST NZST NZDT ET CT MT PT Z utc gmt pst cet cest edt pdt
      FEAST christmas xmas year's years boxing valentine's valentines mother's mothers father's fathers independence
      FEAST labour labor memorial veterans patrick's pancake groundhog bank public
      AFTERHOUR onwards onward sharp prompt latest
      HOLIDAY christmas xmas easter halloween thanksgiving nye heiligabend silvester neujahr weihnachten ostern
      HOLIDAY pfingsten karfreitag
      FEASTDAY good easter palm ash whit black cyber shrove holy maundy
      ADVERB annually biannual biennial
      MINUTES quarter viertel zehn zwanzig fünf
      ZERO oh o zero null hundred
      SPELLED ein eine einem einer zwei drei vier fünf sechs sieben acht neun zehn elf zwölf
      HOUR eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf
      """
    var table: [String: Set<Substring>] = [:]
    for line in lines.split(separator: "\n") {
      let words = line.split(separator: " ")
      for word in words.dropFirst() { table[String(word), default: []].insert(words[0]) }
    }
    return table
  }()

  /// `PST`, `UTC+2`, `utc`.
  private static func isZone(_ word: String) -> Bool {
    let word = word.hasSuffix(",") ? String(word.dropLast()) : word
    let name = word.prefix { $0.isLetter }
    let offset = word.dropFirst(name.count)
    let isOffset = offset.first.map { "+-".contains($0) } ?? true
    guard isOffset, offset.dropFirst().allSatisfy({ $0.isNumber || $0 == ":" }) else {
      return false
    }
    return table[String(name)]?.contains("ABBREVIATION") == true
      && (offset.isEmpty || name.utf8.count > 1)
  }

  /// The word itself, and its roles.
  static func roles(_ word: String) -> Set<Substring> {
    let plain = plain(word)
    guard !plain.isEmpty else { return [] }
    var roles: Set<Substring> = table[plain] ?? []
    roles.insert(plain[...])
    // `'26`
    if "'’".contains(word.first ?? " "), DatePhrase.number(plain) != nil { return ["YEAR"] }
    if isZone(word) { return roles.union(word.utf8.count > 2 ? ["CODE", "ZONE"] : ["ZONE"]) }
    // `~9`, `@9`, `9ish`, `noon-ish`
    let marked = plain.drop { "~@≈".contains($0) }
    if marked.count < plain.count, marked.first?.isNumber == true { return ["WHOLE"] }
    if plain.hasSuffix("ish") {
      let stem = self.roles(String(plain.dropLast(plain.hasSuffix("-ish") ? 4 : 3)))
      if !stem.isDisjoint(with: ["WHOLE", "HOUR", "PART"]) { return ["WHOLE"] }
    }
    if plain.first?.isNumber == true || "+-tT".contains(plain.first ?? " ") {
      // The units of lengths are in lower case: 3D and 3M belong to titles.
      if LengthWords([word.hasSuffix(",") ? String(word.dropLast()) : word]) != nil {
        return ["WHOLE"]
      }
      let found = digits(plain)
      if !found.isEmpty { return roles.union(found) }
    }
    if ClockPhrase.half(plain) != nil { roles.insert(plain.contains(".") ? "WHOLE" : "MERIDIEM") }
    if let number = DatePhrase.spelledNumbers[plain] {
      if plain.hasPrefix("a") { return roles.union(["ARTICLE"]) }
      roles.formUnion(["SPELLED"])
      if number <= 12 { roles.formUnion(["HOUR", "SPELLEDHOUR"]) }
      if number % 5 == 0 { roles.formUnion(["MINUTES"]) }
      if number % 5 == 0, number > 9 { roles.formUnion(["SPELLEDMINUTES"]) }
    }
    if DatePhrase.ordinal(plain) != nil, plain != "last" { roles.insert("ORDINAL") }
    if DatePhrase.month(plain) != nil {
      roles.formUnion(roles.contains("NAME") ? ["MONTH"] : ["MONTH", "SURE"])
    }
    let single = plain.hasSuffix("days") ? String(plain.dropLast()) : plain
    // In capitals or in the middle of other words, Sun and Wed are rarely days.
    if Weekday(englishWord: single) != nil {
      if !roles.contains("MAYBE") { roles.insert(single == plain ? "WHOLE" : "ADVERB") }
      if single == plain { roles.insert("DAY") }
    }
    // `KW12`
    let letters = plain.prefix { $0.isLetter }
    if ["w", "wk", "kw", "cw"].contains(letters),
      DatePhrase.number(plain.dropFirst(letters.count)) != nil
    {
      roles.insert("WEEKNUMBER")
    }
    if isAdverb(plain) { roles.insert("ADVERB") }
    // `Samstagabend`
    for day in ["tag", "mittwoch", "sonnabend"] {
      if let found = plain.firstRange(of: day),
        table[String(plain[..<found.upperBound])]?.contains("WHOLE") == true,
        table[String(plain[found.upperBound...])]?.contains("PART") == true
      {
        roles.insert("WHOLE")
      }
    }
    if isListOfDays(plain) || roles.count == 1 && isMisspelt(plain) { roles.insert("WHOLE") }
    return roles
  }

  /// `weekly`, `bi-weekly`, `semiannual`
  private static func isAdverb(_ word: String) -> Bool {
    for prefix in ["bi", "semi", "tri", "half", "fort"] where word.hasPrefix(prefix) {
      let rest = word.dropFirst(prefix.count).drop { $0 == "-" }
      if isAdverb(String(rest)) || ["annual", "ennial", "nightly"].contains(rest) { return true }
    }
    return RulePhrase.isAdverb(word) || RulePhrase.isPluralOfDays(word)
      || table[word]?.contains("ADVERB") == true
  }

  /// `tue/thu`, `mon-fri`
  private static func isListOfDays(_ word: String) -> Bool {
    let parts = word.split(whereSeparator: { "/-–,+".contains($0) })
    return parts.count > 1 && parts.allSatisfy { Weekday(englishWord: String($0)) != nil }
  }

  // MARK: Words with digits

  private static func digits(_ word: String) -> Set<Substring> {
    if let number = DatePhrase.number(word) {
      if isCompactClock(word) { return ["COMPACT"] }
      var roles: Set<Substring> = ["NUMBER"]
      if number < 100 { roles.insert("SMALL") }
      if (1...24).contains(number), word.utf8.count < 3 { roles.insert("HOUR") }
      if number < 60, number % 5 == 0, word.utf8.count < 3 { roles.insert("MINUTES") }
      return roles
    }
    if DatePhrase.ordinal(word) != nil { return ["ORDINAL", "DAYOFMONTH"] }
    if word.hasSuffix("."), word.utf8.count < 4, DatePhrase.number(word.dropLast()) != nil {
      return ["ORDINAL"]
    }
    let shape = shape(word).map { [$0] } ?? []
    // `4/12`, `15.12`
    return shape == ["MAYBE"] && !word.contains(":") ? ["MAYBE", "DATELIKE"] : Set(shape)
  }

  /// The shape with 9 for digits: `99:99`, `99h`.
  private static func shape(_ word: String) -> Substring? {
    let shape = String(word.map { $0.isASCII && $0.isNumber ? "9" : $0 == "–" ? "-" : $0 })
    if case .time = ClockPhrase.read(word, hourAlone: false) {
      return shape.contains(".") && !shape.contains("m") ? "MAYBE" : "WHOLE"
    }
    if case .impossible = ClockPhrase.read(word, hourAlone: false) { return "WHOLE" }
    if shape.hasSuffix("p") || shape.hasSuffix("a"),
      case .time = ClockPhrase.read(word + "m", hourAlone: false)
    {
      return "WHOLE"
    }
    let separators = Set(shape.filter { $0 != "9" })
    let parts = shape.split(whereSeparator: { $0 != "9" }).map(\.count)
    switch separators {
    case [":"]: return parts.count == 2 && parts.allSatisfy { $0 < 3 } ? "MAYBE" : nil
    case ["."]:
      let isDate =
        parts.count == 3 && parts[0] < 3 && parts[2] > 1 || parts.count == 2 && shape.hasSuffix(".")
      return isDate && parts.allSatisfy { $0 < 5 && $0 != 3 } ? "WHOLE" : nil
    case ["/"], ["-"]:
      guard (2...3).contains(parts.count), parts.allSatisfy({ $0 < 3 || $0 == 4 }),
        shape.first == "9"
      else { return nil }
      return parts.count == 3 || parts == [4, 2] ? "WHOLE" : isSpan(word) ? "SPAN" : "MAYBE"
    default: break
    }
    // 2026-12-24T18:00Z, 10:00Z, 12:30-13:30, 9am-5pm, 24.-26.12., 18:00+01:00
    let isClock = shape.contains("99:99") || shape.contains("9:99")
    let isSpan =
      isSpan(word) { DatePhrase.month($0) != nil || Self.shape($0) == "WHOLE" }
    let rest = shape.filter { !"9:.-+/tzhampuhr".contains($0) }
    if isClock && rest.isEmpty || isSpan { return "WHOLE" }
    // 24dec, 5min
    let letters = shape.drop { $0 == "9" }
    return DatePhrase.month(String(letters)) != nil || letters == "uhr" || letters.hasSuffix("ish")
      ? "WHOLE" : nil
  }

  /// `9-5`, `12:30-13:30`
  static func isSpan(_ word: String, or isEnd: (String) -> Bool = { _ in false }) -> Bool {
    let ends = word.split(whereSeparator: { "-–".contains($0) }).map(String.init)
    // `7-Eleven` is a name.
    func isClock(_ end: String) -> Bool {
      guard case .time = ClockPhrase.read(end, hourAlone: true) else { return false }
      return DatePhrase.spelledNumbers[end] == nil
    }
    return ends.count == 2 && word.contains(where: \.isNumber)
      && ends.allSatisfy { isClock($0) || isEnd($0) }
  }

  /// `1430`, but not a year.
  static func isCompactClock(_ word: String) -> Bool {
    guard word.utf8.count == 4, let number = DatePhrase.number(word), number % 5 == 0 else {
      return false
    }
    return number < 2400 && number % 100 < 60 && !(1900...2099).contains(number)
  }

  // MARK: Misspelt words

  private static let longNames =
    Weekday.allCases.map(\.englishName)
    + [
      "tomorrow", "yesterday", "tonight", "january", "february", "september", "october", "november",
      "december",
    ]

  /// `wendesday`, `tommorow`
  private static func isMisspelt(_ word: String) -> Bool {
    guard (6...11).contains(word.utf8.count), word != "sundae", word != "sundaes" else {
      return false
    }
    return longNames.contains { name in
      let most = name.count > 7 ? 2 : 1
      return name.first == word.first && distance(Array(word), Array(name), most) <= most
    }
  }

  /// How many letters differ, are missing, too many or exchanged; more than `most` is not counted.
  private static func distance(_ one: [Character], _ other: [Character], _ most: Int) -> Int {
    if abs(one.count - other.count) > most { return most + 1 }
    var rows = [Array(0...other.count)]
    for (i, left) in one.enumerated() {
      var row = [i + 1]
      for (j, right) in other.enumerated() {
        var best = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (left == right ? 0 : 1))
        if i > 0, j > 0, left == other[j - 1], one[i - 1] == right {
          best = min(best, rows[i - 1][j - 1] + 1)
        }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[one.count][other.count]
  }
}
