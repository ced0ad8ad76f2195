public import AgendaCore

/// What came of reading or importing sources, for programs: one object for all of them.
public struct ReportFormat {
  public init() {}

  /// The reports in the order of their sources. `components` is always the sum of `added`, `updated`,
  /// `unchanged`, `superseded` and `rejected`.
  public func renderJSON(_ reports: [SourceReport], to sink: inout ByteSink) {
    sink.write("{\"version\":1,\"sources\":" as StaticString)
    sink.write(jsonArray: reports) { sink, report in
      sink.write("\n{\"source\":" as StaticString)
      sink.write(json: report.source)
      sink.write(",\"calendar\":" as StaticString)
      sink.write(json: report.calendar)
      sink.write(",\"formerCalendar\":" as StaticString)
      sink.write(json: report.formerCalendar)
      for (key, count) in [
        (",\"components\":" as StaticString, report.components), (",\"added\":", report.added),
        (",\"updated\":", report.updated), (",\"removed\":", report.removed),
        (",\"unchanged\":", report.unchanged), (",\"superseded\":", report.superseded),
        (",\"rejected\":", report.rejected),
      ] {
        sink.write(key)
        sink.write(count)
      }
      sink.write(",\"error\":" as StaticString)
      sink.write(json: report.error)
      sink.write(",\"problems\":" as StaticString)
      sink.write(jsonArray: report.problems) { sink, problem in
        sink.write("\n{" as StaticString)
        sink.write(jsonFieldsOf: problem.finding)
        // Of a folder: the source alone does not say where the line is.
        sink.write(",\"file\":" as StaticString)
        sink.write(json: problem.source == report.source ? nil : problem.source)
        sink.write(UInt8(ascii: "}"))
      }
      sink.write(UInt8(ascii: "}"))
    }
    sink.write("}\n" as StaticString)
  }
}
