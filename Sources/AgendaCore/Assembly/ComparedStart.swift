package import CivilTime
package import Recurrence

/// The start of an event for the comparison of versions: equal for the same moment, whatever zone it
/// is written in.
package enum ComparedStart: Hashable {
  case date(CivilDate)
  case floating(CivilDateTime)
  case moment(Instant)

  package init(_ start: EventTime) {
    switch start {
    case .date(let date): self = .date(date)
    case .floating(let civil): self = .floating(civil)
    case .zoned, .utc: self = .moment(start.instant(for: .utc))
    }
  }
}
