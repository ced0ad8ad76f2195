package import CivilTime

/// The row of an address: its settings, and how fetching it went.
package struct SubscriptionRow: Hashable, Sendable {
  package var timeout: Int?
  package var maxSize: Int?
  package var certificates: String?
  package var passwordCommand: String?
  package var entityTag: String?
  package var lastModified: String?
  package var movedTo: String?
  package var lastAttempt: Instant?
  package var lastSuccess: Instant?
  package var pauseReason: Int?
  package var pauseEnd: Instant?
  package var failure: String?
  package var failureCount = 0
  package var lastReport: Instant?
  package var size: Int?
  package var refreshInterval: Int?

  package init() {}
}

/// The table `subscription` has one row for each source that is an address; its id is the source's.
extension Store {
  /// The rows of the addresses of the store, by location.
  package func subscriptions() throws(StoreError) -> [String: SubscriptionRow] {
    let rows = try connection.statement(
      """
      SELECT \(Schema.subscription.columnList), location
      FROM subscription JOIN source ON source.id = subscription.id
      WHERE source.removed IS NULL
      """)
    var found: [String: SubscriptionRow] = [:]
    while try rows.step() {
      var row = SubscriptionRow()
      row.timeout = rows.optionalInteger("timeout")
      row.maxSize = rows.optionalInteger("max_size")
      row.certificates = rows.optionalText("certificates")
      row.passwordCommand = rows.optionalText("password_command")
      row.entityTag = rows.optionalText("entity_tag")
      row.lastModified = rows.optionalText("last_modified")
      row.movedTo = rows.optionalText("moved_to")
      row.lastAttempt = rows.optionalInstant("last_attempt")
      row.lastSuccess = rows.optionalInstant("last_success")
      row.pauseReason = rows.optionalInteger("pause_reason")
      row.pauseEnd = rows.optionalInstant("pause_end")
      row.failure = rows.optionalText("failure")
      row.failureCount = rows.integer("failure_count")
      row.lastReport = rows.optionalInstant("last_report")
      row.size = rows.optionalInteger("size")
      row.refreshInterval = rows.optionalInteger("refresh_interval")
      found[rows.text("location")] = row
    }
    return found
  }

  /// Writes the results of attempts without new content, all in one transaction.
  package func update(
    subscriptions rows: [(location: String, row: SubscriptionRow)]
  ) throws(StoreError) {
    guard !rows.isEmpty else { return }
    try connection.writing { () throws(StoreError) in
      for (location, row) in rows {
        if let source = try sourceID(at: location) { try write(row, source: source) }
      }
    }
  }

  func write(_ subscription: SubscriptionRow, source: Int) throws(StoreError) {
    var row = Row(columns: 16, key: key)
    row.add("timeout", subscription.timeout)
    row.add("max_size", subscription.maxSize)
    row.add("certificates", subscription.certificates)
    row.add("password_command", subscription.passwordCommand)
    row.add("entity_tag", subscription.entityTag)
    row.add("last_modified", subscription.lastModified)
    row.add("moved_to", subscription.movedTo)
    row.add("last_attempt", subscription.lastAttempt?.secondsSinceEpoch)
    row.add("last_success", subscription.lastSuccess?.secondsSinceEpoch)
    row.add("pause_reason", subscription.pauseReason)
    row.add("pause_end", subscription.pauseEnd?.secondsSinceEpoch)
    row.add("failure", subscription.failure)
    row.add("failure_count", subscription.failureCount)
    row.add("last_report", subscription.lastReport?.secondsSinceEpoch)
    row.add("size", subscription.size)
    row.add("refresh_interval", subscription.refreshInterval)
    try connection.run("DELETE FROM subscription WHERE id = ?1", source)
    try connection.insert(row, id: source, into: Schema.subscription)
  }
}
