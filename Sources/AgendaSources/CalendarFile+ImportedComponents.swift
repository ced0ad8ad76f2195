package import AgendaCore
package import AgendaReader
package import AgendaStore
internal import ICalendar

/// The components of a file in the form that an import needs.
extension CalendarFile {
  /// The components with these ordinals, in their order. A component whose bytes the store already
  /// has is not decoded.
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

  /// The same for a file of several, if some of them cancel or answer events of the others.
  package func importedComponents(
    _ ordinals: Range<Int>, known: KnownDocument, of files: CalendarFiles
  ) -> [ImportedComponent] {
    guard files.hasMessages else { return importedComponents(ordinals, known: known) }
    var components: [ImportedComponent] = []
    var bases: [EventReference: CancellationBase] = [:]
    var firstPlain = ordinals.lowerBound
    for ordinal in ordinals {
      let reference = EventReference(source: source, component: firstComponent + ordinal)
      let change = files.change(of: reference)
      let isCancellation = files.isCancellation(reference)
      let answers = files.answers(in: reference)
      guard change != nil || answers != nil || files.isMessage(reference) else { continue }
      components += importedComponents(firstPlain..<ordinal, known: known)
      firstPlain = ordinal + 1
      if change != nil || answers != nil {
        var base: CancellationBase?
        if files.isComplete(reference), let series = change?.reference {
          base = bases[series] ?? files.cancellationBase(of: series)
          bases[series] = base
        }
        if let component = changed(
          change, answers ?? [:], ordinal, overriding: base, of: files, key: known.key)
        {
          components.append(component)
        }
      } else if let kind = kind(ofComponent: ordinal) {
        let isMerged = isCancellation && !files.isWithoutEffect(reference)
        components.append(isMerged ? .merged(kind: kind) : .answer(kind: kind))
        components += files.answeredOccurrences(of: reference).map {
          answeredOccurrence($0, ordinal, of: files, key: known.key)
        }
      }
    }
    return components + importedComponents(firstPlain..<ordinals.upperBound, known: known)
  }

  /// A component with a cancellation or answers applied. `base` is that of the series if it is a
  /// cancellation and becomes an override with what the series has.
  private func changed(
    _ cancelled: Event?, _ answers: [String: String], _ ordinal: Int,
    overriding base: CancellationBase?,
    of files: CalendarFiles, key: StoreKey
  ) -> ImportedComponent? {
    let reference = EventReference(source: source, component: firstComponent + ordinal)
    guard let event = cancelled ?? events(at: [ordinal]).first else { return nil }
    var text = withComponent(reference.component) { Array($0) } ?? []
    let details = files.details(of: reference)
    if let base {
      text = base.text(of: event, details, cancellation: text)
    } else if cancelled != nil {
      let isOverride = files.isCancellation(reference)
      text = CancelledText.bytes(of: text, title: isOverride ? event.title : nil)
    }
    if !answers.isEmpty { text = ComponentText(text).answered(answers) }
    return text.withUnsafeBytes { text in
      .read(
        ComponentRecord(
          event: event, details: details, text: text,
          digest: ComponentDigest(of: text, key: key), key: key,
          calendarObject: calendar(ofComponent: ordinal) ?? 0,
          attachmentBytes: { attachmentBytes(of: reference, number: $0) }),
        line: line(ofComponent: reference.component) ?? 0)
    }
  }

  /// The override for a reply to one occurrence.
  private func answeredOccurrence(
    _ occurrence: (override: Event, series: EventReference), _ ordinal: Int,
    of files: CalendarFiles, key: StoreKey
  ) -> ImportedComponent {
    .answeredOccurrence(
      ImportedComponent.AnsweredOccurrence(
        occurrence.override,
        answers: files.answersForOccurrence(occurrence.override.reference),
        series: occurrence.series, calendarObject: calendar(ofComponent: ordinal) ?? 0
      ) { files.overrideTemplate(of: occurrence.series, key: key) },
      line: line(ofComponent: firstComponent + ordinal) ?? 0)
  }

  private func decode(
    _ ordinals: Range<Int>, _ key: StoreKey, into components: inout [ImportedComponent]
  ) {
    guard !ordinals.isEmpty else { return }
    forEachEventWithDetails(in: ordinals) { event, details, bytes, attachmentBytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      let ordinal = event.reference.component - firstComponent
      components.append(
        .read(
          ComponentRecord(
            event: event, details: details, text: bytes,
            digest: ComponentDigest(of: bytes, key: key), key: key,
            calendarObject: calendar(ofComponent: ordinal) ?? 0, attachmentBytes: attachmentBytes),
          line: line(ofComponent: event.reference.component) ?? 0))
    }
  }

  /// All of its components with their lines, with digests for the store with this key.
  func records(key: StoreKey) -> [(record: ComponentRecord, line: Int)] {
    var components: [ImportedComponent] = []
    decode(0..<eventCount, key, into: &components)
    return components.compactMap { component in
      if case .read(let record, let line) = component { (record, line) } else { nil }
    }
  }

  /// The source as one document of an import; its components follow separately. `findings` are its
  /// own by default.
  package func importedDocument(
    name: String = "", fingerprint: FileFingerprint?, digest: Int?, interpretation: Int,
    findings: [Finding]? = nil
  ) -> ImportedDocument {
    ImportedDocument(
      name: name, fingerprint: fingerprint, digest: digest, interpretation: interpretation,
      calendarProperties: calendarProperties,
      parts: otherComponents.map {
        ImportedDocument.Part(kind: $0.name, bytes: Array($0.bytes), calendarObject: $0.calendar)
      },
      findings: findings ?? self.findings, components: componentCount, rejected: rejectedCount,
      journals: journalCount, rejectedJournals: rejectedJournalCount, freeBusy: freeBusyCount,
      isTruncated: isTruncated)
  }
}

extension CalendarFiles {
  /// The values of a series for its cancelled occurrences.
  fileprivate func cancellationBase(of series: EventReference) -> CancellationBase? {
    guard let file = file(of: series),
      var text = file.withComponent(series.component, { Array($0) }),
      let event = file.events(at: [series.component - file.firstComponent]).first
    else { return nil }
    if let answers = answers(in: series) { text = ComponentText(text).answered(answers) }
    return CancellationBase(series: event, details: details(of: series), text: text)
  }

  /// The template of the overrides that answers make for occurrences of a series.
  fileprivate func overrideTemplate(
    of series: EventReference, key: StoreKey
  ) -> OverrideTemplate? {
    guard let file = file(of: series),
      var text = file.withComponent(series.component, { Array($0) }),
      let event = file.events(at: [series.component - file.firstComponent]).first
    else { return nil }
    if let answers = answers(in: series) { text = ComponentText(text).answered(answers) }
    return OverrideTemplate(
      series: event, details: details(of: series), text: text, key: key,
      attachmentBytes: { file.attachmentBytes(of: series, number: $0) })
  }
}
