/// The problems of a source before an edit: those that the edited source may have too.
package struct KnownFindings {
  /// What a problem has in common with a known one, except for the values that a group lists.
  private struct Key: Hashable {
    let code: String
    let component: String?
    let property: String?
    let message: String
    let action: String
    let files: [String]

    init(_ finding: Finding) {
      code = finding.code
      component = finding.component
      property = finding.property
      message = finding.messageText.withoutListed
      action = finding.actionText.withoutListed
      files = finding.positions.files
    }
  }

  /// The known problems with the same key.
  private struct Group {
    var count = 0
    /// How many of them list each value.
    var values: [String: Int] = [:]
    var hasMoreValues = false

    func explains(_ finding: Finding) -> Bool {
      hasMoreValues
        || !finding.hasMoreValues && finding.listedValues.allSatisfy { values[$0] ?? 0 > 0 }
    }
  }

  private var groups: [Key: Group] = [:]

  package init(_ findings: [Finding] = []) {
    for finding in findings {
      let key = Key(finding)
      groups[key, default: Group()].count += 1
      for value in finding.listedValues { groups[key]?.values[value, default: 0] += 1 }
      if finding.hasMoreValues { groups[key]?.hasMoreValues = true }
    }
  }

  /// Whether the source had this problem: the same kind, with all of its values.
  package func contains(_ finding: Finding) -> Bool {
    groups[Key(finding)]?.explains(finding) ?? false
  }

  /// The same, but each known problem explains only one.
  package mutating func remove(_ finding: Finding) -> Bool {
    let key = Key(finding)
    guard let group = groups[key], group.explains(finding) else { return false }
    groups[key]?.count -= 1
    for value in finding.listedValues { groups[key]?.values[value, default: 0] -= 1 }
    if group.count == 1 { groups[key] = nil }
    return true
  }
}
