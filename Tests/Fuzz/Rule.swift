// Modules: SystemLibrary Platform CivilTime Recurrence
import CivilTime
import Recurrence

/// A rule from any bytes: it is refused or expanded, written and read again, and said in words.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRule(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  // The first byte picks DTSTART, the rest is the rule.
  guard count > 1 else { return 0 }
  let input = UnsafeBufferPointer(start: bytes, count: count)
  guard let rule = try? Rule(parsing: input.dropFirst()) else { return 0 }
  guard let again = try? Rule(parsing: rule.description) else { fatalError("not read again") }
  if again != rule { fatalError("read again as another rule") }
  let date = CivilDate(dayNumber: 9_000 + Int(input[0]) * 97) ?? .first
  let time = TimeOfDay(secondOfDay: Int(input[0]) * 331) ?? .midnight
  for start in [EventTime.date(date), .floating(CivilDateTime(date, time))] {
    var last: CivilDateTime?
    for civil in RuleExpansion(rule, start: start).prefix(20) {
      if let last, last >= civil { fatalError("out of order") }
      last = civil
    }
    let far = date.adding(days: 40_000).map { CivilDateTime($0, time) }
    for civil in RuleExpansion(rule, start: start, from: far).prefix(5) {
      if let far, civil < far { fatalError("before the window") }
    }
  }
  return 0
}
