package import AgendaCore
internal import CivilTime

/// The table `subscription` has one row for each source that is an address; its id is the source's.
extension Store {
  /// The records of the addresses of the store, by location.
  package func subscriptions() throws(StoreError) -> [String: SubscriptionRecord] {
    let rows = try connection.statement(
      """
      SELECT \(Schema.subscription.columnList), location
      FROM subscription JOIN source ON source.id = subscription.id
      WHERE source.removed IS NULL
      """)
    var records: [String: SubscriptionRecord] = [:]
    while try rows.step() {
      var record = SubscriptionRecord()
      record.settings.timeout = rows.optionalInteger("timeout")
      record.settings.maxSize = rows.optionalInteger("max_size")
      record.settings.certificates = rows.optionalText("certificates")
      record.settings.passwordCommand = rows.optionalText("password_command")
      record.state.entityTag = rows.optionalText("entity_tag")
      record.state.lastModified = rows.optionalText("last_modified")
      record.state.movedTo = rows.optionalText("moved_to")
      record.state.lastAttempt = rows.optionalInstant("last_attempt")
      record.state.lastSuccess = rows.optionalInstant("last_success")
      if let reason = rows.optionalInteger("pause_reason").flatMap(Subscription.Pause.Reason.init),
        let end = rows.optionalInstant("pause_end")
      {
        record.state.pause = Subscription.Pause(reason, until: end)
      }
      record.state.failure = rows.optionalText("failure")
      record.state.failureCount = rows.integer("failure_count")
      record.state.lastReport = rows.optionalInstant("last_report")
      record.state.size = rows.optionalInteger("size")
      record.state.refreshInterval = rows.optionalInteger("refresh_interval")
      records[rows.text("location")] = record
    }
    return records
  }

  /// The digest of the bytes from which the components of an address were read. `nil` if the store
  /// no longer has exactly this content, for example after `undo`. Then the request must not be
  /// conditional, because the answer could be "unchanged".
  package func contentDigest(
    location: String, interpretation: Int
  ) throws(StoreError) -> Int? {
    guard let source = try sourceRow(location: location),
      let revision = try revision(source: source.id, document: ""),
      revision.interpretation == interpretation
    else { return nil }
    return revision.digest
  }

  /// The report on an address whose server confirmed the content of the store. Nothing is written.
  package func confirmedReport(
    location: String, interpretation: Int
  ) throws(StoreError) -> ImportReport? {
    guard let source = try sourceRow(location: location),
      let revision = try revision(source: source.id, document: ""),
      revision.interpretation == interpretation, revision.digest != nil
    else { return nil }
    var report = ImportReport(source: location, calendar: source.calendarName)
    report.components = revision.components
    report.superseded = revision.superseded
    report.rejected = revision.rejected
    report.unchanged = revision.components - revision.superseded - revision.rejected
    report.findings = try findings(revision: revision.id).map {
      SourceFinding(source: "", finding: $0)
    }
    return report
  }

  /// The name of the calendar of a source; `nil` if the store does not have the source.
  package func calendar(ofSource location: String) throws(StoreError) -> String? {
    try sourceRow(location: location)?.calendarName
  }

  /// The source of that location, with its counts.
  package func source(at location: String) throws(StoreError) -> SourceSummary? {
    try calendars().lazy.flatMap(\.sources).first { $0.source.location == location }
  }

  /// Writes the results of attempts without new content, all in one transaction.
  package func update(
    subscriptions records: [(location: String, record: SubscriptionRecord)]
  ) throws(StoreError) {
    guard !records.isEmpty else { return }
    try connection.writing { () throws(StoreError) in
      for (location, record) in records {
        if let source = try sourceRow(location: location) {
          try write(subscription: record, source: source.id)
        }
      }
    }
  }

  func write(subscription record: SubscriptionRecord, source: Int) throws(StoreError) {
    let (settings, state) = (record.settings, record.state)
    var row = Row(columns: 16, key: key)
    row.add("timeout", settings.timeout)
    row.add("max_size", settings.maxSize)
    row.add("certificates", settings.certificates)
    row.add("password_command", settings.passwordCommand)
    row.add("entity_tag", state.entityTag)
    row.add("last_modified", state.lastModified)
    row.add("moved_to", state.movedTo)
    row.add("last_attempt", state.lastAttempt?.secondsSinceEpoch)
    row.add("last_success", state.lastSuccess?.secondsSinceEpoch)
    row.add("pause_reason", state.pause?.reason.rawValue)
    row.add("pause_end", state.pause?.end.secondsSinceEpoch)
    row.add("failure", state.failure)
    row.add("failure_count", state.failureCount)
    row.add("last_report", state.lastReport?.secondsSinceEpoch)
    row.add("size", state.size)
    row.add("refresh_interval", state.refreshInterval)
    try connection.run("DELETE FROM subscription WHERE id = ?1", source)
    try connection.insert(row, id: source, into: Schema.subscription)
  }
}
