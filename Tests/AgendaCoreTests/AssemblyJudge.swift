/// What random components mean, by a reading of the decisions that looks at every component again for
/// every question. It shares nothing with the assembly.
struct AssemblyJudge {
  typealias Component = AssemblyOrderTests.Component
  typealias Slot = AssemblyOrderTests.Slot

  private let components: [Component]

  init(_ components: [Component]) { self.components = components }

  var shown: [String] { ["a", "b"].flatMap(shown).sorted() }

  /// Something that takes place, with the version that decides about messages.
  private struct Shown {
    var component: Component
    /// RECURRENCE-ID.
    var occurrence: Slot
    var at: Slot
    var title: String
    var isCancelled = false
    var answers: [String: String]
  }

  private func shown(in calendar: String) -> [String] {
    let own = components.filter { isIn(calendar, $0) }
    let versions = own.filter { $0.role == .series }
    let series = versions.max { isNewer($1, than: $0) }
    let messages = components.filter {
      ![.series, .override, .add].contains($0.role) && ($0.isMail || $0.calendar == calendar)
    }
    let replacing = own.filter { $0.role == .override || $0.role == .add }
    // One occurrence is replaced once.
    let overrides = Set(replacing.compactMap(\.occurrence)).compactMap { occurrence in
      replacing.filter { $0.occurrence == occurrence }.max { isNewer($1, than: $0) }
    }.filter { !isStale($0, series) }
    let dates = series.map(dates) ?? []
    var shown: [Shown] = overrides.compactMap { override in
      guard let occurrence = override.occurrence else { return nil }
      let isCancelled = messages.contains { message in
        message.role == .cancel && !isOlder(message, than: override)
          && (message.occurrence == nil || isAbout(message, occurrence, series))
      }
      return Shown(
        component: override, occurrence: occurrence,
        at: Slot(day: occurrence.day, hour: override.hour), title: override.title,
        isCancelled: isCancelled,
        answers: answers(
          of: override,
          messages.filter { message in
            isAbout(message, occurrence, series)
              && (message.occurrence == occurrence || names(message, dates, overrides))
          }))
    }
    if let series {
      let isWholeCancelled = messages.contains {
        $0.role == .cancel && $0.occurrence == nil && !isOlder($0, than: series)
      }
      let answersOfSeries = answers(of: series, messages.filter { $0.occurrence == nil })
      for date in dates where !overrides.contains(where: { $0.occurrence == date }) {
        let about = messages.filter { message in
          isAbout(message, date, series)
            && (message.role == .cancel || message.occurrence == date
              || names(message, dates, overrides))
        }
        // The cancellation of one occurrence says more about it than one of all that follow, and of
        // these the last one.
        func first(_ message: Component) -> (Int, Slot) {
          guard message.includesFollowing, let named = message.occurrence else { return (1, date) }
          return (0, dates.first { $0 >= named } ?? named)
        }
        let cancellation = about.filter { $0.role == .cancel && !isOlder($0, than: series) }
          .max { one, other in
            if first(one) != first(other) { return first(one) < first(other) }
            return (one.sequence, one.stamp ?? .min, one.title)
              < (other.sequence, other.stamp ?? .min, other.title)
          }
        let decisive = cancellation ?? series
        let invited = series.answers
        let given = answered(invited, decisive, about)
        let title = cancellation.map { $0.title.isEmpty ? series.title : $0.title }
        shown.append(
          Shown(
            component: series, occurrence: date, at: date, title: title ?? series.title,
            isCancelled: cancellation != nil,
            answers: answersOfSeries.merging(given) { $1 }))
      }
      // A cancelled series has no other occurrences.
      if isWholeCancelled { for index in shown.indices { shown[index].isCancelled = true } }
    }
    let hides = messages.filter { $0.role == .hide }
    let visible = shown.filter { !isHidden($0, hides, dates, overrides, series) }
    return visible.map { event in
      let answers = AssemblyOrderTests.people.map { "\($0):\(event.answers[$0] ?? "")" }
      let hour = "\(event.at.hour < 10 ? "0" : "")\(event.at.hour)"
      let parts = [
        calendar, "01-0\(event.at.day)", hour, event.title, event.isCancelled ? "cancelled" : "",
      ]
      return (parts.filter { !$0.isEmpty } + answers).joined(separator: " ")
    }
  }

  /// Whether a message names an occurrence, or one before it and all that follow.
  private func isAbout(_ message: Component, _ occurrence: Slot, _ series: Component?) -> Bool {
    guard let named = message.occurrence else { return false }
    if message.includesFollowing, series != nil { return named <= occurrence }
    return named == occurrence
  }

  /// Whether the occurrence that a message names exists.
  private func names(_ message: Component, _ dates: [Slot], _ overrides: [Component]) -> Bool {
    guard let named = message.occurrence else { return false }
    return dates.contains(named) || overrides.contains { $0.occurrence == named }
  }

  /// An addition by mail is in the calendar of the newest series.
  private func isIn(_ calendar: String, _ component: Component) -> Bool {
    guard component.role == .add, component.isMail else { return component.calendar == calendar }
    let newest = components.filter { $0.role == .series }.max { isNewer($1, than: $0) }
    return (newest ?? component).calendar == calendar
  }

  private func isNewer(_ one: Component, than other: Component) -> Bool {
    (one.sequence, one.stamp ?? .min) > (other.sequence, other.stamp ?? .min)
  }

  private func isOlder(_ message: Component, than version: Component) -> Bool {
    if message.sequence != version.sequence { return message.sequence < version.sequence }
    guard let stamp = message.stamp, let other = version.stamp else { return false }
    return stamp < other
  }

  private func dates(_ series: Component) -> [Slot] {
    (1...series.count).map { Slot(day: $0, hour: AssemblyOrderTests.hour(series.sequence)) }
      .filter { $0 != series.excluded }
  }

  private func isStale(_ override: Component, _ series: Component?) -> Bool {
    guard let series, let occurrence = override.occurrence, override.role == .override,
      override.sequence < series.sequence
    else { return false }
    return !dates(series).contains(occurrence)
  }

  private func answers(of event: Component, _ messages: [Component]) -> [String: String] {
    event.answers.merging(answered(event.answers, event, messages)) { $1 }
  }

  /// The answers that count.
  private func answered(
    _ invited: [String: String], _ version: Component, _ messages: [Component]
  ) -> [String: String] {
    var answers: [String: String] = [:]
    for name in AssemblyOrderTests.people {
      let counting = messages.filter { reply in
        guard reply.role == .reply, let answer = reply.answers[name],
          reply.sequence >= version.sequence
        else { return false }
        return !isOlder(reply, than: version) || invited[name] == "needs-action"
          || invited[name] == answer
      }
      let newest = counting.max {
        ($0.sequence, $0.stamp ?? .min, $0.answers[name] ?? "")
          < ($1.sequence, $1.stamp ?? .min, $1.answers[name] ?? "")
      }
      if let newest { answers[name] = newest.answers[name] }
    }
    return answers
  }

  private func isHidden(
    _ event: Shown, _ hides: [Component], _ dates: [Slot], _ overrides: [Component],
    _ series: Component?
  ) -> Bool {
    hides.contains { hide in
      guard let occurrence = hide.occurrence else { return true }
      if event.occurrence == occurrence { return true }
      guard hide.includesFollowing, series != nil,
        dates.contains(occurrence) || overrides.contains(where: { $0.occurrence == occurrence })
      else { return false }
      return event.occurrence > occurrence
    }
  }
}
