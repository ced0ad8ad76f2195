internal import AgendaReader
internal import AgendaStore
package import CivilTime

/// Files that were read before. A file with an unchanged status is not read again.
package struct KeptFiles: Sendable {
  private struct Kept {
    let file: CalendarFile
    let fingerprint: FileFingerprint
  }

  private var files: [String: Kept] = [:]
  /// Nanoseconds since 1970.
  private let now: Int

  /// The gap after the numbers of a file's components. Files that are added later get numbers in
  /// the gaps, so that the numbers of the other files stay the same.
  private static let gap = 1 << 20

  /// `now` is the moment of reading. Two changes within a short time leave a file with the same
  /// status, so a file that was changed shortly before is not kept.
  package init(now: Instant) {
    let nanoseconds = now.secondsSinceEpoch.multipliedReportingOverflow(by: 1_000_000_000)
    self.now = nanoseconds.overflow ? 0 : nanoseconds.partialValue
  }

  /// The file at a path, if it need not be read again. `calendar` is the name that its calendar
  /// must have.
  func file(
    at path: String, _ fingerprint: FileFingerprint?, source: Int, calendar: String? = nil
  ) -> CalendarFile? {
    guard let kept = files[path], kept.fingerprint == fingerprint, kept.file.source == source,
      calendar == nil || kept.file.name == calendar,
      // The limit for the work of rules counts the files before this one too.
      kept.file.ruleWork == 0
    else { return nil }
    return kept.file
  }

  mutating func keep(_ file: CalendarFile, at path: String, _ fingerprint: FileFingerprint?) {
    guard let fingerprint, fingerprint.isTrusted(at: now) else { return }
    files[path] = Kept(file: file, fingerprint: fingerprint)
  }

  /// The number of the first component of a new file: between the last number of the file before it
  /// and the first number of the next kept file.
  static func firstComponent(after end: Int, before next: Int?) -> Int {
    guard let next else { return end + gap }
    return end + max(0, next - end) / 2
  }
}
