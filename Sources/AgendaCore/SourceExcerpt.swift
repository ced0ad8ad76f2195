/// The line of a source that a finding is about, shortened to the part around the problem.
package struct SourceExcerpt: Hashable, Sendable {
  /// The number of the line, from 1.
  package var line: Int
  /// The text of the line without its line end, with `…` where it was shortened. A stranger can have
  /// written it: remove control characters before you print it in a terminal.
  package var text: String
  /// The range of the problem in the UTF-8 bytes of `text`; `nil` if it is the whole line.
  package var place: Range<Int>?

  /// A line of a source and the range of the problem in it.
  package init(line: Int, text: String, place: Range<Int>? = nil) {
    self.line = line
    self.text = text
    self.place = place
  }
}
