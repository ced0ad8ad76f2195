internal import AgendaCore
internal import AgendaStore
internal import Recurrence

extension Finding {
  /// `nil` for a severity that this version of agenda does not know.
  init?(_ stored: StoredFinding) {
    guard let severity = Severity(rawValue: stored.severity) else { return nil }
    self = Finding(
      severity, stored.code, Sentence(stored.message, marks: stored.messageMarks),
      Sentence(stored.action, marks: stored.actionMarks)
    ).at(
      line: stored.line, place: stored.range, component: stored.component, uid: stored.uid,
      property: stored.property)
    count = stored.count
    laterLines = stored.laterLines
    otherValues = stored.otherValues
    hasMoreValues = stored.hasMoreValues
  }

  var stored: StoredFinding {
    StoredFinding(
      severity: severity.rawValue, line: line, range: place, component: component, uid: uid,
      property: property, code: code, message: messageText.text, messageMarks: messageText.marks,
      action: actionText.text, actionMarks: actionText.marks, count: count,
      laterLines: laterLines, otherValues: otherValues, hasMoreValues: hasMoreValues)
  }
}
