/// A property of the details and where it stands.
struct DetailProperty {
  var name: DetailName
  var slot: PropertySlot
  /// Its ordinal among the alarms; `nil` for the component's own.
  var alarm: Int?
  /// How many bytes the attachment in it has, if it holds one.
  var byteCount: Int?
  /// From 1, among the attachments of the component.
  var attachmentNumber = 0

  /// Whether an attachment stands in the file.
  static func isInline(_ view: ContentView) -> Bool {
    func parameter(_ name: StaticString, is value: StaticString) -> Bool {
      guard let range = view.parameter(name) else { return false }
      return view.bytes.part(range.lowerBound, range.upperBound).isName(value)
    }
    return parameter("ENCODING", is: "BASE64") || parameter("ENCODING", is: "B")
      || parameter("VALUE", is: "BINARY")
  }
}
