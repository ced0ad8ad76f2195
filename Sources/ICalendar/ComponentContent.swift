internal import Platform

/// The content of a component without the time of writing. Components that differ only in DTSTAMP,
/// LAST-MODIFIED, folding or line ends have equal contents.
package enum ComponentContent {
  /// The same in every process, so that it orders contents independently of imports.
  package static func digest(of component: [UInt8]) -> UInt64 {
    var digest = StableDigest()
    for line in ComponentText(component).lines
    where line.depth != 1 || !line.isProperty("DTSTAMP") && !line.isProperty("LAST-MODIFIED") {
      line.content.withUnsafeBufferPointer { digest.add($0) }
      digest.add(UInt8(ascii: "\n"))
    }
    return digest.value
  }
}
