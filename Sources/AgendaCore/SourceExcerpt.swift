/// The line of a source that a finding speaks of, cut to what is around the place, for whoever shows
/// it to people.
public struct SourceExcerpt: Hashable, Sendable {
  /// The number of the line, from 1.
  public var line: Int
  /// As the source has it, without its line end; `…` where it was cut. It is data: callers must
  /// make it safe for a terminal.
  public var text: String
  /// The place in the UTF-8 of `text`; `nil` if the finding speaks of the whole line.
  public var place: Range<Int>?

  public init(line: Int, text: String, place: Range<Int>? = nil) {
    self.line = line
    self.text = text
    self.place = place
  }
}
