internal import AgendaRendering

// Lists other than an agenda, as documents and as lines.

extension ByteSink {
  /// Writes `{"version":1,…,"free":[…]}` with one item per line. `head` writes the keys before the
  /// items.
  mutating func write<Item>(
    document name: JSONKey, of items: [Item], head: (inout ByteSink) -> Void = { _ in },
    item: (Item, inout ByteSink) -> Void
  ) {
    beginObject()
    field("version", 1)
    head(&self)
    array(name, items) { sink, element in
      sink.write("\n")
      item(element, &sink)
    }
    endObject()
    write("\n")
  }

  /// Writes one item per line.
  mutating func write<Item>(linesOf items: [Item], item: (Item, inout ByteSink) -> Void) {
    for element in items {
      item(element, &self)
      write("\n")
    }
  }
}
