package import AgendaStore

/// Why calendars can't be read, or why the store or an event can't be changed.
public enum CalendarError: Error, Hashable {
  /// A source or another file can't be read. The reason is in words, such as `not an iCalendar file: this
  /// is HTML`.
  case unreadable(source: String, reason: String)
  /// The store can't be read or written, or doesn't have what a call is about.
  case store(StoreFailure)
  /// An event can't be written.
  case writing(WritingError)
  /// An invitation can't be answered.
  case reply(ReplyError)
  /// A calendar can't be removed alone, because it is one of several calendars of a source.
  case partOfSource(calendar: String, location: String)
  /// The system refused something.
  case failed(reason: String)

  /// What is wrong with a store.
  public struct StoreFailure: Hashable, Sendable, CustomStringConvertible {
    package let error: StoreError

    public var description: String { "\(error)" }
  }
}

extension CalendarError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unreadable(let source, let reason): "\(source): \(reason)"
    case .store(let failure): "\(failure)"
    case .writing(let error): "\(error)"
    case .reply(let error): "\(error)"
    case .partOfSource(let calendar, let location):
      "the calendar \(calendar) is part of \(location), which has other calendars too"
    case .failed(let reason): reason
    }
  }
}

extension CalendarError {
  /// An error of the modules below in the words of the interface.
  package init(_ error: any Error) {
    self =
      switch error {
      case let error as CalendarError: error
      case let error as StoreError: .store(StoreFailure(error: error))
      case let error as WritingError: .writing(error)
      case let error as ReplyError: .reply(error)
      default: .failed(reason: "\(error)")
      }
  }

  /// Runs a closure whose errors become errors of the interface.
  package static func catching<Answer>(
    _ body: () throws -> Answer
  ) throws(CalendarError) -> Answer {
    do { return try body() } catch { throw CalendarError(error) }
  }

  /// The same for a closure that runs code of the caller, whose own errors stay as they are.
  package static func catchingOwn<Answer>(_ body: () throws -> Answer) throws -> Answer {
    do {
      return try body()
    } catch  where error is StoreError || error is WritingError || error is ReplyError {
      throw CalendarError(error)
    }
  }
}
