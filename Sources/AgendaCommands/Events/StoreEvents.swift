internal import AgendaCore
internal import AgendaStore
internal import CivilTime

/// The events of the store.
final class StoreEvents: EventProvider {
  /// `nil` for a store into which nothing was imported yet.
  private let store: Store?
  private let viewer: Zone
  private let messages: Messages
  /// A store that fails while details are read fails once.
  private var hasFailed = false

  init(_ store: Store?, viewer: Zone, messages: Messages) {
    self.store = store
    self.viewer = viewer
    self.messages = messages
  }

  var isReadable: Bool { store != nil }

  func series(touching window: DateWindow?, selection: Selection) throws -> [Series] {
    guard let store else { return [] }
    let span =
      window.map { $0.start..<$0.end } ?? viewer.startOfDay(.first)..<viewer.startOfDay(.last)
    return assembled(try store.events(touching: span, viewer: viewer), selection)
  }

  func series(withWords words: [String], selection: Selection) throws -> [Series] {
    guard let store else { return [] }
    return assembled(try store.events(withWords: words), selection)
  }

  private func assembled(_ events: [Event], _ selection: Selection) -> [Series] {
    SeriesAssembly(
      events.filter {
        selection.admitsKind($0.kind) && selection.admitsCalendar(named: $0.calendar)
      }
    ).series
  }

  func details(of reference: EventReference) -> EventDetails {
    asking { try store?.details(of: reference) } ?? EventDetails()
  }

  func text(of reference: EventReference) -> String? {
    asking { try store?.text(of: reference) }.map { String(decoding: $0, as: UTF8.self) }
  }

  func attachmentBytes(of reference: EventReference, number: Int) -> [UInt8]? {
    asking { try store?.attachmentBytes(of: reference, number: number) }
  }

  var calendarColors: [String: String] { [:] }

  func sourceName(of reference: EventReference) -> String? { store?.path }

  private func asking<Answer>(_ question: () throws -> Answer?) -> Answer? {
    do {
      return try question()
    } catch {
      if !hasFailed { messages.reject("\(error)") }
      hasFailed = true
      return nil
    }
  }
}
