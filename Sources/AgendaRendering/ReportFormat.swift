public import AgendaCore
package import CivilTime

/// The result of reading or importing sources, for programs: one object for all of them.
public struct ReportFormat {
  private let zone: Zone
  private let error: (SourceReport) -> String?
  private let advice: (SourceReport) -> String?
  private let action: (Finding) -> String

  /// - Parameters:
  ///   - zone: The zone of times.
  ///   - error: Why a source was refused.
  ///   - advice: What the user can do about an error or a pause.
  ///   - action: What was done about a problem.
  package init(
    zone: Zone = .utc, error: @escaping (SourceReport) -> String?,
    advice: @escaping (SourceReport) -> String?, action: @escaping (Finding) -> String
  ) {
    self.zone = zone
    self.error = error
    self.advice = advice
    self.action = action
  }

  /// The reports in the order of their sources. `components` is always the sum of `added`, `updated`,
  /// `unchanged`, `superseded` and `rejected`.
  public func renderJSON(_ reports: [SourceReport], to sink: inout ByteSink) {
    sink.beginObject()
    sink.field("version", 1)
    sink.array("sources", reports) { sink, report in
      sink.write("\n")
      sink.beginObject()
      sink.field("source", report.source)
      sink.field("calendar", report.calendar)
      sink.array("calendars", report.calendars) { $0.write(json: $1) }
      sink.field("previousCalendar", report.previousCalendar)
      sink.field("components", report.components)
      sink.field("added", report.added)
      sink.field("updated", report.updated)
      sink.field("removed", report.removed)
      sink.field("unchanged", report.unchanged)
      sink.field("superseded", report.superseded)
      sink.field("rejected", report.rejected)
      sink.field("journals", report.journals)
      sink.field("freeBusy", report.freeBusy)
      sink.field("error", error(report))
      sink.field("advice", advice(report))
      if let exchange = report.exchange {
        sink.field("sent", exchange.sent)
        sink.field("received", exchange.received)
        sink.field("waiting", exchange.waiting)
        sink.field("conflicts", exchange.conflicts)
      }
      let pause = report.remote?.pause
      sink.field("pausedUntil", pause?.end.rfc3339(in: zone))
      sink.field("pauseReason", pause?.reason)
      sink.array("problems", report.problems) { sink, problem in
        sink.write("\n")
        sink.beginObject()
        sink.write(jsonFieldsOf: problem.finding, action: action(problem.finding))
        // The file of a folder that contains the lines, and the number of files with the problem.
        sink.field("file", problem.source == report.source ? nil : problem.source)
        sink.field("files", problem.finding.fileCount)
        sink.endObject()
      }
      sink.endObject()
    }
    sink.endObject()
    sink.write("\n" as StaticString)
  }
}
