import CivilTime
import Recurrence
import TestSupport

/// Components at random: rules of all kinds, dates added and taken out, overrides that move far, in
/// any zone, for whole days and in floating time.
struct RandomSeries {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private static let zones = [
    "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Pacific/Apia",
    "America/St_Johns", "Pacific/Kiritimati", "Etc/GMT+12", "Antarctica/Troll", "America/Havana",
  ]

  private enum Form: CaseIterable {
    case date, floating, zoned, utc
  }

  /// The components of one UID: a master with its overrides, sometimes two masters, sometimes
  /// overrides alone.
  mutating func components(uid: String) -> [String] {
    let form = chance(50) ? .zoned : pick(Form.allCases)
    let zone = pick(Self.zones)
    let start = civil(years: chance(15) ? 1960...2012 : 2020...2028)
    var components: [String] = []
    if chance(92) { components.append(master(uid, form, zone, start)) }
    if chance(10) { components.append(master(uid, form, zone, civil(years: 2024...2028))) }
    for _ in 0..<(chance(60) ? 0 : number(1...3)) {
      components.append(override(uid, form, zone, start))
    }
    return components
  }

  private mutating func master(
    _ uid: String, _ form: Form, _ zone: String, _ start: CivilDateTime
  ) -> String {
    let isTask = chance(12)
    var lines = ["UID:\(uid)", "DTSTART" + written(start, form, zone)]
    lines += isTask ? due(after: start, form, zone) : extent(after: start, form, zone)
    lines.append("SUMMARY:\(number(0...99))")
    if chance(5) { lines.append("STATUS:CANCELLED") }
    if chance(80) {
      for _ in 0..<(chance(90) ? 1 : 2) { lines.append("RRULE:" + rule(form, start)) }
    }
    for _ in 0..<(chance(75) ? 0 : number(1...3)) {
      let date = civil(years: 2024...2028)
      if form != .date, chance(30) {
        lines.append("RDATE;VALUE=PERIOD" + written(date, .utc, zone) + "/P\(number(1...9))D")
      } else {
        lines.append("RDATE" + written(date, chance(20) ? .date : form, zone))
      }
    }
    for _ in 0..<(chance(70) ? 0 : number(1...3)) {
      lines.append("EXDATE" + written(occurrence(start), chance(30) ? .date : form, zone))
    }
    return component(isTask ? "VTODO" : "VEVENT", lines)
  }

  private mutating func override(
    _ uid: String, _ form: Form, _ zone: String, _ start: CivilDateTime
  ) -> String {
    let replaced = occurrence(start)
    let range = chance(25) ? ";RANGE=THISANDFUTURE" : ""
    let days = chance(50) ? number(-2...2) : number(-200...200)
    let moved = shifted(replaced, days: days, seconds: number(-12...12) * 1800)
    let newForm = chance(80) ? form : pick(Form.allCases)
    let newZone = chance(80) ? zone : pick(Self.zones)
    let replacedForm = chance(85) ? form : .date
    return component(
      "VEVENT",
      [
        "UID:\(uid)", "RECURRENCE-ID\(range)" + written(replaced, replacedForm, zone),
        "DTSTART" + written(moved, newForm, newZone), "SUMMARY:moved \(number(0...99))",
        "SEQUENCE:\(number(0...2))", "STATUS:\(chance(15) ? "CANCELLED" : "CONFIRMED")",
      ] + extent(after: moved, newForm, newZone))
  }

  private func component(_ name: String, _ lines: [String]) -> String {
    (["BEGIN:\(name)"] + lines + ["END:\(name)"]).joined(separator: "\n")
  }

  // MARK: Parts

  private mutating func rule(_ form: Form, _ start: CivilDateTime) -> String {
    let frequency = pick(["HOURLY", "DAILY", "DAILY", "WEEKLY", "WEEKLY", "MONTHLY", "YEARLY"])
    var parts = ["FREQ=\(frequency)"]
    if chance(50) { parts.append("INTERVAL=\(number(1...(frequency == "HOURLY" ? 50 : 9)))") }
    let days = (0..<number(1...3)).map { _ in
      let isCounted = (frequency == "MONTHLY" || frequency == "YEARLY") && chance(50)
      return (isCounted ? pick(["1", "2", "-1", "4"]) : "")
        + pick(["MO", "TU", "WE", "TH", "FR", "SA", "SU"])
    }
    if chance(35) { parts.append("BYDAY=" + days.joined(separator: ",")) }
    if chance(15) { parts.append("BYMONTH=\(number(1...12)),\(number(1...12))") }
    if frequency != "WEEKLY", chance(20) {
      parts.append("BYMONTHDAY=\(pick([1, 13, 28, 29, 30, 31, -1, -5])),\(number(1...31))")
    }
    if form != .date {
      if chance(8) { parts.append("BYHOUR=\(number(0...23)),\(number(0...23))") }
      if chance(10) { parts.append("BYMINUTE=\(number(0...59)),59") }
    }
    if frequency == "YEARLY" {
      if chance(10) { parts.append("BYWEEKNO=\(number(1...53))") }
      if chance(10) { parts.append("BYYEARDAY=\(number(1...366))") }
    }
    if parts.count > 2, chance(10) { parts.append("BYSETPOS=\(pick([1, 2, -1]))") }
    if chance(20) { parts.append("WKST=\(pick(["SU", "WE"]))") }
    if chance(20) {
      parts.append("COUNT=\(number(1...400))")
    } else if chance(20) {
      let until = shifted(start, days: number(1...1500))
      parts.append("UNTIL=\(form == .date ? digits(until.date) : digits(until) + "Z")")
    }
    return parts.joined(separator: ";")
  }

  private mutating func extent(
    after start: CivilDateTime, _ form: Form, _ zone: String
  ) -> [String] {
    if form == .date {
      if chance(40) { return [] }
      return chance(50)
        ? ["DURATION:P\(number(1...5))D"]
        : ["DTEND;VALUE=DATE:" + digits(shifted(start, days: number(1...12)).date)]
    }
    switch number(0...5) {
    case 0: return []
    case 1: return ["DURATION:P\(number(1...40))D"]
    case 2: return ["DURATION:P1DT\(number(0...23))H"]
    case 3: return ["DURATION:PT\(number(1...30))H"]
    case 4:
      return [
        "DTEND" + written(shifted(start, days: 1), chance(70) ? form : .utc, pick(Self.zones))
      ]
    default:
      return [
        "DTEND" + written(shifted(start, seconds: number(1...47) * 1800), form, zone)
      ]
    }
  }

  private mutating func due(
    after start: CivilDateTime, _ form: Form, _ zone: String
  ) -> [String] {
    switch number(0...3) {
    case 0: []
    case 1: ["DUE;VALUE=DATE:" + digits(shifted(start, days: number(0...9)).date)]
    case 2: ["DURATION:P\(number(1...3))D"]
    default: ["DUE" + written(shifted(start, days: number(0...2), seconds: 3600), form, zone)]
    }
  }

  /// A time that is more or less one of the series.
  private mutating func occurrence(_ start: CivilDateTime) -> CivilDateTime {
    let first = max(start.date, CivilDate(clampedYear: 2024, month: 1, day: 1))
    let days = first == start.date ? 0 : start.date.days(until: first)
    return shifted(start, days: days + number(0...60) * pick([1, 1, 7, 30]))
  }

  private mutating func civil(years: ClosedRange<Int>) -> CivilDateTime {
    let hour = chance(30) ? pick([0, 0, 23, 2]) : number(0...23)
    let date = CivilDate(
      clampedYear: number(years), month: chance(30) ? pick([3, 11, 12]) : number(1...12),
      day: number(1...31))
    let time = TimeOfDay(hour: hour, minute: pick([0, 0, 30, 59]), second: 0) ?? .midnight
    return CivilDateTime(date, time)
  }

  private func shifted(_ time: CivilDateTime, days: Int = 0, seconds: Int = 0) -> CivilDateTime {
    CivilDateTime(civilSeconds: time.civilSeconds + days * 86_400 + seconds) ?? time
  }

  private func written(_ time: CivilDateTime, _ form: Form, _ zone: String) -> String {
    switch form {
    case .date: ";VALUE=DATE:" + digits(time.date)
    case .floating: ":" + digits(time)
    case .zoned: ";TZID=\(zone):" + digits(time)
    case .utc: ":" + digits(time) + "Z"
    }
  }

  private func digits(_ date: CivilDate) -> String {
    "\(date)".filter { $0 != "-" }
  }

  private func digits(_ time: CivilDateTime) -> String {
    func two(_ number: some BinaryInteger) -> String { (number < 10 ? "0" : "") + "\(number)" }
    return digits(time.date) + "T" + two(time.time.hour) + two(time.time.minute) + "00"
  }

  // MARK: Windows

  /// A window in which some of them may have something: whole days of a viewer, or any moments.
  mutating func window(_ database: ZoneDatabase) -> (window: Range<Instant>, viewer: Zone)? {
    guard let viewer = database.zone(named: pick(Self.zones + ["Africa/Cairo", "UTC"])) else {
      return nil
    }
    var day = civil(years: 2024...2028).date
    if chance(12) { day = CivilDate(clampedYear: 2011, month: 12, day: number(27...31)) }
    let days = pick([1, 1, 1, 2, 5, 6, 7, 8, 31, 200])
    if chance(60) {
      guard let end = day.adding(days: days) else { return nil }
      return (viewer.startOfDay(day)..<max(viewer.startOfDay(day), viewer.startOfDay(end)), viewer)
    }
    var begin = viewer.startOfDay(day).adding(seconds: number(0...47) * 1800 + number(0...1))
    if chance(30), let change = viewer.nextTransition(after: begin) {
      begin = change.instant.adding(seconds: number(-60...60) * 60)
    }
    let seconds = pick([1, 600, 3600, 86_400, 86_400 * days])
    return (begin..<begin.adding(seconds: seconds), viewer)
  }

  // MARK: Numbers

  private mutating func chance(_ percent: Int) -> Bool { number(0...99) < percent }

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }
}

extension CivilDate {
  /// The last day of the month where it has no such day.
  fileprivate init(clampedYear year: Int, month: Int, day: Int) {
    self =
      CivilDate(year: year, month: month, day: day)
      ?? CivilDate(year: year, month: month, day: 28) ?? .first
  }
}
