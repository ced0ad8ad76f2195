internal import AgendaCore
internal import AgendaRendering
internal import CivilTime

/// The result of reading or importing a source, in one line for people.
struct ReportText {
  /// The form of the counts: an import has done it, a check or a dry run would do it.
  enum Manner {
    case done, wouldBe
  }

  let manner: Manner
  var now: Instant?
  /// The zone in which days begin.
  var zone: Zone?
  /// The words for dates and times.
  var wording = DateWording(.plain)

  /// `work.ics: 120 components, 2 journals, calendar work: 117 added, 1 superseded, 2 rejected`
  func summary(_ report: SourceReport) -> String {
    if let error = error(of: report) { return "\(report.source): refused: \(error)" }
    if let pause = report.remote?.pause { return paused(report, pause) }
    var counts: [String] = []
    for (count, done, wouldBe) in [
      (report.added, "added", "to add"), (report.updated, "updated", "to update"),
      (report.removed, "removed", "to remove"), (report.unchanged, "unchanged", "unchanged"),
      (report.superseded, "superseded", "superseded"), (report.rejected, "rejected", "rejected"),
    ] where count > 0 {
      counts.append("\(count) \(manner == .done ? done : wouldBe)")
    }
    var parts = [
      (report.components, "component", "components"), (report.journals, "journal", "journals"),
      (report.freeBusy, "free/busy component", "free/busy components"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }
    if parts.isEmpty { parts = ["0 components"] }
    var calendar =
      report.calendars.count > 1
      ? ", calendars \(report.calendars.joined(separator: ", "))"
      : report.calendar.map { ", calendar \($0)" } ?? ""
    if let previous = report.previousCalendar {
      calendar += manner == .done ? " (moved from \(previous))" : " (to move from \(previous))"
    }
    let summary = "\(report.source): \(parts.joined(separator: ", "))\(calendar)"
    if let exchange = report.exchange {
      counts += [
        (exchange.sent, "sent"), (exchange.waiting, "waiting to be sent"),
        (exchange.conflicts, exchange.conflicts == 1 ? "conflict" : "conflicts"),
      ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    }
    // The counts are those of the components.
    if report.components == 0, counts.isEmpty, report.journals + report.freeBusy > 0 {
      return summary
    }
    return "\(summary): " + (counts.isEmpty ? "nothing to do" : counts.joined(separator: ", "))
  }

  /// `work: not found (404) at https://example.com/…#f665; keeping 212 events as of Friday`
  func failure(_ report: SourceReport) -> String {
    let error = error(of: report) ?? ""
    var parts =
      report.remote == nil
      ? ["\(report.source): \(error)"]
      : ["\(report.calendar ?? report.source): \(error) at \(report.source)"]
    if let advice = advice(on: report) { parts.append(advice) }
    if let kept = report.kept, kept.count > 0 {
      let since = kept.since.map { " as of \(day(of: $0))" } ?? ""
      parts.append("keeping \(kept.count) \(kept.count == 1 ? "event" : "events")\(since)")
    }
    return parts.joined(separator: "; ")
  }

  /// The same for programs.
  var format: ReportFormat {
    ReportFormat(
      zone: zone ?? .utc, error: error(of:), advice: advice(on:), action: ErrorWording.action(of:))
  }

  /// Why a source was refused or could not be read.
  func error(of report: SourceReport) -> String? {
    if case .rejectedComponents(let count) = report.refusal {
      return "rejected components: \(count), and --strict is set"
    }
    return report.error
  }

  /// What the user can do about an error or a pause.
  func advice(on report: SourceReport) -> String? {
    guard let pause = report.remote?.pause else {
      return advice(onRefusal: report.refusal) ?? report.remedy.map { advice($0) }
    }
    return report.error == nil ? Self.force : "asked again after \(time(pause.end)); \(Self.force)"
  }

  private func advice(onRefusal refusal: SourceRefusal?) -> String? {
    switch refusal {
    case .shrunk(_, 0): "--allow-shrink removes them from the store"
    case .shrunk(let before, let after):
      "--allow-shrink removes the other \(before - after) from the store"
    case .rejectedComponents, nil: nil
    }
  }

  private func advice(_ remedy: SourceRemedy) -> String {
    switch remedy {
    case .remove(let location): "agenda remove --source '\(location)' removes it from the store"
    case .removeCalendar(let name): "agenda remove --calendar '\(name)' removes it from the store"
    case .moveOut(let name, let count):
      "\(count == 1 ? "1 entry" : "\(count) entries") of it \(count == 1 ? "was" : "were") changed "
        + "here and never sent: agenda edit REF --calendar NAME moves one to another calendar, "
        + "agenda export '\(name)' saves all"
    case .beginCalendar(let path): "agenda add --calendar '\(path)' begins a calendar there"
    case .nameUser: "--user NAME, with --password-command or a typed password"
    case .chooseUser: "--user NAME chooses one"
    case .chooseCalendars: "--only NAME chooses one"
    case .checkStore: "see agenda doctor"
    case .words(let words): words
    }
  }

  private static let force = "agenda refresh --force fetches it now"

  private func time(_ instant: Instant) -> String { instant.rfc3339(in: zone ?? Zone.utc) }

  private func paused(_ report: SourceReport, _ pause: SourceReport.Pause) -> String {
    let name = "\(report.calendar ?? report.source): \(report.source)"
    return "\(name): not fetched before \(time(pause.end)): \(pause.reason); \(Self.force)"
  }

  /// `today`, `yesterday`, `Friday`, `Fri, 6 Nov 2026`.
  private func day(of instant: Instant) -> String {
    let zone = zone ?? Zone.utc
    let date = zone.civil(at: instant).date
    guard let now else { return wording.shortDate(date) }
    let today = zone.civil(at: now).date
    if let name = wording.relativeDay(date, today: today) { return name }
    return (2...6).contains(date.days(until: today))
      ? wording.weekdayName(date.weekday) : wording.shortDate(date)
  }
}
