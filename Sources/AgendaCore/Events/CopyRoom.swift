/// The room for what messages copy from series to single occurrences, in bytes. Without a limit, a
/// file of two megabytes can become an export of five gigabytes.
package struct CopyRoom: Sendable {
  private var bytes = 32 << 20

  package init() {}

  /// Whether there is room for so many bytes.
  mutating func take(_ size: Int) -> Bool {
    guard size <= bytes else { return false }
    bytes -= size
    return true
  }
}
