package import AgendaCore
package import AgendaStore

extension SubscriptionRecord {
  package init(_ row: SubscriptionRow) {
    self.init()
    settings.timeout = row.timeout
    settings.maxSize = row.maxSize
    settings.certificates = row.certificates
    settings.passwordCommand = row.passwordCommand
    state.entityTag = row.entityTag
    state.lastModified = row.lastModified
    state.movedTo = row.movedTo
    state.lastAttempt = row.lastAttempt
    state.lastSuccess = row.lastSuccess
    if let reason = row.pauseReason.flatMap(Subscription.Pause.Reason.init),
      let end = row.pauseEnd
    {
      state.pause = Subscription.Pause(reason, until: end)
    }
    state.failure = row.failure
    state.failureCount = row.failureCount
    state.lastReport = row.lastReport
    state.size = row.size
    state.refreshInterval = row.refreshInterval
  }

  var row: SubscriptionRow {
    var row = SubscriptionRow()
    row.timeout = settings.timeout
    row.maxSize = settings.maxSize
    row.certificates = settings.certificates
    row.passwordCommand = settings.passwordCommand
    row.entityTag = state.entityTag
    row.lastModified = state.lastModified
    row.movedTo = state.movedTo
    row.lastAttempt = state.lastAttempt
    row.lastSuccess = state.lastSuccess
    row.pauseReason = state.pause?.reason.rawValue
    row.pauseEnd = state.pause?.end
    row.failure = state.failure
    row.failureCount = state.failureCount
    row.lastReport = state.lastReport
    row.size = state.size
    row.refreshInterval = state.refreshInterval
    return row
  }
}
