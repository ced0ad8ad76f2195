/// A calendar of components, with CRLF at the end of each line.
public func calendar(_ components: String..., properties: String...) -> String {
  calendar(components, properties)
}

public func calendar(_ components: [String], _ properties: [String] = []) -> String {
  let head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN"]
  return (head + properties + components + ["END:VCALENDAR", ""]).joined(separator: "\n")
    .replacing("\n", with: "\r\n")
}

/// A VTIMEZONE whose clocks never change.
public func zoneDefinition(_ name: String, _ offset: String) -> String {
  """
  BEGIN:VTIMEZONE
  TZID:\(name)
  BEGIN:STANDARD
  DTSTART:19700101T000000
  TZOFFSETFROM:\(offset)
  TZOFFSETTO:\(offset)
  END:STANDARD
  END:VTIMEZONE
  """
}

/// The VEVENT with a UID and further lines, for `calendar`.
public func event(_ uid: String, _ lines: String...) -> String {
  component("VEVENT", uid, lines)
}

public func component(_ kind: String, _ uid: String, _ lines: [String]) -> String {
  (["BEGIN:\(kind)", "UID:\(uid)", "DTSTAMP:20261101T000000Z"] + lines + ["END:\(kind)"])
    .joined(separator: "\n")
}
