package import CivilTime

/// UIDs of new events: `6b014f80-4a4554c663930a52@agenda`, the moment and a random number.
package enum NewUID {
  package static func make(now: Instant) -> String {
    let random = UInt64.random(in: .min ... .max)
    return "\(String(now.secondsSinceEpoch, radix: 16))-\(String(random, radix: 16))\(suffix)"
  }

  private static let suffix = "@agenda"
}
