/// The line of a source that a finding speaks of, cut to what is around the place, for whoever shows
/// it to people.
public struct SourceExcerpt: Hashable, Sendable {
  /// The number of the line, from 1.
  public var line: Int
  /// As it stands in the source, without its end; `…` where it was cut. It is data: what shows it
  /// has to make it safe.
  public var text: String
  /// The place in the UTF-8 of `text`; `nil` where the finding speaks of the whole line.
  public var place: Range<Int>?

  public init(line: Int, text: String, place: Range<Int>? = nil) {
    self.line = line
    self.text = text
    self.place = place
  }
}
