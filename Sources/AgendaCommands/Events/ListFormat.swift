internal import AgendaCore
internal import AgendaRendering
internal import CivilTime

/// A list for programs, other than an agenda: as a document, as lines and as a table. The fields of one
/// item alone are a document, too.
struct ListFormat<Item> {
  /// The key of the list in a document.
  let name: String
  /// The keys of each item, in their order.
  let fields: [Field]
  /// The columns of the table, in their order.
  var columns: [String] = []

  struct Field {
    let name: String
    fileprivate let isKey: Bool
    fileprivate let writeJSON: (Item, inout ByteSink) -> Void
    fileprivate let cell: (Item) -> FieldValue

    /// `cell` is the value in a table, if it is another one.
    init(
      _ name: String, cell: ((Item) -> FieldValue)? = nil, _ value: @escaping (Item) -> FieldValue
    ) {
      self.name = name
      isKey = true
      writeJSON = { $1.write(json: value($0)) }
      self.cell = cell ?? value
    }

    /// A field that only a table has.
    init(column name: String, _ value: @escaping (Item) -> FieldValue) {
      self.name = name
      isKey = false
      writeJSON = { _, _ in }
      cell = value
    }

    /// Several values, which a table does not have.
    init(_ name: String, values: @escaping (Item) -> [FieldValue]) {
      self.name = name
      isKey = true
      writeJSON = { $1.array(values($0)) { $0.write(json: $1) } }
      cell = { _ in .none }
    }

    /// An object inside of an item, whose keys `write` writes. A table does not have it.
    init(_ name: String, object write: @escaping (Item, inout ByteSink) -> Void) {
      self.name = name
      isKey = true
      writeJSON = { item, sink in
        sink.beginObject()
        write(item, &sink)
        sink.endObject()
      }
      cell = { _ in .none }
    }

    /// A list inside of an item, which a table does not have.
    init<Part>(_ list: ListFormat<Part>, _ parts: @escaping (Item) -> [Part]) {
      name = list.name
      isKey = true
      writeJSON = { item, sink in
        sink.array(parts(item)) { list.writeObject($1, to: &$0) }
      }
      cell = { _ in .none }
    }
  }

  /// `head` writes the keys of the document before the list.
  func write(
    _ items: [Item], as format: AgendaFormat, safe isSafe: Bool = false, to sink: inout ByteSink,
    head: (inout ByteSink) -> Void = { _ in }
  ) {
    switch format {
    case .text, .markdown, .html: break
    case .json:
      sink.beginObject()
      sink.field("version", 1)
      head(&sink)
      sink.key(named: name)
      sink.array(items) { sink, item in
        sink.write("\n")
        writeObject(item, to: &sink)
      }
      sink.endObject()
      sink.write("\n")
    case .jsonl:
      for item in items {
        writeObject(item, to: &sink)
        sink.write("\n")
      }
    case .tsv, .csv:
      let cells = columns.compactMap { name in fields.first { $0.name == name }?.cell }
      let table = TableStyle(kind: format == .csv ? .csv : .tsv, isSafe: isSafe)
      sink.write(table.row(columns))
      for item in items {
        for (index, cell) in cells.enumerated() {
          if index > 0 { sink.write(table.separator) }
          sink.write(cell: cell(item), table)
        }
        sink.write(table.lineEnd)
      }
    }
  }

  func writeObject(_ item: Item, to sink: inout ByteSink) {
    sink.beginObject()
    Self.write(fields, of: item, to: &sink)
    sink.endObject()
  }

  /// The keys of an item, without the braces around them.
  static func write(_ fields: [Field], of item: Item, to sink: inout ByteSink) {
    for field in fields where field.isKey {
      sink.key(named: field.name)
      field.writeJSON(item, &sink)
    }
  }

  /// A document about one item.
  static func writeDocument(_ fields: [Field], of item: Item, to sink: inout ByteSink) {
    sink.beginObject()
    sink.field("version", 1)
    write(fields, of: item, to: &sink)
    sink.endObject()
    sink.write("\n")
  }
}

extension [ListFormat<Occurrence>.Field] {
  /// Fields that an agenda has, too. Only a title that is missing is empty in a list.
  static func ofAgenda(_ fields: [EntryField], in zone: Zone) -> Self {
    fields.map { field in
      if field.name == EntryField.title.name {
        return .init(field.name) { .text($0.event.title) }
      }
      return .init(field.name) { field.read($0, EventDetails(), FieldContext(zone: zone)) }
    }
  }

  /// The same fields for items that have an occurrence.
  func of<Item>(_ occurrence: @escaping (Item) -> Occurrence) -> [ListFormat<Item>.Field] {
    map { field in .init(field.name) { field.cell(occurrence($0)) } }
  }
}
