import AgendaCore
import AgendaRendering
import CivilTime
import Foundation
import Testing

@Test("scratch") func scratch() throws {
  let s = try RenderingSample.fortnight()
  let e = ProcessInfo.processInfo.environment
  let l = e["L"] ?? "en_GB"
  var o = Agenda.Options(groupedBy: SectionKey(rawValue: e["G"] ?? "day") ?? .day)
  if e["ONCE"] != nil { o.once = true }
  let a = try s.agenda(options: o, locale: l)
  let w = DateWording(try LocaleData(l))
  let st = TextStyle(
    width: e["W"].flatMap(Int.init),
    color: e["C"] == "2" ? .full : e["C"] == "1" ? .indexed : .none,
    today: try RenderingSample.date("2026-11-23"), showsZones: e["Z"] != nil,
    calendarColors: ["work": "#FF0000", "home": "lightgreen"])
  print(
    text { sink in
      switch e["F"] {
      case "md":
        MarkdownFormat(w, contents: e["TOC"] != nil, details: s.detailsSource()).render(
          a, to: &sink)
      case "json": JSONFormat(details: s.detailsSource()).render(a, to: &sink)
      case "tsv": TSVFormat().render(a, to: &sink)
      default: TextFormat(w, style: st).render(a, to: &sink)
      }
    })
}
