package import AgendaCore
package import CivilTime

/// An agenda by a template: one line per entry. Values of several lines become one line, and
/// characters that a terminal would act on are left out, as in text.
package struct TemplateFormat {
  private let template: EntryTemplate
  private let wording: DateWording
  private let now: Instant
  private let details: (EventReference) -> EventDetails
  /// The zone of `alsoStart` and `alsoEnd`.
  private let secondZone: Zone?

  package init(
    _ template: EntryTemplate, _ wording: DateWording, now: Instant, secondZone: Zone? = nil,
    details: @escaping (EventReference) -> EventDetails
  ) {
    self.template = template
    self.wording = wording
    self.now = now
    self.details = details
    self.secondZone = secondZone
  }

  package func render(_ agenda: Agenda, to sink: inout ByteSink) {
    var fields: [(field: EntryField, pattern: TimePattern?)] = []
    var texts = [""]
    for part in template.parts {
      switch part {
      case .text(let text): texts[fields.count] += text
      case .field(let field):
        fields.append((field, nil))
        texts.append("")
      case .time(let field, let pattern):
        fields.append((field, pattern))
        texts.append("")
      }
    }
    texts[fields.count] += "\n"
    let patterns = fields.map(\.pattern)
    var writer = EntryWriter(
      fields.map(\.field), between: texts,
      FieldContext(zone: agenda.window.zone, secondZone: secondZone, now: now), details: details
    ) { [wording] value, number, sink in
      switch (value, patterns[number]) {
      case (.time(.date(let date), _), let pattern?):
        sink.write(SafeText.line(wording.text(pattern, date: date)))
      case (.time(.moment(let moment), let zone), let pattern?):
        sink.write(SafeText.line(wording.text(pattern, moment: moment, zone: zone)))
      case (.length(let seconds), _):
        sink.write(SafeText.line(wording.duration(seconds: seconds)))
      default: sink.write(line: value) { text, sink in sink.write(SafeText.line(text)) }
      }
    }
    for section in agenda.sections {
      if sink.hasFailed { return }
      writer.write(section, to: &sink)
    }
  }
}
