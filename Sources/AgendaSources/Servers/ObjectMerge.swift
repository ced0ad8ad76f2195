internal import ICalendar

/// Merges two versions of a calendar object that both began as the same one: changes of different
/// properties and of different occurrences. What both changed in different ways is a conflict.
struct ObjectMerge {
  enum Outcome {
    case merged([UInt8])
    case conflict
  }

  private let base: ObjectText
  private let mine: ObjectText
  private let theirs: ObjectText

  static func merge(base: [UInt8], mine: [UInt8], theirs: [UInt8]) -> Outcome {
    let merge = ObjectMerge(
      base: ObjectText(base), mine: ObjectText(mine), theirs: ObjectText(theirs))
    do throws(Conflict) {
      return .merged(try merge.run())
    } catch {
      return .conflict
    }
  }

  /// Whether the server has stored what was sent: each change between `base` and `sent` is in `theirs`,
  /// which can have more lines.
  static func hasTaken(_ sent: [UInt8], base: [UInt8]?, theirs: [UInt8]) -> Bool {
    let (sent, theirs) = (ObjectText(sent), ObjectText(theirs))
    guard let base else {
      return sent.order.allSatisfy { key in
        guard let stored = theirs.components[key] else { return false }
        return sent.components[key].map { component in
          component.comparable.keys.allSatisfy {
            ObjectText.stamps.contains($0) || component.hasSame($0, as: stored)
          }
        } ?? false
      }
    }
    let changes = sent.differences(from: ObjectText(base))
    return !changes.isEmpty
      && changes.allSatisfy { key, name in
        guard let component = sent.components[key] else { return theirs.components[key] == nil }
        return theirs.components[key].map { component.hasSame(name, as: $0) } ?? false
      }
  }

  private struct Conflict: Error {}

  /// Properties of which each line is a fact of its own: excluded and added dates, and people.
  private static let lists: Set<String> = ["EXDATE", "RDATE", "ATTENDEE"]
  private static let dates: Set<String> = ["EXDATE", "RDATE"]
  private static let lengths: Set<String> = ["DTEND", "DURATION"]
  /// Together they decide when the event takes place.
  private static let times: Set<String> = [
    "DTSTART", "DTEND", "DURATION", "DUE", "RRULE", "RDATE", "EXDATE",
  ]

  private func run() throws(Conflict) -> [UInt8] {
    try checkSeries()
    var edits: [(range: Range<Int>, text: [UInt8])] = []
    var added: [UInt8] = []
    let keys = theirs.order + mine.order.filter { theirs.components[$0] == nil }
    for key in keys {
      let (old, own, other) = (
        base.components[key], mine.components[key], theirs.components[key]
      )
      switch (own, other) {
      case (let own?, let other?):
        let text = try merged(old, own, other)
        if text != other.text.bytes { edits.append((other.range, text)) }
      case (let own?, nil):
        // They removed it, or this side added it.
        if let old {
          guard Self.isSame(old, own) else { throw Conflict() }
        } else {
          added += own.text.bytes.withoutLineEnd + own.text.lineEnd
        }
      case (nil, let other?):
        guard let old else { continue }
        guard Self.isSame(old, other) else { throw Conflict() }
        edits.append((other.range, []))
      case (nil, nil): continue
      }
    }
    var result: [UInt8] = []
    var position = 0
    let zones = mine.zones.filter { theirs.zones[$0.key] == nil }.sorted { $0.key < $1.key }
      .flatMap(\.value)
    let lineEnd = ComponentText(theirs.bytes).lineEnd
    edits.append((theirs.firstComponent..<theirs.firstComponent, zones.withLineEnds(lineEnd)))
    edits.append((theirs.end..<theirs.end, added.withLineEnds(lineEnd)))
    for edit in edits.sorted(by: {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }) {
      result += theirs.bytes[position..<edit.range.lowerBound]
      result += edit.text
      position = edit.range.upperBound
    }
    result += theirs.bytes[position...]
    let merged = ObjectText(result)
    // An object without any event is none. One side changed an occurrence that the other one removed.
    guard !merged.order.isEmpty,
      merged.excludedOverrides.isSubset(
        of: mine.excludedOverrides.union(theirs.excludedOverrides))
    else { throw Conflict() }
    return result
  }

  /// Overrides belong to the dates of their series: a side that moves the series and one that changes
  /// single occurrences do not fit together.
  private func checkSeries() throws(Conflict) {
    let moved = (moves(mine), moves(theirs))
    guard moved.0 || moved.1 else { return }
    if moved.0, changesOccurrences(theirs) || moved.1 && !hasSameTimes() { throw Conflict() }
    if moved.1, changesOccurrences(mine) { throw Conflict() }
  }

  private func moves(_ side: ObjectText) -> Bool {
    base.order.contains { key in
      guard key.occurrence == nil, let old = base.components[key],
        let new = side.components[key]
      else { return false }
      return ["DTSTART", "RRULE"].contains { !old.hasSame($0, as: new) }
    }
  }

  private func hasSameTimes() -> Bool {
    mine.order.filter { $0.occurrence == nil }.allSatisfy { key in
      guard let own = mine.components[key] else { return true }
      return Self.times.allSatisfy { own.hasSame($0, as: theirs.components[key]) }
    }
  }

  private func changesOccurrences(_ side: ObjectText) -> Bool {
    Set(side.order).union(base.order).contains { key in
      guard key.occurrence != nil else { return false }
      guard let old = base.components[key], let new = side.components[key] else {
        return base.components[key] != nil || side.components[key] != nil
      }
      return !Self.isSame(old, new)
    }
  }

  private static func isSame(
    _ one: ObjectText.Component, _ other: ObjectText.Component
  ) -> Bool {
    let names = Set(one.comparable.keys).union(other.comparable.keys)
    return names.subtracting(ObjectText.stamps).allSatisfy { one.hasSame($0, as: other) }
  }

  // MARK: Properties

  private func merged(
    _ old: ObjectText.Component?, _ own: ObjectText.Component, _ other: ObjectText.Component
  ) throws(Conflict) -> [UInt8] {
    let names = Set(own.comparable.keys).union(other.comparable.keys)
      .union(old?.comparable.keys.map(\.self) ?? []).subtracting(ObjectText.stamps)
    var ownChanges: Set<String> = []
    var otherChanges: Set<String> = []
    for name in names where !own.hasSame(name, as: other) {
      if !own.hasSame(name, as: old) { ownChanges.insert(name) }
      if !other.hasSame(name, as: old) { otherChanges.insert(name) }
    }
    if ownChanges.isEmpty { return other.text.bytes }
    let (ownTimes, otherTimes) = (
      ownChanges.intersection(Self.times), otherChanges.intersection(Self.times)
    )
    if !ownTimes.isEmpty, !otherTimes.isEmpty {
      let fit =
        ownTimes.isSubset(of: Self.dates)
        && otherTimes.isSubset(of: Self.dates.union(Self.lengths))
        || otherTimes.isSubset(of: Self.dates)
          && ownTimes.isSubset(of: Self.dates.union(Self.lengths))
      guard fit else { throw Conflict() }
    }
    var edits: [PropertyEdit] = []
    var alarms: [[[UInt8]]]?
    for name in ownChanges.sorted() {
      if name == "VALARM" {
        guard !otherChanges.contains(name) else { throw Conflict() }
        alarms = own.alarms
        continue
      }
      let lines =
        otherChanges.contains(name)
        ? try Self.merged(
          name, old?.lines[name] ?? [], own.lines[name] ?? [], other.lines[name] ?? [])
        : own.lines[name] ?? []
      guard let edit = PropertyEdit(name, lines: lines.map(Self.withUpperName)) else {
        throw Conflict()
      }
      edits.append(edit)
    }
    for name in ["DTSTAMP", "LAST-MODIFIED", "SEQUENCE"] {
      let newest = [own.lines[name]?.last, other.lines[name]?.last].compactMap(\.self)
        .max { Self.order(of: $0, before: $1) }
      if let newest, let edit = PropertyEdit(name, lines: [Self.withUpperName(newest)]) {
        edits.append(edit)
      }
    }
    let text = other.text.applying(edits)
    guard let alarms else { return text }
    return ComponentText(text).adding(alarms: alarms, removingOthers: true)
  }

  private static func withUpperName(_ line: [UInt8]) -> [UInt8] {
    let name = line.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") }
    return name.map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 } + line[name.endIndex...]
  }

  /// Numbers and moments, by their values.
  private static func order(of one: [UInt8], before other: [UInt8]) -> Bool {
    let (one, other) = (PropertyLine(one).value, PropertyLine(other).value)
    return one.count == other.count
      ? one.lexicographicallyPrecedes(other) : one.count < other.count
  }

  /// Lines that both sides added, without those that one of them removed.
  private static func merged(
    _ name: String, _ old: [[UInt8]], _ own: [[UInt8]], _ other: [[UInt8]]
  ) throws(Conflict) -> [[UInt8]] {
    guard lists.contains(name) else { throw Conflict() }
    let (old, own, other) = (split(name, old), split(name, own), split(name, other))
    var result: [[UInt8]] = []
    var seen: Set<String> = []
    for key in other.map(\.key) + own.map(\.key) where seen.insert(key).inserted {
      func line(_ side: [(key: String, line: [UInt8])]) -> [UInt8]? {
        side.first { $0.key == key }?.line
      }
      func text(_ line: [UInt8]?) -> String? { line.map { PropertyLine($0).comparable } }
      let (before, ours, others) = (line(old), line(own), line(other))
      if text(ours) == text(others) || text(ours) == text(before) {
        if let others { result.append(others) }
      } else if text(others) == text(before) {
        if let ours { result.append(ours) }
      } else {
        throw Conflict()
      }
    }
    return result
  }

  /// Each date or person with what identifies it.
  private static func split(
    _ name: String, _ lines: [[UInt8]]
  ) -> [(key: String, line: [UInt8])] {
    lines.flatMap { line -> [(key: String, line: [UInt8])] in
      let property = PropertyLine(line)
      guard dates.contains(name) else {
        return [(String(decoding: property.value, as: UTF8.self).lowercased(), line)]
      }
      return property.value.split(separator: UInt8(ascii: ",")).map { value in
        var single = property
        single.value = Array(value)
        return (single.comparable, single.content)
      }
    }
  }
}
