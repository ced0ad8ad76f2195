extension ComponentText {
  /// The size in bytes of the lines that a cancelled occurrence can take from its series.
  package var copiedSize: Int {
    let names: [StaticString] = [
      "DTSTART", "DTEND", "DUE", "DURATION", "SUMMARY", "LOCATION", "ORGANIZER", "ATTENDEE",
    ]
    return names.reduce(0) { size, name in
      own(name).reduce(size) { $0 + $1.range.count }
    }
  }
}
