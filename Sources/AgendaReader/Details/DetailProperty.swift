internal import ICalendar

/// A property of the details and its position in the source.
struct DetailProperty {
  var name: PropertyName
  var slot: PropertySlot
  /// The index of the alarm that contains it; `nil` for the component's own properties.
  var alarm: Int?
  /// The size of the attachment in it, if it contains one.
  var byteCount: Int?
  /// The number among the attachments of the component, from 1.
  var attachmentNumber = 0

  var isAttachment: Bool { name == .attachment || name == .image }

  /// The property's name, as findings print it.
  var title: String { PropertyTable.row(of: name)?.name.description ?? "" }

  /// Whether an attachment is part of the file instead of a reference.
  static func isInline(_ view: ContentView) -> Bool {
    func parameter(_ name: StaticString, is value: StaticString) -> Bool {
      guard let range = view.parameter(name) else { return false }
      return view.bytes.part(range.lowerBound, range.upperBound).isName(value)
    }
    return view.isBase64 || parameter("VALUE", is: "BINARY")
  }
}
