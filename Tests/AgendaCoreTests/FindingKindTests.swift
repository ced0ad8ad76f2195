import CivilTime
import Recurrence
import Testing

@testable import AgendaCore

@Suite("findings have a code and values")
struct FindingKindTests {
  /// One value for each code of a type. The compiler demands a code for every case.
  private static func samples<Type: FindingCoding>(_ type: Type.Type) -> [Type] {
    Type.Code.allCases.compactMap { code in
      var texts: [String] = []
      while true {
        switch attempt(code, texts, type) {
        case .success(let sample): return sample
        case .failure(let error):
          guard error.index == texts.count else { return nil }
          let next = candidates.first { text in
            switch attempt(code, texts + [text], type) {
            case .success: true
            case .failure(let error): error.index > texts.count
            }
          }
          guard let next else { return nil }
          texts.append(next)
        }
      }
    }
  }

  private static func attempt<Type: FindingCoding>(
    _ code: Type.Code, _ texts: [String], _ type: Type.Type
  ) -> Result<Type, FindingValues.Malformed> {
    var values = FindingValues(texts)
    do throws(FindingValues.Malformed) {
      return .success(try Type(code, &values))
    } catch {
      return .failure(error)
    }
  }

  /// Texts that fit values. A number also fits a text, and so comes first.
  private static let candidates =
    ["7", "true", "lines", "missing", "repeated", "only-daylight", "unreadable"]
    + [Finding.Consequence.rejected.rawValue, Finding.TimeFault.notTime.rawValue]
    + [Finding.TimeRepair.hour24.rawValue, Finding.MissingZoneReading.seriesZone.rawValue]
    + [Finding.OtherTimeUse.some.rawValue, Finding.UntilEffect.dates.rawValue]
    + [Finding.UnreadEffect.localTimes.rawValue, Message.Outcome.laterVersion.rawValue]
    + [CalendarSystem.hebrew.rawValue, ThumbnailObstacle.tooManyLosses.rawValue]
    + [WorkBudget.Work.comparisons.rawValue]

  private static func check<Type: FindingCoding & Hashable>(_ type: Type.Type) {
    let samples = samples(type)
    let codes = Set(samples.map(\.content.code.rawValue))
    #expect(codes == Set(Type.Code.allCases.map(\.rawValue)), "\(type)")
    for sample in samples {
      let texts = sample.coded.map(\.text)
      var values = FindingValues(texts)
      let decoded: Type? = try? values.coded()
      #expect(decoded == sample && values.isAtEnd, "\(sample)")
    }
  }

  @Test("a code and values become the same kind again")
  func codes() {
    Self.check(Finding.Kind.self)
    Self.check(RuleError.Reason.self)
    Self.check(RuleText.Note.self)
    Self.check(ZoneDefinitionProblem.self)
    Self.check(PictureProblem.self)
    Self.check(Finding.Positions.self)
  }

  @Test("kinds with nested values become the same kind again")
  func nested() {
    let kinds: [Finding.Kind] =
      Self.samples(RuleError.Reason.self).map { .invalidRule($0, part: "BYDAY=7XX", .ignored) }
      + Self.samples(ZoneDefinitionProblem.self).map { .zoneDefinition($0, isUsable: false) }
      + Self.samples(PictureProblem.self).map { .picture($0) } + [
        .repairedRule([.countAndUntil, .unknownPart("X-A=1"), .misplacedOrdinals]),
        .sharedUID(count: 2, .lines([3, 12])), .sharedUID(count: 0, .files([])),
        .replacedEvents(count: 2, byStamp: true, .files(["a.ics:1", "b:2, c"])),
        .unknownZone("", otherCount: 4, .all, floating: nil),
        .unknownZone("Ours", otherCount: 0, .some, floating: "Europe/Berlin"),
      ]
    for kind in kinds { #expect(Finding.Kind(code: kind.code, values: kind.values) == kind) }
  }

  @Test("other codes and values are refused")
  func malformed() {
    #expect(Finding.Kind(code: "no-such-code", values: []) == nil)
    #expect(Finding.Kind(code: "vcalendar-1", values: ["more"]) == nil)
    #expect(Finding.Kind(code: "nul-bytes", values: []) == nil)
    #expect(Finding.Kind(code: "nul-bytes", values: ["many"]) == nil)
    #expect(Finding.Kind(code: "invalid-time", values: ["x", "not-date"]) == nil)
  }

  @Test("every kind has words")
  func words() {
    for kind in Self.samples(Finding.Kind.self) where kind != .repairedRule([]) {
      let finding = Finding(.note, kind, component: "VTODO", property: "DUE")
      #expect(!finding.message.isEmpty && !finding.action.isEmpty, "\(kind)")
    }
  }
}
