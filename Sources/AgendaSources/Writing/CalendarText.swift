internal import AgendaCore
internal import AgendaReader
internal import CivilTime
internal import ICalendar
internal import Platform

/// The text of a calendar with changes to its components.
struct CalendarText {
  let bytes: [UInt8]
  let file: CalendarFile
  /// The path of the file with this text, for errors.
  private let path: String?
  private let source: SourceBytes

  init(
    _ bytes: [UInt8], reader: CalendarReader, name: String, path: String? = nil
  ) throws(ReaderError) {
    self.bytes = bytes
    self.path = path
    source = SourceBytes(bytes)
    file = try reader.read(source, name: name)
  }

  /// A calendar around some components. `properties` are its lines with their line ends; VERSION and
  /// PRODID are added if they are missing. All lines around the components end as their lines do.
  static func wrapping(
    _ components: [[UInt8]], properties: [UInt8] = [], method: String? = nil,
    definitions: [UInt8] = []
  ) -> [UInt8] {
    let lineEnd = components.first.map { ComponentText($0).lineEnd } ?? Array("\r\n".utf8)
    func line(_ text: String) -> [UInt8] { Array(text.utf8) + lineEnd }
    var text = line("BEGIN:VCALENDAR")
    let present = Set(FileLines(properties).lines.map { PropertyLine($0).name })
    let required = ["VERSION:2.0", "PRODID:-//agenda//\(agendaVersion)//EN"]
    for property in required where !present.contains(String(property.prefix { $0 != ":" })) {
      text += line(property)
    }
    text += properties.withLineEnds(lineEnd)
    if let method { text += line("METHOD:\(method)") }
    text += definitions.withLineEnds(lineEnd)
    for component in components {
      text += component
      if text.last != 0x0A, text.last != 0x0D { text += lineEnd }
    }
    return text + line("END:VCALENDAR")
  }

  /// Throws if a calendar of the text is vCalendar 1.0. Its properties have another syntax, which
  /// agenda reads but does not write.
  func checkVersion() throws(WritingError) {
    let isOld = file.calendarProperties.contains { lines in
      FileLines(lines).lines.contains(where: \.isVersion1)
    }
    if isOld { throw .invalid(because: .vCalendar1) }
  }

  /// Several components of one UID as a separate calendar, with the properties of the VCALENDAR that
  /// has `member`, and with the definitions of their zones.
  func calendar(
    of components: [[UInt8]], like member: SeriesEditor.Member?, zones: NewDefinitions
  ) -> [UInt8] {
    let names = zones.names(in: components)
    let known = names.intersection(definedZones)
    return Self.wrapping(
      components, properties: member.map(properties(around:)) ?? [],
      definitions: definitions(of: known) + zones.definitions(of: names.subtracting(known)))
  }

  /// The components with a UID, in their order. `document` is the number of the text among those of a
  /// series.
  func members(uid: String, kind: Event.Kind, document: Int = 0) -> [SeriesEditor.Member] {
    var members: [SeriesEditor.Member] = []
    file.forEachEvent { event, component in
      guard event.identity.uid == uid, event.kind == kind else { return }
      members.append(
        SeriesEditor.Member(
          id: .component(event.reference.component, document: document), event: event,
          text: Array(component)))
    }
    return members
  }

  func members(of event: Event, document: Int = 0) -> [SeriesEditor.Member] {
    members(uid: event.identity.uid, kind: event.kind, document: document)
  }

  /// All components that are no messages, those of one event together, in the order of their first ones.
  var series: [[SeriesEditor.Member]] {
    struct Key: Hashable {
      let kind: Event.Kind
      let uid: String
      let calendar: Int?
    }
    var order: [Key] = []
    var members: [Key: [SeriesEditor.Member]] = [:]
    file.forEachEvent { event, component in
      let number = event.reference.component
      if file.isMessage(number) { return }
      let key = Key(
        kind: event.kind, uid: event.identity.uid, calendar: file.calendar(ofComponent: number))
      if members[key] == nil { order.append(key) }
      members[key, default: []].append(
        SeriesEditor.Member(
          id: .component(number, document: 0), event: event, text: Array(component)))
    }
    return order.compactMap { members[$0] }
  }

  /// The lines of the VCALENDAR that has a component.
  private func properties(around member: SeriesEditor.Member) -> [UInt8] {
    let all = file.calendarProperties
    guard let number = member.number.flatMap(file.calendar(ofComponent:)),
      all.indices.contains(number)
    else { return [] }
    return Self.withoutRequest(all[number])
  }

  /// Lines without METHOD:REQUEST or METHOD:PUBLISH: a stored calendar has no method (RFC 4791 4.1).
  /// Others mean that an event is cancelled or added, so they stay.
  private static func withoutRequest(_ text: [UInt8]) -> [UInt8] {
    ComponentText(text).lines.filter { !["REQUEST", "PUBLISH"].contains($0.content.method) }
      .flatMap { text[$0.range] }
  }

  /// The text after changes of components with one UID; `nil` if it no longer has an event.
  func applying(
    _ changes: ComponentChanges, of members: [SeriesEditor.Member], zones: NewDefinitions
  ) throws(WritingError) -> [UInt8]? {
    let changes = changes.writingOwnTexts(about: members).namingComponents(of: members)
    let removed = changes.replaced.values.count(where: \.isEmpty)
    // A truncated text has more than its events: the beginning of what was cut off.
    if changes.added.isEmpty, removed == file.eventCount, !file.isTruncated { return nil }
    return try splicing(changes, of: members, zones: zones)
  }

  /// The same, even if no event is left.
  func splicing(
    _ changes: ComponentChanges, of members: [SeriesEditor.Member], zones: NewDefinitions
  ) throws(WritingError) -> [UInt8] {
    var replaced = changes.replaced
    // New components follow the last one of their UID.
    if !changes.added.isEmpty {
      guard let last = members.last(where: { $0.isInFile && replaced[$0.id] != [] }) else {
        throw .invalid(because: .missingEvent(.event))
      }
      let text = ComponentText(replaced[last.id] ?? last.text.bytes)
      var new = text.bytes
      for component in changes.added { new += text.lineEnd + component.withoutLineEnd }
      replaced[last.id] = new
    }
    let texts = Array(replaced.values)
    let lineEnd = texts.first { !$0.isEmpty }.map { ComponentText($0).lineEnd }
    var definitions = zones.definitions(for: texts, definedIn: self)
    if let lineEnd { definitions = definitions.withLineEnds(lineEnd) }
    var numbered: [Int: [UInt8]] = [:]
    for (id, text) in replaced {
      if case .component(let number, _) = id { numbered[number] = text }
    }
    guard let result = file.splicing(numbered, definitions: definitions, into: source) else {
      let reason = InvalidEdit.Reason.unsupportedEncoding
      throw path.map { .unwritable(file: $0, reason: "\(reason)") } ?? .invalid(because: reason)
    }
    return result
  }

  /// The names of the zones that the calendar defines.
  var definedZones: Set<String> { definedZones(ofCalendar: nil) }

  /// The same for one VCALENDAR, by its number.
  func definedZones(ofCalendar calendar: Int?) -> Set<String> {
    var names: Set<String> = []
    for part in file.otherComponents
    where part.name == "VTIMEZONE" && (calendar == nil || part.calendar == calendar) {
      for line in FileLines(Array(part.bytes)).lines where line.isProperty("TZID") {
        names.insert(String(decoding: PropertyLine(line).value, as: UTF8.self))
      }
    }
    return names
  }

  /// The definitions of some zones, as written, of one VCALENDAR by its number, or of all.
  func definitions(of names: Set<String>, ofCalendar calendar: Int? = nil) -> [UInt8] {
    if names.isEmpty { return [] }
    var found: [UInt8] = []
    for part in file.otherComponents
    where part.name == "VTIMEZONE" && (calendar == nil || part.calendar == calendar) {
      let bytes = Array(part.bytes)
      let own = ComponentText(bytes).own("TZID").first.map {
        String(decoding: PropertyLine($0.content).value, as: UTF8.self)
      }
      if let own, names.contains(own) { found += bytes.withoutLineEnd + Array("\r\n".utf8) }
    }
    return found
  }
}

/// The VTIMEZONEs that new times need (RFC 5545 3.2.19).
struct NewDefinitions {
  let zones: ZoneDatabase

  /// The definitions of zones that the calendar neither defines nor names yet.
  func definitions(for components: [[UInt8]], definedIn calendar: CalendarText) -> [UInt8] {
    let present = calendar.definedZones
      .union(Self.zoneNames(in: FileLines(calendar.bytes).lines))
    return definitions(of: names(in: components).subtracting(present))
  }

  /// The TZIDs of components.
  func names(in components: [[UInt8]]) -> Set<String> {
    components.reduce(into: []) { $0.formUnion(Self.zoneNames(in: FileLines($1).lines)) }
  }

  /// The names of the zones that VTIMEZONEs define.
  static func names(definedIn definitions: [UInt8]) -> Set<String> {
    Set(
      FileLines(definitions).lines.filter { $0.isProperty("TZID") }
        .map { String(decoding: PropertyLine($0).value, as: UTF8.self) })
  }

  func definitions(of names: Set<String>) -> [UInt8] {
    names.sorted().flatMap { name in
      ZoneNames(database: zones).resolution(of: name).zone.map {
        ExportedZones.newDefinition(of: $0, as: name)
      } ?? []
    }
  }

  private static func zoneNames(in lines: [[UInt8]]) -> Set<String> {
    Set(lines.compactMap(\.zoneName).filter { !$0.isEmpty })
  }
}

extension [UInt8] {
  /// The same lines with other line ends: CRLF, LF or CR.
  func withLineEnds(_ end: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count)
    withUnsafeBufferPointer { bytes in
      var index = 0
      while index < count {
        let lineEnd = bytes.endOfLine(from: index, to: count)
        result += self[index..<lineEnd]
        guard lineEnd < count else { break }
        result += end
        index = bytes.endOfLineEnd(at: lineEnd, to: count)
      }
    }
    return result
  }
}
