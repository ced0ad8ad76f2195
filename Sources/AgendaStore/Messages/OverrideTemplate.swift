package import AgendaCore

/// What the overrides have in common that answers make for single occurrences of one series: its text
/// and its details. The store keeps them once. With a copy for each override, a file of answers would
/// cost their number times the size of the series.
package final class OverrideTemplate: Sendable {
  /// The series.
  let record: ComponentRecord
  let text: OverrideText
  let alarms: [Alarm]

  /// `attachmentBytes` gives the bytes of an inline attachment.
  package init(
    series: Event, details: EventDetails, text: [UInt8], key: StoreKey,
    attachmentBytes: (Int) -> [UInt8]? = { _ in nil }
  ) {
    record = text.withUnsafeBytes { text in
      ComponentRecord(
        event: series, details: details, text: text, digest: ComponentDigest(of: text, key: key),
        key: key, attachmentBytes: attachmentBytes)
    }
    self.text = OverrideText(series: series, text: text)
    alarms = details.alarms
  }
}

/// How an override that answers make differs from the text and the details of its series.
struct OverrideDifference: Sendable {
  /// The lines that take the place of lines of the series.
  let lines: [[UInt8]]
  /// The participation of attendees, by address in lower case.
  let answers: [String: String]

  init(lines: [[UInt8]], answers: [String: String]) {
    self.lines = lines
    self.answers = answers
  }

  /// `nil` if a column is damaged.
  init?(lines: [UInt8], answers: [UInt8]) {
    self.lines = StoredList.lists(lines)
    guard let texts = StoredList.texts(answers), texts.count.isMultiple(of: 2) else { return nil }
    self.answers = Dictionary(
      stride(from: 0, to: texts.count, by: 2).map { (texts[$0], texts[$0 + 1]) },
      uniquingKeysWith: { first, _ in first })
  }

  var lineBytes: [UInt8] { StoredList.bytes(ofLists: lines) }

  /// In the order of the addresses, so that equal answers have equal bytes.
  var answerBytes: [UInt8] {
    let texts = answers.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
    return StoredList.bytes(texts) ?? []
  }
}
