/// What a person would take for a part of a time in a title. Its rules are regular expressions over the words, and
/// use neither the roles nor the patterns of the reader.
struct TimeLikeJudge {
  struct Surroundings {
    /// The words that were read before and after the title, and what they gave.
    let before: [String]
    let after: [String]
    let hasDate: Bool
    let hasTime: Bool
    let repeats: Bool
  }

  private enum Place { case anywhere, first, last, edge }

  private struct Rule {
    let place: Place
    let expression: Regex<AnyRegexOutput>
    let applies: (Surroundings) -> Bool
  }

  private static let word =
    "(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|zwei|drei|vier|fünf|sechs|sieben|acht|neun"
    + "|zehn|elf|zwölf)"
  private static let hour = "(\(word)|[1-9]|1[0-9]|2[0-4])"
  private static let weekday = "(mon|tues|wednes|thurs|fri|satur|sun)day|thurs|weds|tue|thu|fri"
  private static let feast =
    "(new year['’]?s (eve|day)|christmas|xmas|easter|halloween|thanksgiving|nye|heiligabend|silvester|neujahr"
    + "|ostern|pfingsten|weihnachten)"

  private let rules: [Rule]

  /// An expression that is not valid is an error.
  init() throws {
    func rule(
      _ place: Place, _ text: String, if applies: @escaping (Surroundings) -> Bool = { _ in true }
    ) throws -> Rule {
      Rule(place: place, expression: try Regex("(?:" + text + ") "), applies: applies)
    }
    let beforeWeeks = try Regex("(\(Self.weekday)|tomorrow)")
    let afterRelation = try Regex("(\(Self.weekday)|week|month|year|next|morning)")
    let minutes = "(quarter|viertel|five|ten|twenty|fünf|zehn|zwanzig|5|10|20|25)"
    let dated = { (judge: Surroundings) in judge.hasDate || judge.hasTime }
    rules = try [
      // Clocks and dates by themselves.
      rule(.anywhere, "(half|\(minutes)) (past|vor|nach) (halb )?\(Self.hour)"),
      rule(.anywhere, "\(minutes) to \(Self.hour)"),
      rule(.anywhere, "(half|halb|dreiviertel) \(Self.hour)"),
      rule(.anywhere, "\(Self.word) (ten|fifteen|twenty|thirty|forty|forty-five|fifty)"),
      rule(.anywhere, "(noon|midday|midnight|\(Self.hour)(:\\d\\d)?([ap]m)?-?)ish"),
      rule(.anywhere, "[~@]\\d{1,2}(:\\d\\d)?"),
      rule(.anywhere, "noon|midday|midnight|mitternacht"),
      rule(.anywhere, "T?\\d{1,2}[:h]\\d{2}\\S*"), rule(.anywhere, "\\d{1,2}(am|pm|h)"),
      rule(.anywhere, "\\d{1,4}[./-]\\d{1,2}[./-]\\S*"), rule(.anywhere, "\\d{1,2}-\\d{1,2}"),
      rule(
        .anywhere, "\\d{1,2} (am|pm|uhr|o['’]clock|hours?|days?|weeks?|months?|years?|nights?|min)"),
      rule(.anywhere, "(week|kw|cw) \\d{1,2}|(w|kw|cw)\\d{1,2}", if: { !$0.hasDate }),
      rule(.anywhere, "tomorrow|tonight|tmrw|tommorow|wendesday|heute|übermorgen|\(Self.weekday)"),
      rule(.anywhere, "montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag"),
      rule(.anywhere, "december|january|february|september|october|november|dezember|januar"),
      rule(.anywhere, "(next|last|this) (next |other )?(week|month|year|weekend|\(Self.weekday))"),
      rule(
        .anywhere,
        "(every|each) (other |second |\\d+ )?(day|week|month|year|hour|\(Self.weekday))s?"),
      rule(
        .anywhere, "(\\d{1,2}(st|nd|rd|th)|first|last) (day )?of (every|the|next|this|december|may)"
      ),
      rule(
        .anywhere, "(about|around|approx\\.?|circa|ca\\.?|gegen|roughly) \(Self.hour)",
        if: { !$0.hasTime }),
      rule(.anywhere, "(at|until|before|after) \(Self.hour)", if: { !$0.hasTime }),
      rule(.anywhere, "\(Self.feast)( eve| day)?", if: { !$0.hasDate && !$0.repeats }),
      // What goes on with the words before the title.
      rule(.first, "\(Self.hour)", if: { !$0.hasTime }), rule(.first, "for (\\d+|\(Self.word))"),
      rule(.first, "(all|whole) day|all-day|ganztägig", if: { $0.hasTime }),
      rule(.first, "(morning|afternoon|evening|night)", if: { !$0.hasTime }),
      rule(.first, "(after|before) (next|last)"), rule(.first, "['’]\\d\\d"),
      rule(.first, "(gmt|utc)([+-]\\d+)?|cet|cest|pst|est", if: { $0.hasTime }),
      rule(.first, "(eastern|pacific)( time)?|(london|berlin|new york) time", if: { $0.hasTime }),
      rule(.first, "(until|till|except|between)"), rule(.first, "[-–] \\d+"),
      rule(
        .first, "weeks?",
        if: { (judge: Surroundings) in
          (judge.before.last?.lowercased()).map { $0.wholeMatch(of: beforeWeeks) != nil } ?? false
        }),
      // What the words after the title go on with.
      rule(.last, "\\d{1,2}", if: { !$0.hasTime && $0.hasDate }),
      rule(.last, "(until|till|from|by|since|before|after|starting|and|or|[-–])"),
      rule(
        .last, "(next|last|this|every|each|coming)",
        if: { (judge: Surroundings) in
          (judge.after.first?.lowercased()).map { $0.wholeMatch(of: afterRelation) != nil } ?? false
        }),
      rule(
        .edge,
        "(bi|semi|tri)-?(weekly|monthly|annual|annually|yearly)|weekly|daily|monthly|yearly|biennial",
        if: { dated($0) && !$0.repeats }),
    ]
  }

  /// The words of the title that should be named, for each thing that looks like a time.
  func findings(in title: [String], _ around: Surroundings) -> [Range<Int>] {
    let words = title.map { word in
      word.lowercased().trimmingPrefix("(").filter { !",;!?)".contains($0) }
    }
    var found: [Range<Int>] = []
    for begin in words.indices {
      let text = words[begin...].joined(separator: " ") + " "
      for rule in rules where rule.applies(around) {
        guard let match = text.prefixMatch(of: rule.expression) else { continue }
        let end = begin + text[match.range].count { $0 == " " }
        let (isFirst, isLast) = (
          begin == 0 && !around.before.isEmpty, end == words.count && !around.after.isEmpty
        )
        let isHere =
          switch rule.place {
          case .anywhere: true
          case .first: isFirst
          case .last: isLast
          case .edge: begin == 0 || end == words.count
          }
        if isHere { found.append(begin..<end) }
      }
    }
    return found
  }
}
