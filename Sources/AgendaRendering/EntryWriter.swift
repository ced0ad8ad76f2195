internal import AgendaCore
internal import CivilTime

/// Writes entries as texts with fields between them: JSON, TSV and templates.
struct EntryWriter: ~Copyable {
  /// Writes the value of the field with that number.
  typealias ValueWriter = (_ value: FieldValue, _ number: Int, _ sink: inout ByteSink) -> Void

  private let fields: [Field]
  /// The numbers of the fields that can differ between the occurrences of an event.
  private let variable: [Int]
  private let readsDetails: Bool
  /// The texts before the fields and after the last one, one after the other.
  private let texts: [UInt8]
  private let ends: [Int]
  private let details: (EventReference) -> EventDetails
  private let writeValue: ValueWriter
  private var context: FieldContext
  private var rendered = RenderedEvents<Outline>()
  private let noDetails = EventDetails()

  /// An array of closures would be slower: it calls them through a conversion.
  private struct Field {
    let read: EntryField.Reader
  }

  /// The places of the variable fields between the bytes that all occurrences of an event share.
  private final class Outline {
    let gaps: [Int]
    let stem: OccurrenceID.Stem

    init(gaps: [Int], stem: OccurrenceID.Stem) {
      self.gaps = gaps
      self.stem = stem
    }
  }

  /// `texts` are the texts before the fields and after the last one.
  init(
    _ fields: [EntryField], between texts: [String], _ context: consuming FieldContext,
    details: @escaping (EventReference) -> EventDetails = { _ in EventDetails() },
    writeValue: @escaping ValueWriter
  ) {
    self.fields = fields.map { Field(read: $0.read) }
    variable = fields.indices.filter { fields[$0].owner > .details }
    readsDetails = fields.contains { $0.owner == .details }
    var bytes: [UInt8] = []
    ends = texts.map { text in
      bytes += text.utf8
      return bytes.count
    }
    self.texts = bytes
    self.details = details
    self.writeValue = writeValue
    self.context = context
  }

  /// The entries of a section, with a text between two of them.
  mutating func write(
    _ section: AgendaSection, separator: StaticString = "", to sink: inout ByteSink
  ) {
    context.section = section.id.description
    section.forEachOccurrence { path, occurrence, day, days in
      if path.entry > 0 { sink.write(separator) }
      write(occurrence, at: path, day: day, days: days, to: &sink)
    }
  }

  mutating func write(
    _ occurrence: borrowing Occurrence, at path: EntryPath?, day: Int, days: Int,
    to sink: inout ByteSink
  ) {
    context.path = path
    context.day = day
    context.days = days
    context.id = nil
    guard occurrence.isRepeated(days: days) else { return writeAll(occurrence, to: &sink) }
    var found = rendered.find(occurrence.event)
    if found == nil {
      let (bytes, outline) = bytes(ofEvent: occurrence)
      rendered.keep(bytes, outline, of: occurrence.event)
      found = rendered.find(occurrence.event)
    }
    guard let (place, outline) = found else { return writeAll(occurrence, to: &sink) }
    context.id = OccurrenceID(of: occurrence, stem: outline.stem)
    let details = noDetails
    rendered.withBytes(at: place) { bytes in
      var start = 0
      for (number, gap) in zip(variable, outline.gaps) {
        sink.write(UnsafeBufferPointer(rebasing: bytes[start..<gap]))
        start = gap
        writeValue(fields[number].read(occurrence, details, context), number, &sink)
      }
      sink.write(UnsafeBufferPointer(rebasing: bytes[start...]))
    }
  }

  private func writeAll(_ occurrence: borrowing Occurrence, to sink: inout ByteSink) {
    let details = readsDetails ? occurrence.event.details(details) : noDetails
    for number in fields.indices {
      writeText(number, to: &sink)
      writeValue(fields[number].read(occurrence, details, context), number, &sink)
    }
    writeText(fields.count, to: &sink)
  }

  /// What the occurrences of an event share.
  private func bytes(ofEvent occurrence: borrowing Occurrence) -> ([UInt8], Outline) {
    let details = readsDetails ? occurrence.event.details(details) : noDetails
    var gaps: [Int] = []
    let bytes = ByteSink.bytes { sink in
      var rest = variable[...]
      for number in fields.indices {
        writeText(number, to: &sink)
        if number == rest.first {
          rest.removeFirst()
          gaps.append(sink.count)
        } else {
          writeValue(fields[number].read(occurrence, details, context), number, &sink)
        }
      }
      writeText(fields.count, to: &sink)
    }
    return (bytes, Outline(gaps: gaps, stem: OccurrenceID.Stem(occurrence.event)))
  }

  private func writeText(_ number: Int, to sink: inout ByteSink) {
    texts.withUnsafeBufferPointer { texts in
      let start = number == 0 ? 0 : ends[number - 1]
      sink.write(UnsafeBufferPointer(rebasing: texts[start..<ends[number]]))
    }
  }
}

extension Occurrence {
  /// Whether the event of this occurrence can be listed again in an agenda.
  func isRepeated(days: Int) -> Bool { recurrenceID != nil || days > 1 }
}
