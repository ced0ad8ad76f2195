internal import Platform

/// Reading and writing at the same time.
extension SourceImport {
  /// With larger pieces, the components that wait to be written leave the caches of the processor.
  private static let pieceLength = 128
  private static let piecesAhead = 6

  /// Writes all components of the document that was begun last. `read` returns those of a range of
  /// ordinals, in their order. It runs on another thread than the one that writes. `progress` is
  /// called regularly with the number of components that are done.
  package func takeAll(
    _ count: Int, of document: KnownDocument, threads: Int = 1,
    progress: (Int) -> Void = { _ in },
    read: @escaping @Sendable (Range<Int>, KnownDocument) -> [ImportedComponent]
  ) throws(StoreError) {
    let length = Self.pieceLength
    let pieces = (count + length - 1) / length
    // A single piece takes less time than the start of a thread.
    let work = OrderedWork(
      pieces: pieces, threads: pieces > 1 ? threads : 0, ahead: Self.piecesAhead
    ) { piece in
      read(piece * length..<min(count, (piece + 1) * length), document)
    }
    defer { work.stop() }
    var done = 0
    while let components = work.take() {
      for component in components { try take(component) }
      done += components.count
      work.giveBack(components)
      progress(done)
    }
  }
}
