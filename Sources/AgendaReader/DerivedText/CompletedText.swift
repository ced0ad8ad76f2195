package import CivilTime
package import ICalendar

/// The text of a task with what says that it is completed (RFC 5545 3.8.2.1, 3.8.1.8).
package enum CompletedText {
  package static func bytes(of text: [UInt8], at moment: Instant) -> [UInt8] {
    ComponentText(text).applying(edits(TimeLine.stamp(moment)))
  }

  /// `stamp` is the moment, such as `20261121T080000Z`.
  package static func edits(_ stamp: String) -> [PropertyEdit] {
    [
      PropertyEdit("STATUS", text: "COMPLETED"), PropertyEdit("PERCENT-COMPLETE", text: "100"),
      PropertyEdit("COMPLETED", text: stamp),
    ].compactMap(\.self)
  }
}
