internal import ICalendar

extension ContentView {
  /// The view of a line whose value is a time. Google writes `TZID=GMT+05:30:20260701T100000`
  /// without quotes. A time contains no colon, so its value begins after the last one.
  var ofTime: ContentView {
    guard valueStart - nameEnd > 1, let colon = value.lastIndex(of: 0x3A) else { return self }
    let start = valueStart + colon + 1
    guard TimeText(bytes.part(start, start + 8)) != nil else { return self }
    return withValue(from: start)
  }
}
