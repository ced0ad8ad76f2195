package import AgendaCore
internal import ICalendar
internal import Platform

extension CalendarFile {
  /// Notes on content that programs built on libical would refuse, lose or change. libical's line
  /// parser reads every component for this, so only a check of the whole file does it.
  package func libicalNotes() -> [Finding] {
    let components =
      stubs.map { Component(range: $0.range, line: Int($0.line), name: $0.kind.name) }
      + others.filter(\.isWhole).map { Component(range: $0.range, line: $0.line, name: $0.name) }
      + rejected.map { Component(range: $0.range, line: $0.line, name: $0.kind.name) }
    // Starting a thread takes as long as some hundred components.
    let count = max(1, min(Workers.usefulCount, components.count / 500))
    let parts = Workers.results(count) { number in
      let part = components.count * number / count..<components.count * (number + 1) / count
      return self.notes(of: components[part])
    }
    return Array(parts.joined().prefix(ScanResult.mostFindings))
  }

  private struct Component: Sendable {
    var range: Range<Int>
    var line: Int
    var name: String
  }

  private func notes(of components: ArraySlice<Component>) -> [Finding] {
    let bytes = text.bytes.bytes
    guard var check = LibicalCheck(isTime: { TimeText($0).map { $0.repair == nil } ?? false })
    else { return [] }
    var notes: [Finding] = []
    for component in components {
      let problems = check.problems(of: component.range, firstLine: component.line, in: bytes)
      guard !problems.isEmpty else { continue }
      let uid = uid(of: component, in: bytes)
      notes += problems.map { problem in
        .libical(problem.change).at(
          line: problem.line.line,
          place: 0..<min(problem.property.utf8.count, problem.line.end - problem.line.start),
          component: component.name, uid: uid, property: problem.property)
      }
      if notes.count > ScanResult.mostFindings { break }
    }
    return notes
  }

  private func uid(of component: Component, in bytes: Bytes) -> String? {
    let room = UnfoldingBuffer()
    var walk = ComponentWalk(component.range, line: component.line, of: bytes, room)
    while let (name, line, nameEnd) = walk.next() {
      guard name == .uid, walk.alarm == nil else { continue }
      let uid = room.text(PropertySlot(line: line, nameEnd: nameEnd), of: bytes).trimmed
      return uid.isEmpty ? nil : uid
    }
    return nil
  }
}
