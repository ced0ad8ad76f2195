internal import ICalendar

/// Finds the components whose details may be invalid. Only these are decoded when a source is read:
/// decoding the details of all components would take longer than everything else.
struct DetailScreen {
  /// Whether the details of the component must be decoded to find their problems.
  private(set) var mayHaveProblems = false

  /// A component within both of these limits is within all limits of the details.
  private static let usualLength = 1 << 16
  private static let usualLines = 100

  /// Checks a line of the component, or of a component in it.
  @inline(__always)
  mutating func read(
    _ name: PropertyName, _ line: ContentLine, nameEnd: Int, isNested: Bool, bytes: Bytes
  ) {
    if mayHaveProblems || !(name.isPassedBy || name.isOtherText || isNested) { return }
    mayHaveProblems = !Self.isValid(name, line, nameEnd: nameEnd, isNested: isNested, bytes)
  }

  mutating func finish(length: Int, lines: Int) {
    mayHaveProblems = mayHaveProblems || length > Self.usualLength || lines > Self.usualLines
  }

  /// Whether a text may be in quoted-printable or Base64. Its bytes may not be in its charset.
  private static func isEncoded(_ line: ContentLine, nameEnd: Int, _ bytes: Bytes) -> Bool {
    guard nameEnd < line.end, bytes[nameEnd] == 0x3B else { return false }
    let view = ContentView(bytes.part(line.start, line.end), nameEnd: nameEnd - line.start)
    let isHeadFolded = view.bytes.part(0, view.valueStart).contains { $0 == 0x0A || $0 == 0x0D }
    return isHeadFolded || view.isQuotedPrintable || view.isBase64
  }

  /// Whether the value is certainly valid.
  private static func isValid(
    _ name: PropertyName, _ line: ContentLine, nameEnd: Int, isNested: Bool, _ bytes: Bytes
  ) -> Bool {
    switch name {
    case .created, .completed, .acknowledged, .alarmsAcknowledged, .priority, .percentComplete,
      .coordinates, .attachment, .image, .trigger, .repetitions, .oldAlarm:
      break
    case .duration where isNested: break
    case .description, .styledDescription, .alternativeDescription, .otherText, .resources:
      return !isEncoded(line, nameEnd: nameEnd, bytes)
    default: return true
    }
    if line.isFolded { return false }
    let colon = bytes.index(of: 0x3A, from: nameEnd, to: line.end)
    guard colon < line.end else { return false }
    let value = bytes.part(colon + 1, line.end)
    switch name {
    case .created, .completed, .acknowledged, .alarmsAcknowledged:
      return value.isEmpty || TimeText(value) != nil
    case .priority: return value.count == 1 && value[0].isDigit
    case .percentComplete:
      return 1...2 ~= value.count && value.allSatisfy(\.isDigit)
    case .repetitions: return 1...3 ~= value.count && value.allSatisfy(\.isDigit)
    case .trigger, .duration:
      return DurationText(value).map { !$0.isMalformed } ?? (TimeText(value)?.hasTime ?? false)
    // Without parameters it is an address.
    case .attachment, .image: return bytes[nameEnd] == 0x3A
    default: return false
    }
  }
}
