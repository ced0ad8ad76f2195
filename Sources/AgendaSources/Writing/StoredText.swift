internal import AgendaReader
internal import AgendaStore
internal import ICalendar

/// The text of components that the store keeps, with the lines around them.
struct StoredText {
  let store: Store

  /// A whole document, as a file would have it. VCALENDARs without components are left out if
  /// `keepsEmpty` is false.
  func document(_ document: StoredDocument, keepsEmpty: Bool = true) throws(StoreError) -> [UInt8] {
    try text(
      of: try store.components(ofDocument: document.id), in: document, keepsEmpty: keepsEmpty)
  }

  /// Some components of a document.
  func text(
    of components: [StoredComponent], in document: StoredDocument, keepsEmpty: Bool
  ) throws(StoreError) -> [UInt8] {
    let objects = try store.calendarObjects(ofRevision: document.revision)
    let contexts = try store.contexts(Set(objects.map(\.context)))
    var rest = Dictionary(grouping: components, by: \.context)
    var text: [UInt8] = []
    for object in objects {
      let own = rest.removeValue(forKey: object.context) ?? []
      guard let context = contexts[object.context] else { continue }
      if own.isEmpty, object.parts.isEmpty, !keepsEmpty { continue }
      let lineEnd = own.first.map { ComponentText($0.text).lineEnd } ?? Array("\r\n".utf8)
      let head = (object.lines + Self.definitions(in: context.text)).withLineEnds(lineEnd)
      let content =
        head + (object.parts + own.map(\.text)).flatMap { $0.withoutLineEnd + lineEnd }
      text += context.isCalendar ? Self.calendar(content, lineEnd) : content
    }
    return text
  }

  /// Components with the lines that decide what their times mean: one VCALENDAR for each context,
  /// without METHOD, VERSION and PRODID.
  func calendars(
    of components: [(context: Int, text: [UInt8])]
  ) throws(StoreError) -> [UInt8] {
    let contexts = try store.contexts(Set(components.map(\.context)))
    var order: [Int] = []
    for component in components where !order.contains(component.context) {
      order.append(component.context)
    }
    var text: [UInt8] = []
    for number in order {
      guard let context = contexts[number] else { continue }
      let own = components.filter { $0.context == number }.map(\.text)
      text += CalendarText.wrapping(
        own, properties: Self.zoneLines(in: context.text),
        definitions: Self.definitions(in: context.text))
    }
    return text
  }

  /// The lines of a context that are about zones, without the definitions of zones.
  static func zoneLines(in context: [UInt8]) -> [UInt8] {
    var isOutside = true
    let lines = ComponentText(context).lines.filter { line in
      if line.isProperty("BEGIN") { isOutside = false }
      let others: [StaticString] = [
        "METHOD", "VERSION", "PRODID", CalendarFile.Context.variantName,
      ]
      return isOutside && !others.contains(where: line.isProperty)
    }
    return lines.flatMap { context[$0.range] }
  }

  static func definitions(in context: [UInt8]) -> [UInt8] {
    let first = ComponentText(context).lines.first { $0.isProperty("BEGIN") }
    return first.map { Array(context[$0.range.lowerBound...]) } ?? []
  }

  private static func calendar(_ content: [UInt8], _ lineEnd: [UInt8]) -> [UInt8] {
    Array("BEGIN:VCALENDAR".utf8) + lineEnd + content + Array("END:VCALENDAR".utf8) + lineEnd
  }
}
