/// The instants at which a zone's clocks show a time.
public enum LocalResolution: Hashable, Sendable {
  /// Every ordinary time.
  case unique(Instant)
  /// The clocks jumped over it, at `transition`: 02:30 on 2026-03-29 in Berlin.
  case gap(transition: Instant, offsetBefore: Int, offsetAfter: Int)
  /// The clocks showed it twice: 02:30 on 2026-10-25 in Berlin.
  case fold(first: Instant, second: Instant)
}
