internal import ICalendar

/// A calendar object (RFC 4791, section 4.1) in its parts, for comparing and merging versions of it.
///
/// Servers change the order of lines, their folds and line ends, and the order of parameters. Lines are
/// equal here if they mean the same.
struct ObjectText {
  let bytes: [UInt8]
  /// Its events and tasks: the series and its overrides.
  private(set) var components: [Key: Component] = [:]
  private(set) var order: [Key] = []
  /// The VTIMEZONEs by TZID, as written.
  private(set) var zones: [String: [UInt8]] = [:]
  /// Where the first component begins, and where VCALENDAR ends.
  private(set) var firstComponent: Int
  private(set) var end: Int

  /// Identifies a component in all versions of the object.
  struct Key: Hashable {
    let kind: String
    let uid: String
    /// The value of RECURRENCE-ID with its zone; `nil` for the series.
    let occurrence: String?
    /// Tells equal components apart.
    var number = 0
  }

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    let lines = ComponentText(bytes).lines
    end = lines.last { $0.depth == 1 && $0.isProperty("END") }?.range.lowerBound ?? bytes.count
    firstComponent = end
    var begin: ComponentText.Line?
    for line in lines where line.depth == 2 {
      if line.isProperty("BEGIN"), begin == nil { begin = line }
      guard line.isProperty("END"), let first = begin else { continue }
      begin = nil
      add(first, range: first.range.lowerBound..<line.range.upperBound)
    }
  }

  private mutating func add(_ first: ComponentText.Line, range: Range<Int>) {
    let kind = String(decoding: PropertyLine(first.content).value, as: UTF8.self).uppercased()
    let text = ComponentText(Array(bytes[range]))
    guard kind != "VTIMEZONE" else {
      let name = text.own("TZID").first.map {
        String(decoding: PropertyLine($0.content).value, as: UTF8.self)
      }
      if let name { zones[name] = text.bytes }
      return
    }
    firstComponent = min(firstComponent, range.lowerBound)
    func value(_ name: StaticString) -> PropertyLine? {
      text.own(name).first.map { PropertyLine($0.content) }
    }
    let occurrence = value("RECURRENCE-ID").map {
      "\($0["TZID"] ?? ""):\(String(decoding: $0.value, as: UTF8.self))"
    }
    var key = Key(
      kind: kind, uid: value("UID").map { String(decoding: $0.value, as: UTF8.self) } ?? "",
      occurrence: occurrence)
    while components[key] != nil { key.number += 1 }
    components[key] = Component(text, range: range)
    order.append(key)
  }

  /// A component of an object.
  struct Component {
    let text: ComponentText
    let range: Range<Int>
    /// The content lines of each property, and those of all alarms together as `VALARM`.
    private(set) var lines: [String: [[UInt8]]] = [:]
    /// The same for comparing, sorted.
    private(set) var comparable: [String: [String]] = [:]
    /// The alarms, each as content lines.
    private(set) var alarms: [[[UInt8]]] = []

    init(_ text: ComponentText, range: Range<Int>) {
      self.text = text
      self.range = range
      var inner: [[UInt8]] = []
      for line in text.lines {
        if line.depth > 1 {
          inner.append(line.content)
          if line.depth == 2, line.isProperty("END") {
            alarms.append(inner)
            inner = []
          }
          continue
        }
        if line.isProperty("BEGIN") || line.isProperty("END") { continue }
        let property = PropertyLine(line.content)
        lines[property.name, default: []].append(line.content)
        comparable[property.name, default: []].append(property.comparable)
      }
      if !alarms.isEmpty {
        comparable["VALARM"] = alarms.map { lines in
          lines.map { PropertyLine($0).comparable }.sorted().joined(separator: "\n")
        }
      }
      for (name, values) in comparable { comparable[name] = values.sorted() }
    }

    /// What a property has, as people read it; `nil` without it.
    func value(of name: String) -> String? {
      guard let lines = lines[name] else {
        return comparable[name].map { $0.joined(separator: "\n") }
      }
      return lines.map { String(decoding: PropertyLine($0).value, as: UTF8.self) }
        .joined(separator: "\n")
    }

    func hasSame(_ name: String, as other: Component?) -> Bool {
      comparable[name] == other?.comparable[name]
    }
  }

  /// The overrides of occurrences that an EXDATE of their series removes.
  var excludedOverrides: Set<Key> {
    let excluded = order.filter { $0.occurrence == nil }.flatMap { key in
      (components[key]?.lines["EXDATE"] ?? []).flatMap { line in
        PropertyLine(line).value.split(separator: UInt8(ascii: ",")).map {
          String(decoding: $0, as: UTF8.self)
        }
      }
    }
    return Set(
      order.filter { key in
        guard let occurrence = key.occurrence else { return false }
        return excluded.contains { occurrence.hasSuffix(":\($0)") }
      })
  }

  /// Properties that only describe a version, not the event.
  static let stamps: Set<String> = ["DTSTAMP", "LAST-MODIFIED", "CREATED", "SEQUENCE"]

  /// Whether two objects mean the same.
  static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    if one == other { return true }
    return ObjectText(one).differences(from: ObjectText(other)).isEmpty
  }

  /// The properties of both that differ, by component.
  func differences(from other: ObjectText) -> [(key: Key, name: String)] {
    let keys = order + other.order.filter { components[$0] == nil }
    return keys.flatMap { key -> [(key: Key, name: String)] in
      let (own, others) = (components[key], other.components[key])
      let names = Set(own?.comparable.keys.map(\.self) ?? [])
        .union(others?.comparable.keys.map(\.self) ?? [])
      return names.subtracting(Self.stamps).sorted().filter { name in
        own?.comparable[name] != others?.comparable[name]
      }.map { (key, $0) }
    }
  }
}
