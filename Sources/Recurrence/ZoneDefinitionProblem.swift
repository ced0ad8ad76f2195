/// A problem of a VTIMEZONE. Observances are numbered from 1 in the order of the file.
public enum ZoneDefinitionProblem: Hashable, Sendable {
  case noObservance
  /// More of them than are looked at.
  case tooManyObservances(Int)
  case missingStart(observance: Int, component: String)
  /// TZOFFSETTO is missing or cannot be: the observance is left out.
  case missingOffsetTo(observance: Int, component: String)
  /// TZOFFSETFROM is missing: what held before is taken.
  case missingOffsetFrom(observance: Int, component: String)
  case offsetOutOfRange(observance: Int, component: String, offset: Int)
  /// It begins more often than any clock changes; only the first times are used.
  case tooManyOnsets(observance: Int, component: String)
  /// DAYLIGHT without any STANDARD.
  case onlyDaylight
  /// STANDARD and DAYLIGHT keep the same offset.
  case identicalOffsets(Int)
}

extension ZoneDefinitionProblem: CustomStringConvertible {
  public var description: String { sentence.text }

  package var sentence: Sentence {
    switch self {
    case .noObservance: "no usable STANDARD or DAYLIGHT"
    case .tooManyObservances(let count): "too many STANDARD and DAYLIGHT: \(varying: count)"
    case .missingStart(let number, let name): "\(name) \(varying: number) has no DTSTART"
    case .missingOffsetTo(let number, let name): "\(name) \(varying: number) has no TZOFFSETTO"
    case .missingOffsetFrom(let number, let name):
      "\(name) \(varying: number) has no TZOFFSETFROM"
    case .offsetOutOfRange(let number, let name, let offset):
      "\(name) \(varying: number): \(varying: offset) seconds is not a valid offset"
    case .tooManyOnsets(let number, let name): "\(name) \(varying: number) has too many changes"
    case .onlyDaylight: "DAYLIGHT without STANDARD"
    case .identicalOffsets(let offset):
      "STANDARD and DAYLIGHT keep the same offset of \(varying: offset) seconds"
    }
  }

  /// Whether nothing is lost: Exchange defines zones without daylight saving time like this.
  package var isHarmless: Bool { if case .identicalOffsets = self { true } else { false } }
}
