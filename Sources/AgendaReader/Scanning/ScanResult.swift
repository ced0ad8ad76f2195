internal import AgendaCore

/// The result of the first pass over a source, or over one part of it.
struct ScanResult {
  var stubs: [ComponentStub] = []
  var findings: [Finding] = []
  /// The number of findings beyond the limit.
  var unlistedFindings = 0
  /// The first one is the calendar that the part inherits from the previous part.
  var calendars: [ScannedCalendar] = [ScannedCalendar()]
  /// VTIMEZONEs and other components that are not events: kept for zones and for export.
  var others: [OtherComponent] = []
  /// VEVENTs, VTODOs and VJOURNALs that make no event.
  var rejected: [RejectedComponent] = []
  var zones = ZoneNameTable()
  /// The number of VEVENTs and VTODOs that begin.
  var componentCount = 0
  var rejectedCount = 0
  /// The number of VJOURNALs that begin, and of those that make no event.
  var journalCount = 0
  var rejectedJournalCount = 0
  var lineCount = 0
  /// The first lines that are not UTF-8, and their number.
  var notUTF8: (lines: [Int], count: Int) = ([], 0)
  /// The last VCALENDAR or component was never closed.
  var isTruncated = false
  /// The first component that is outside any VCALENDAR.
  var outside: (line: Int, kind: ComponentKind)?
  /// Whether a VCALENDAR is open at the end of the part.
  var endsInCalendar = false
  /// Whether a component that becomes no event is open there.
  var endsInOther = false
  /// Whether any line began a calendar or a component of one.
  var hasCalendar = false

  /// The most findings of a source. Further ones are only counted.
  static let mostFindings = 10_000
  /// Grouping the findings again would hardly reduce them.
  private var hasManyKinds = false

  /// Whether further findings are only counted.
  var isFull: Bool { hasManyKinds && findings.count >= Self.mostFindings }

  mutating func add(_ finding: Finding) {
    if !hasManyKinds { hasManyKinds = !findings.keepsGrouping() }
    if findings.count < Self.mostFindings {
      findings.append(finding)
    } else {
      unlistedFindings += 1
    }
  }

  mutating func addNotUTF8(_ lines: [Int], count: Int) {
    notUTF8.lines += lines.prefix(FindingGroups<Int>.mostLines - notUTF8.lines.count)
    notUTF8.count += count
  }
}

extension Array where Element == Finding {
  /// Groups the findings if there are many. Returns `false` if that hardly reduced them.
  mutating func keepsGrouping() -> Bool {
    guard count >= ScanResult.mostFindings else { return true }
    self = grouped
    return count <= ScanResult.mostFindings / 2
  }
}

/// The properties of a VCALENDAR.
struct ScannedCalendar {
  /// The line on which it begins; `nil` for the lines outside any VCALENDAR.
  var line: Int?
  /// NAME of RFC 7986, and X-WR-CALNAME, which has priority. The first of each counts.
  var properName: String?
  var wideName: String?
  /// COLOR and X-APPLE-CALENDAR-COLOR.
  var properColor: String?
  var appleColor: String?
  var method: String?
  var version: String?
  /// PRODID.
  var producer: String?
  /// TZ and DAYLIGHT of vCalendar 1.0.
  var oldZone: (text: String, line: Int)?
  var oldDaylight: [(text: String, line: Int)] = []
  var zoneName: (text: String, line: Int)?
  /// The positions of its content lines, without those of nested components, for export.
  var properties: [Range<Int>] = []

  /// Whether it is vCalendar 1.0.
  var isVersion1: Bool { version == "1.0" }

  /// The name of a producer that writes descriptions in HTML, as it is in PRODID; `nil` for others.
  /// Google Calendar, Exchange, Outlook and WordPress' The Events Calendar (`ECPv6.3.1`) write `&amp;`
  /// for `&` also where there are no tags. Others mean `&amp;` as it is.
  var producerOfHTML: String? {
    guard let producer else { return nil }
    // Each file of a folder asks for it, so this compares bytes: a search in strings takes a sixth of
    // such an import.
    return Array(producer.utf8).withUnsafeBufferPointer { name in
      let words: [StaticString] = ["GOOGLE", "MICROSOFT", "OUTLOOK", "ECPV"]
      return words.first { word in name.indices.contains { name.hasName(word, at: $0) } }
        .map { "\($0)" }
    }
  }

  /// RFC 5546 3.2.5: it cancels events of others.
  var isCancellation: Bool { method == "CANCEL" }

  /// RFC 5546 3.2.3: it changes the answer of an attendee.
  var isReply: Bool { method == "REPLY" }

  /// RFC 5546 3.2.4: it adds an occurrence.
  var isAddition: Bool { method == "ADD" }

  /// RFC 5546 3.2.3, 3.2.6 to 3.2.8: it is an answer or a request, not a version of an event.
  var isAnswer: Bool {
    ["REPLY", "REFRESH", "COUNTER", "DECLINECOUNTER"].contains(method ?? "")
  }

  /// Its components need no DTSTART.
  var isMessage: Bool { isCancellation || isAnswer }

  /// A listing repeats it for each entry, so a longer name is cut.
  var name: String? {
    guard let name = wideName ?? properName, name.utf8.count > Self.longestName else {
      return wideName ?? properName
    }
    var length = 0
    let start = name.unicodeScalars.prefix {
      length += UTF8.width($0)
      return length <= Self.longestName
    }
    return String(String.UnicodeScalarView(start))
  }
  /// In bytes, as for names of files.
  private static let longestName = 255
  var color: String? { properColor ?? appleColor }

  /// Adds the properties of the same calendar from the next part of the source.
  mutating func append(_ next: ScannedCalendar, afterLines lines: Int) {
    properties += next.properties
    properName = properName ?? next.properName
    wideName = wideName ?? next.wideName
    properColor = properColor ?? next.properColor
    appleColor = appleColor ?? next.appleColor
    method = method ?? next.method
    version = version ?? next.version
    producer = producer ?? next.producer
    oldZone = oldZone ?? next.oldZone.map { ($0.text, $0.line + lines) }
    oldDaylight += next.oldDaylight.map { ($0.text, $0.line + lines) }
    zoneName = zoneName ?? next.zoneName.map { ($0.text, $0.line + lines) }
  }
}

/// The properties of a VCALENDAR that affect the meaning of its components.
struct CalendarMeaning {
  let isVersion1: Bool
  let isCancellation: Bool
  let isAddition: Bool
  let isMessage: Bool
  let hasEntities: Bool

  init(_ calendar: ScannedCalendar) {
    isVersion1 = calendar.isVersion1
    isCancellation = calendar.isCancellation
    isAddition = calendar.isAddition
    isMessage = calendar.isMessage
    hasEntities = calendar.producerOfHTML != nil
  }
}

/// An event, task or journal that cannot be read.
struct RejectedComponent {
  var range: Range<Int>
  var line: Int
  var kind: ComponentKind
}

/// A component other than an event, task or journal.
struct OtherComponent {
  var range: Range<Int>
  var line: Int
  var calendar: Int
  var name: String
  /// Whether its END was found.
  var isWhole: Bool
}
