// Sections by month. The identifier of a month is year × 1000 + month: it sorts as a number, and its
// title is made of it. It is computed once for an entry, and again when the entry's time changes.
//
//     swift run SectionTitles

import AgendaKit

/// The date does not exist.
struct InvalidDate: Error {}

/// An event on one day of 2026.
func event(_ name: String, _ month: Int, _ day: Int) throws -> Event {
  guard let date = CivilDate(year: 2026, month: month, day: day) else { throw InvalidDate() }
  return Event(uid: name, title: name, start: .date(date), calendar: "example")
}

var events = try [
  event("Choir", 10, 29), event("Dentist", 11, 5), event("Concert", 12, 20),
  event("Party", 12, 31),
]
guard let first = CivilDate(year: 2026, month: 1, day: 1) else { throw InvalidDate() }
let window = DateWindow.year(from: first, in: .utc)

let wording = DateWording(try LocaleData("en_GB"))
let layout = SectionLayout(
  sectionedBy: { entry in
    print("computed for \(entry.title)")
    return entry.date.year * 1000 + entry.date.month
  },
  title: { month in
    CivilDate(year: month / 1000, month: month % 1000, day: 1).map(wording.monthAndYear) ?? ""
  })
let results = try await AgendaResults(
  ResultsRequest(
    .events(events), .fixed(window), layout, zone: { .utc }, clock: { window.start }))

func show() {
  for section in results.agenda.sections {
    print("\(section.id) \(section.title): \(section.entries.map(\.title).joined(separator: ", "))")
  }
}

show()
print("The dentist moves to December, and the choir has a new title.")
events[1] = try event("Dentist", 12, 7)
events[0].title = "Choir practice"
try await results.update(events: events)
show()
