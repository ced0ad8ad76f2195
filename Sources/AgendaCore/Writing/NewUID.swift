package import CivilTime

/// UIDs of new events: `6b014f80-4a4554c663930a52@agenda`, the moment and a random number.
package enum NewUID {
  package static func make(now: Instant) -> String {
    let random = UInt64.random(in: .min ... .max)
    return "\(String(now.secondsSinceEpoch, radix: 16))-\(String(random, radix: 16))\(suffix)"
  }

  /// The second in which agenda made the UID; `nil` if another program made it.
  package static func moment(of uid: String) -> Instant? {
    guard uid.hasSuffix(suffix) else { return nil }
    return Int(uid.prefix { $0 != "-" }, radix: 16).map { Instant(secondsSinceEpoch: $0) }
  }

  private static let suffix = "@agenda"
}
