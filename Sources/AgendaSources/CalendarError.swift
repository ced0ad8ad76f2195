package import AgendaStore

/// Why calendars can't be read, or why the store or an event can't be changed. The description says it in
/// words.
public enum CalendarError: Error, Hashable {
  /// A source or another file can't be read. The reason is in words, such as `not an iCalendar file: this
  /// is HTML`.
  case unreadable(source: String, reason: String)
  /// The store can't be read or written, or doesn't have what a call is about.
  case store(Failure)
  /// The event is a series, and the change needs a scope: one occurrence, the following ones or all.
  case needsScope
  /// Another program has changed the event since the store read it. Nothing was written.
  case conflict(file: String, stored: String, present: String)
  /// A line of an edited text can't be read. Lines count from 0.
  case invalidLine(number: Int, reason: String)
  /// An event can't be written for another reason.
  case writing(Failure)
  /// An invitation can't be answered.
  case reply(Failure)
  /// A calendar can't be removed alone, because it is one of several calendars of a source.
  case partOfSource(calendar: String, location: String)
  /// Several accounts of a CalDAV server have this address, each with another user.
  case severalAccounts(address: String, users: [String])
  /// The system refused something.
  case failed(reason: String)

  /// One of many reasons, in words.
  public struct Failure: Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
      case store(StoreError)
      case writing(WritingError)
      case reply(ReplyError)
    }

    package let reason: Reason

    public var description: String {
      switch reason {
      case .store(let error): error.description
      case .writing(let error): error.description
      case .reply(let error): error.description
      }
    }
  }
}

extension CalendarError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unreadable(let source, let reason): "\(source): \(reason)"
    case .store(let failure), .writing(let failure), .reply(let failure): failure.description
    case .needsScope: WritingError.needsScope.description
    case .conflict(let file, let stored, let present):
      WritingError.conflict(file: file, stored: stored, present: present).description
    case .invalidLine(let number, let reason):
      WritingError.invalidLine(number: number, reason: reason).description
    case .partOfSource(let calendar, let location):
      "the calendar \(calendar) is part of \(location), which has other calendars too"
    case .severalAccounts(let address, let users):
      "accounts of \(users.joined(separator: " and ")) have the address \(address)"
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
      case let error as StoreError: .store(Failure(reason: .store(error)))
      case WritingError.needsScope: .needsScope
      case WritingError.conflict(let file, let stored, let present):
        .conflict(file: file, stored: stored, present: present)
      case WritingError.invalidLine(let number, let reason):
        .invalidLine(number: number, reason: reason)
      case let error as WritingError: .writing(Failure(reason: .writing(error)))
      case let error as ReplyError: .reply(Failure(reason: .reply(error)))
      default: .failed(reason: "\(error)")
      }
  }

  /// The error of the module below that has become this one.
  package var origin: (any Error)? {
    switch self {
    case .store(let failure), .writing(let failure), .reply(let failure):
      switch failure.reason {
      case .store(let error): error
      case .writing(let error): error
      case .reply(let error): error
      }
    case .needsScope: WritingError.needsScope
    case .conflict(let file, let stored, let present):
      WritingError.conflict(file: file, stored: stored, present: present)
    case .invalidLine(let number, let reason):
      WritingError.invalidLine(number: number, reason: reason)
    case .unreadable, .partOfSource, .severalAccounts, .failed: nil
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
