package import AgendaCore
internal import AgendaReader
internal import AgendaStore
internal import CivilTime
internal import ICalendar
internal import Platform

/// An answer to an invitation (RFC 5546 3.2.3).
package struct Reply: Sendable {
  package enum Answer: String, Hashable, Sendable, CaseIterable {
    case accepted = "ACCEPTED"
    case declined = "DECLINED"
    case tentative = "TENTATIVE"
  }

  /// The message with METHOD:REPLY, with line ends of CRLF.
  package let message: [UInt8]
  /// The organizer's mail address, to which the message is sent; `nil` if the organizer has none.
  package let organizer: String?
  /// The address of the attendee who answers.
  package let attendee: String
  package let title: String
  /// Whether the chosen occurrence is one of a series that the answer applies to as a whole.
  package let answersSeries: Bool
  /// Whether the attendee has given the same answer already.
  package let isRepeated: Bool
  /// The calendars on servers that the answer waits to be sent to.
  package var serverCalendars: [String] = []
  /// The lines of calendars that recording the answer changes.
  package var diff: [String] = []
  /// Whether the server sends the answer (RFC 6638, section 3.2.2.1).
  package var isSentByServer = false
}

/// The reason why an invitation can't be answered.
package enum ReplyError: Error, Hashable, CustomStringConvertible {
  /// The event has no organizer, so it is not an invitation.
  case noOrganizer
  /// The person with this address is the organizer.
  case isOrganizer(String)
  /// The event was cancelled.
  case isCancelled
  /// No mail can be sent to the organizer's address.
  case noMailAddress
  /// The event has no attendees.
  case noAttendees
  /// The event invites other addresses than these.
  case notInvited([String], invited: [String])
  /// Several of the invited people match.
  case ambiguous([String])

  package var description: String {
    switch self {
    case .noOrganizer: "the event has no ORGANIZER, so it is not an invitation"
    case .isOrganizer(let address): "\(address) is the organizer; only attendees can answer"
    case .isCancelled: "the event is cancelled and needs no answer"
    case .noMailAddress: "no mail can be sent to the organizer's address"
    case .noAttendees: "the event has no attendees"
    case .notInvited(let addresses, let invited):
      "\(addresses.joined(separator: ", ")) is not invited; these addresses are: "
        + invited.joined(separator: ", ")
    case .ambiguous(let invited):
      "several of these addresses can answer: \(invited.joined(separator: ", "))"
    }
  }
}

/// The people of an invitation, from its component.
struct Invitation {
  private let component: ComponentText
  private let attendees: [PropertyLine]
  private let organizer: PropertyLine

  init(_ component: ComponentText, isCancelled: Bool) throws(ReplyError) {
    self.component = component
    guard let line = component.own("ORGANIZER").first else { throw .noOrganizer }
    organizer = PropertyLine(line.content)
    attendees = component.own("ATTENDEE").map { PropertyLine($0.content) }
    if attendees.isEmpty { throw .noAttendees }
    if isCancelled { throw .isCancelled }
  }

  /// The invited person with one of these addresses; without addresses, the only one. Many programs
  /// list the organizer too, who has nothing to answer.
  func attendee(of addresses: [String]) throws(ReplyError) -> PropertyLine {
    let invited = attendees.filter { !$0.isAddress(organizer.address) }
    let found = addresses.isEmpty ? invited : Self.people(addresses, in: invited)
    guard let first = found.first else {
      // Nobody but the organizer is invited, or the addresses are the organizer's.
      let isOrganizer = addresses.contains(where: organizer.isAddress)
      guard !invited.isEmpty, !isOrganizer else { throw .isOrganizer(organizer.address) }
      throw .notInvited(addresses, invited: Self.names(invited))
    }
    guard Self.names(found).count == 1 else { throw .ambiguous(Self.names(found)) }
    return first
  }

  /// An invited person answers for himself first, and only then for others.
  private static func people(
    _ addresses: [String], in attendees: [PropertyLine]
  ) -> [PropertyLine] {
    let own = attendees.filter { addresses.contains(where: $0.isAddress) }
    if !own.isEmpty { return own }
    return attendees.filter { attendee in
      addresses.contains { address in
        ["SENT-BY", "EMAIL"].contains { attendee.names(address, in: $0) }
      }
    }
  }

  private static func names(_ attendees: [PropertyLine]) -> [String] {
    var names: [String] = []
    for attendee in attendees where !names.contains(attendee.address) {
      names.append(attendee.address)
    }
    return names
  }

  var organizerAddress: String? { organizer.mail }
  var organizerAgent: String? { organizer["SCHEDULE-AGENT"] }

  /// The component of the reply. It repeats the properties that identify the invitation: an
  /// attendee changes neither UID nor SEQUENCE nor RECURRENCE-ID (RFC 5546 3.2.3).
  func reply(
    of attendee: PropertyLine, _ answer: Reply.Answer, comment: String?, stamp: String
  ) -> [UInt8] {
    let begin = component.lines.first.map(\.content) ?? Array("BEGIN:VEVENT".utf8)
    let end = component.lines.last { $0.depth == 1 && $0.isProperty("END") }.map(\.content)
    var lines = [begin, Array("DTSTAMP:\(stamp)".utf8)]
    let repeated: [StaticString] = ["UID", "SEQUENCE", "RECURRENCE-ID", "DTSTART", "SUMMARY"]
    for name in repeated {
      if let line = component.own(name).first { lines.append(PropertyLine(line.content).content) }
    }
    lines.append(organizer.content)
    var own = attendee
    own["PARTSTAT"] = answer.rawValue
    own["RSVP"] = nil
    lines.append(own.content)
    if let comment { lines.append(Array("COMMENT:".utf8) + PropertyValue.escaped(comment)) }
    lines.append(end ?? Array("END:VEVENT".utf8))
    return lines.flatMap { FileLines.folded($0) }
  }
}

extension PropertyLine {
  /// Whether a parameter with addresses has this one.
  fileprivate func names(_ address: String, in parameter: String) -> Bool {
    self[parameter]?.mailAddress == address.mailAddress
  }
}

extension EditSession {
  /// Makes the reply to an invitation, and records the answer: in the event's source, or as a decision.
  /// A reply to an override is for that occurrence, any other one for the whole event, unless `only` asks
  /// for the occurrence. Nothing is recorded if `isMailAddress` refuses the organizer's address.
  package func reply(
    _ answer: Reply.Answer, to occurrence: Occurrence, as addresses: [String],
    only: Bool = false, comment: String? = nil, isMailAddress: (String) -> Bool = { _ in true }
  ) throws -> Reply {
    let loaded = try load(occurrence)
    let own = loaded.current.filter { $0.document == loaded.home.document }
    let editor = editor(loaded.members(of: own), occurrence)
    guard let single = only ? try editor.ownInvitation() : editor.invitation else {
      throw StoreError.unknown(what: "event", name: loaded.event.identity.uid)
    }
    let invitation = try Invitation(
      single.text, isCancelled: single.event.status == .cancelled)
    let attendee = try self.attendee(of: invitation, addresses, in: loaded.source)
    guard isMailAddress(invitation.organizerAddress ?? "") else { throw ReplyError.noMailAddress }
    let component = invitation.reply(of: attendee, answer, comment: comment, stamp: stamp)
    let address = attendee.address
    func changes(_ editor: SeriesEditor) throws -> ComponentChanges {
      try editor.answer(address: address, participation: answer.rawValue, only: only)
    }
    var result = WriteResult()
    if target(of: loaded) != nil {
      result = try change(loaded, .reply, changes)
    } else if try !changes(editor).isEmpty {
      result = try self.answer(component, by: attendee, to: loaded, changes)
    }
    var reply = Reply(
      message: try message(component, to: loaded, own), organizer: invitation.organizerAddress,
      attendee: attendee.mail ?? address, title: loaded.event.title,
      answersSeries: single.event.recurrence != nil && occurrence.recurrenceID != nil,
      isRepeated: attendee["PARTSTAT"]?.uppercased() == answer.rawValue)
    reply.serverCalendars = result.serverCalendars
    reply.diff = result.diff
    if case .server? = target(of: loaded) {
      let number = try store.serverCalendars()[loaded.source.id]?.account
      let account = try store.accounts().first { $0.id == number }
      // The organizer can ask that the attendee's program sends it (RFC 6638, section 7.1).
      let agent = invitation.organizerAgent?.uppercased() ?? "SERVER"
      reply.isSentByServer = account?.sendsInvitations == true && agent == "SERVER"
    }
    return reply
  }

  /// Who answers. Without addresses, it is the user whom the server of the calendar knows.
  private func attendee(
    of invitation: Invitation, _ addresses: [String], in source: StoredSource
  ) throws -> PropertyLine {
    if addresses.isEmpty, let number = try store.serverCalendars()[source.id]?.account,
      let account = try store.accounts().first(where: { $0.id == number })
    {
      let own = account.addresses.compactMap { address in
        address.lowercased().hasPrefix("mailto:") ? String(address.dropFirst(7)) : nil
      }
      if !own.isEmpty, let attendee = try? invitation.attendee(of: own) { return attendee }
    }
    return try invitation.attendee(of: addresses)
  }

  /// A component as a message with METHOD:REPLY, with the definitions of its zones.
  private func message(
    _ component: [UInt8], to loaded: LoadedSeries, _ versions: [LoadedSeries.Version]
  ) throws -> [UInt8] {
    let text = try CalendarText(
      try loaded.text(of: versions, store), reader: reader(loaded.event.calendar), name: "")
    let definitions = NewDefinitions(zones: options.zones)
    let names = definitions.names(in: [component])
    let known = names.intersection(text.definedZones)
    return CalendarText.wrapping(
      [component], method: "REPLY",
      definitions: text.definitions(of: known)
        + definitions.definitions(of: names.subtracting(known)))
  }
}
