internal import AgendaCore
internal import AgendaStore

extension Finding {
  /// `nil` for a kind that this version of agenda does not know.
  init?(_ stored: StoredFinding) {
    guard let kind = Kind(code: stored.kind, values: stored.values),
      let severity = Severity(rawValue: stored.severity)
    else { return nil }
    self.init(
      severity, kind, line: stored.line, place: stored.range, component: stored.component,
      uid: stored.uid, property: stored.property)
    count = stored.count
    laterLines = stored.laterLines
    otherValues = stored.otherValues
    hasMoreValues = stored.hasMoreValues
  }

  var stored: StoredFinding {
    StoredFinding(
      severity: severity.rawValue, line: line, range: place, component: component, uid: uid,
      property: property, kind: kind.code, values: kind.values, count: count,
      laterLines: laterLines, otherValues: otherValues, hasMoreValues: hasMoreValues)
  }
}
