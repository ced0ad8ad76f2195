internal import AgendaCore
internal import CivilTime
internal import Phrases

/// Parses a condition: `not` binds tighter than `and`, and `and` tighter than `or`.
struct ConditionParser {
  private let tokens: [ConditionToken]
  private let zone: Zone
  /// The current moment; without it, dates in words are not read.
  private let now: CivilDateTime?
  private var position = 0
  private var depth = 0

  /// More brackets and `not`s than people write, and few enough for the stack.
  private static let deepest = 100

  static func parse(
    _ text: String, zone: Zone, now: Instant?
  ) throws(ConditionError) -> Condition.Node {
    var parser = ConditionParser(tokens: try ConditionToken.all(in: text), zone: zone, now: now)
    let node = try parser.alternatives()
    guard parser.current.kind == .end else { throw parser.unexpected("\"and\" or \"or\"") }
    return node
  }

  private init(tokens: [ConditionToken], zone: Zone, now: Instant?) {
    self.tokens = tokens
    self.zone = zone
    self.now = now.map { zone.civil(at: $0) }
  }

  private var current: ConditionToken { tokens[position] }

  /// Returns the current token and goes to the next one. At the end it stays there.
  private mutating func next() -> ConditionToken {
    let token = current
    if position < tokens.count - 1 { position += 1 }
    return token
  }

  private func unexpected(_ expected: String) -> ConditionError {
    error(at: current, "expected \(expected), got \(current.description)")
  }

  private func error(at token: ConditionToken, _ message: String) -> ConditionError {
    ConditionError(column: token.column, problem: .other(message))
  }

  private mutating func alternatives() throws(ConditionError) -> Condition.Node {
    var nodes = [try conjunction()]
    while current.isKeyword("or") {
      _ = next()
      nodes.append(try conjunction())
    }
    return nodes.count == 1 ? nodes[0] : .any(nodes)
  }

  private mutating func conjunction() throws(ConditionError) -> Condition.Node {
    var nodes = [try term()]
    while current.isKeyword("and") {
      _ = next()
      nodes.append(try term())
    }
    return nodes.count == 1 ? nodes[0] : .all(nodes)
  }

  private mutating func term() throws(ConditionError) -> Condition.Node {
    let isNegated = current.isKeyword("not")
    guard isNegated || current.kind == .open else { return try comparison() }
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else {
      throw error(at: current, "more than \(Self.deepest) nested brackets")
    }
    _ = next()
    if isNegated { return .not(try term()) }
    let node = try alternatives()
    guard current.kind == .close else { throw unexpected("\")\"") }
    _ = next()
    return node
  }

  private mutating func comparison() throws(ConditionError) -> Condition.Node {
    guard case .word(let name) = current.kind, !current.isKeyword("and"), !current.isKeyword("or")
    else { throw unexpected("a field") }
    guard let field = EntryField.ofConditions.named(name) else {
      throw ConditionError(column: current.column, problem: .unknownField(name))
    }
    _ = next()
    guard case .comparison(let sign) = current.kind else {
      throw unexpected("=, !=, <, <=, >, >= or ~ after \(name)")
    }
    let signToken = next()
    let expected = try expectedValue(of: field, sign, at: signToken)
    let test = Condition.Node.test(ConditionTest(field: field, expected: expected))
    return sign == "!=" ? .not(test) : test
  }

  private mutating func expectedValue(
    of field: EntryField, _ sign: String, at signToken: ConditionToken
  ) throws(ConditionError) -> ConditionTest.Expected {
    let value = current
    let isEquality = sign == "=" || sign == "!="
    let text: String
    switch value.kind {
    case .string(let quoted): text = quoted
    case .word(let word):
      guard !["and", "or", "not"].contains(word.lowercased()) else {
        throw error(at: value, "expected a value, got \"\(word)\"; put the text in quotes")
      }
      text = word
    default: throw unexpected("a value")
    }
    _ = next()
    if value.kind == .word("null") {
      guard isEquality else { throw error(at: signToken, "null can only be used with = and !=") }
      return .null
    }
    let order = sign == "!=" ? ConditionTest.Order.equal : ConditionTest.Order(rawValue: sign)
    switch field.type {
    case .text:
      if sign == "~" { return .part(text.lowercased()) }
      guard isEquality else {
        throw error(at: signToken, "\(field.name) is a text; use =, != or ~")
      }
      return .text(text)
    case .presence:
      throw error(
        at: value,
        "geo can only be compared with null; geo.latitude and geo.longitude are numbers")
    case .flag:
      guard isEquality else {
        throw error(at: signToken, "\(field.name) is true or false; use = or !=")
      }
      guard let flag = Bool(text) else { throw expected("true or false", value, text) }
      return .flag(flag)
    case .number:
      guard let order else { throw onlyForTexts(signToken) }
      guard let number = Int(text) else { throw expected("a number", value, text) }
      return .number(number, order)
    case .decimal:
      guard let order else { throw onlyForTexts(signToken) }
      guard let number = Double(text), number.isFinite else {
        throw expected("a number", value, text)
      }
      return .decimal(number, order)
    case .length:
      guard let order else { throw onlyForTexts(signToken) }
      guard let seconds = Self.seconds(text) else {
        throw expected("a length like 45m, 1h30m or 2d", value, text)
      }
      return .number(seconds, order)
    case .time:
      guard let order else { throw onlyForTexts(signToken) }
      return try time(text, order, at: value)
    }
  }

  private func expected(
    _ expected: String, _ token: ConditionToken, _ text: String
  ) -> ConditionError {
    error(at: token, "expected \(expected), got \"\(text)\"")
  }

  private func onlyForTexts(_ token: ConditionToken) -> ConditionError {
    error(at: token, "~ can only be used with texts")
  }

  private static func seconds(_ text: String) -> Int? {
    if ["0", "0s", "0m", "0h", "0d"].contains(text) { return 0 }
    return LengthText(text).map { $0.days * TimeOfDay.secondsPerCivilDay + $0.seconds }
  }

  /// A day, a moment with an offset, a time on the clocks of the zone, or a date or time in words.
  private func time(
    _ text: String, _ order: ConditionTest.Order, at token: ConditionToken
  ) throws(ConditionError) -> ConditionTest.Expected {
    if text.utf8.count == 10, let midnight = Instant(rfc3339: text + "T00:00:00Z") {
      return .day(midnight.utc.date, order)
    }
    if let moment = Instant(rfc3339: text) { return .moment(moment, order) }
    let seconds = text.utf8.count == 16 ? ":00" : ""
    if let local = Instant(rfc3339: text + seconds + "Z") {
      return .moment(zone.instant(of: local.utc), order)
    }
    if let now, let found = words(text, order, now: now) { return found }
    throw expected("a date like 2026-12-01 or a time like 2026-12-01T09:00", token, text)
  }

  /// `tomorrow`, `24 dec`, `mon 9:00`. A month is its first day after `<` and `>=`, and its last after `<=`
  /// and `>`.
  private func words(
    _ text: String, _ order: ConditionTest.Order, now: CivilDateTime
  ) -> ConditionTest.Expected? {
    let date =
      switch order {
      case .equal: try? DatePhrase.parse(text, today: now.date)
      case .less, .greaterOrEqual: try? DatePhrase.parse(text, today: now.date, side: .first)
      case .lessOrEqual, .greater: try? DatePhrase.parse(text, today: now.date, side: .last)
      }
    if let date { return .day(date, order) }
    let words = text.split(separator: " ").map(String.init)
    guard let phrase = (try? WhenPhrase(words, now: now)) ?? nil, let time = phrase.time,
      phrase.wordCount == words.count, phrase.extent == nil, phrase.repetition == nil
    else { return nil }
    return .moment(zone.instant(of: CivilDateTime(phrase.date, time)), order)
  }
}
