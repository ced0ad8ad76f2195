internal import AgendaRendering

// Lists that are no agenda, as documents and as lines.

extension ByteSink {
  /// `{"version":1,…,"free":[…]}` with an item a line; `head` writes what stands between, each key with
  /// a comma before it.
  mutating func write<Item>(
    document name: String, of items: [Item], head: (inout ByteSink) -> Void = { _ in },
    item: (Item, inout ByteSink) -> Void
  ) {
    write("{\"version\":1")
    head(&self)
    write(",\"\(name)\":")
    write(jsonArray: items) { sink, element in
      sink.write("\n")
      item(element, &sink)
    }
    write("}\n")
  }

  /// An item a line.
  mutating func write<Item>(linesOf items: [Item], item: (Item, inout ByteSink) -> Void) {
    for element in items {
      item(element, &self)
      write("\n")
    }
  }
}
