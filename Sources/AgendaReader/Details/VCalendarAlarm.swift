internal import AgendaCore
internal import CivilTime
internal import ICalendar
internal import Recurrence

/// AALARM, DALARM, MALARM and PALARM of vCalendar 1.0: `20260706T084500;PT5M;2;Wake up`. The values
/// are the moment, the time to the next repetition, the number of repetitions, and the text or
/// sound. MALARM has an address and a text, PALARM a program, which `agenda` never starts.
///
/// The moment is usually that of the first occurrence. So the alarm counts from DTSTART if both are
/// local times of the same zone, and then also goes off for the other occurrences.
struct VCalendarAlarm {
  private let trigger: Alarm.Trigger
  private let interval: EventDuration?
  private let repetitions: Int
  /// The text, address or sound.
  let text: String?

  /// `nil` if the value does not begin with a date and time.
  init?(_ value: Bytes, start: TimeText?) {
    var fields: [Bytes] = []
    var index = 0
    // The text may contain semicolons.
    while fields.count < 3, index <= value.count {
      let end = value.index(of: 0x3B, from: index, to: value.count)
      fields.append(value.part(index, end).trimmed)
      index = end + 1
    }
    guard let moment = TimeText(fields[0]), moment.hasTime else { return nil }
    if let start, start.hasTime, start.isUTC == moment.isUTC {
      trigger = .fromStart(
        EventDuration(
          days: 0, seconds: moment.civil.civilSeconds - start.civil.civilSeconds))
    } else {
      trigger = .at(Instant(utc: moment.civil))
    }
    interval = fields.count > 1 ? DurationText(fields[1])?.duration : nil
    // Without an interval nothing says when the alarm would go off again (RFC 5545 3.8.6.2).
    let stated = fields.count > 2 && interval != nil ? Int(fields[2].text) ?? 0 : 0
    repetitions = min(max(0, stated), 1000)
    let rest = index < value.count ? PropertyValue.text(value.part(index, value.count)) : ""
    text = rest.isEmpty ? nil : rest
  }

  /// The corresponding action of iCalendar (RFC 2445 4.8.6.1).
  static func action(ofProperty name: Bytes) -> String {
    if name.isName("AALARM") { return "audio" }
    if name.isName("MALARM") { return "email" }
    return name.isName("PALARM") ? "procedure" : "display"
  }

  func alarm(action: String) -> Alarm {
    let description: String? =
      switch action {
      case "display": text
      case "email": mailText
      default: nil
      }
    return Alarm(
      action: action, trigger: trigger, repetitions: repetitions, interval: interval,
      description: description)
  }

  /// The address of a mail.
  var address: String? { text.map { String($0.prefix { $0 != ";" }).trimmed } }

  /// The text after the address.
  private var mailText: String? {
    guard let text, let end = text.firstIndex(of: ";") else { return nil }
    let rest = String(text[text.index(after: end)...])
    return rest.isEmpty ? nil : rest
  }
}
