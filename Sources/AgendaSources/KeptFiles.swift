internal import AgendaReader
internal import AgendaStore
package import CivilTime

/// Files that were read before. A file whose status is still the same is not read again.
package struct KeptFiles: Sendable {
  private struct Kept {
    let file: CalendarFile
    let fingerprint: FileFingerprint
  }

  private var files: [String: Kept] = [:]
  /// Nanoseconds since 1970.
  private let now: Int

  /// The gap behind a file that is read. Files that are added later get numbers of components in the
  /// gaps, so that the numbers of the other files stay.
  private static let gap = 1 << 20

  /// `now` is the moment of reading: two changes at nearly the same time give a file the same status,
  /// so a file that was changed shortly before is not kept.
  package init(now: Instant) {
    let nanoseconds = now.secondsSinceEpoch.multipliedReportingOverflow(by: 1_000_000_000)
    self.now = nanoseconds.overflow ? 0 : nanoseconds.partialValue
  }

  /// The file at a path, if it need not be read. `calendar` is the name that its calendar must have.
  func file(
    at path: String, _ fingerprint: FileFingerprint?, source: Int, calendar: String? = nil
  ) -> CalendarFile? {
    guard let kept = files[path], kept.fingerprint == fingerprint, kept.file.source == source,
      calendar == nil || kept.file.name == calendar,
      // How many of these rules are read depends on the files before it.
      kept.file.costlyRuleCount == 0
    else { return nil }
    return kept.file
  }

  mutating func keep(_ file: CalendarFile, at path: String, _ fingerprint: FileFingerprint?) {
    guard let fingerprint, fingerprint.isTrusted(at: now) else { return }
    files[path] = Kept(file: file, fingerprint: fingerprint)
  }

  /// The number of the first component of a file that is read, between the last number of the file
  /// before it and the first number of the next file that is kept.
  static func firstComponent(after end: Int, before next: Int?) -> Int {
    guard let next else { return end + gap }
    return end + max(0, next - end) / 2
  }
}
