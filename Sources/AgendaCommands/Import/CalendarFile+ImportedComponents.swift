package import AgendaReader
package import AgendaStore

/// What an import takes of a source that was read.
extension CalendarFile {
  /// The components of a range of ordinals, in their order; those that the store knows by their
  /// bytes are not decoded.
  package func importedComponents(
    _ ordinals: Range<Int>, known: KnownDocument
  ) -> [ImportedComponent] {
    var components: [ImportedComponent] = []
    components.reserveCapacity(ordinals.count)
    if known.isEmpty {
      decode(ordinals, known.key, into: &components)
      return components
    }
    var firstUnknown = ordinals.lowerBound
    for ordinal in ordinals {
      let digest = withComponent(firstComponent + ordinal) {
        ComponentDigest(of: UnsafeRawBufferPointer($0), key: known.key)
      }
      guard let digest, known.contains(digest), let kind = kind(ofComponent: ordinal) else {
        continue
      }
      decode(firstUnknown..<ordinal, known.key, into: &components)
      firstUnknown = ordinal + 1
      components.append(
        .known(digest, kind: kind, line: line(ofComponent: firstComponent + ordinal) ?? 0))
    }
    decode(firstUnknown..<ordinals.upperBound, known.key, into: &components)
    return components
  }

  private func decode(
    _ ordinals: Range<Int>, _ key: StoreKey, into components: inout [ImportedComponent]
  ) {
    guard !ordinals.isEmpty else { return }
    forEachEvent(in: ordinals) { event, bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      let ordinal = event.reference.component - firstComponent
      components.append(
        .read(
          ComponentRecord(
            event: event, details: details(of: event.reference), text: bytes,
            digest: ComponentDigest(of: bytes, key: key), key: key,
            frame: calendar(ofComponent: ordinal) ?? 0,
            attachmentBytes: { attachmentBytes(of: event.reference, number: $0) }),
          line: line(ofComponent: event.reference.component) ?? 0))
    }
  }

  /// The source as one document of an import, whose components follow.
  package func importedDocument(
    name: String = "", fingerprint: FileFingerprint?, digest: Int?, interpretation: Int
  ) -> ImportedDocument {
    ImportedDocument(
      name: name, fingerprint: fingerprint, digest: digest, interpretation: interpretation,
      frames: calendarProperties,
      parts: otherComponents.map {
        ImportedDocument.Part(kind: $0.name, bytes: Array($0.bytes), frame: $0.calendar)
      },
      findings: findings, components: componentCount, rejected: rejectedCount,
      isTruncated: isTruncated)
  }
}
