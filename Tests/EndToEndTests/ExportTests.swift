import Foundation
import TestSupport
import Testing

@Suite("export") struct ExportTests {
  /// What stays as its source wrote it, though it breaks RFC 5545, or is not in the store at all:
  ///
  /// - `lost`: components that were rejected or replaced by a later version, messages without an effect,
  ///   junk between lines, raw line breaks that became `\\n`, letter case and blanks of BEGIN and END,
  ///   blanks after names, lines of vCalendar 1.0.
  /// - `libical`, `icalendar`: values that no validator takes, or properties that libical 3.0.16 does
  ///   not know.
  /// - `zone`: TZIDs that are not a known name and that no source defines.
  private static let explained: [String: Set<String>] = [
    "base64_that_is_none": ["icalendar"],
    "broken_rule_keeps_its_event": ["icalendar"],
    "count_and_until": ["libical"],
    "cut_off_in_the_middle": ["lost"],
    "discourse_raw_newlines": ["lost"],
    "duration_beside_end": ["libical"],
    "empty_properties_are_absent": ["libical", "icalendar"],
    "end_without_begin": ["lost"],
    "exdates_in_every_form": ["libical", "icalendar"],
    "google_gmt_offset_zone": ["icalendar", "zone"],
    "google_tzid_without_vtimezone": ["libical"],
    "hand_written_with_blanks": ["lost", "icalendar"],
    "html_in_a_folded_exdate": ["libical", "icalendar"],
    "iso_extended_times": ["libical", "icalendar"],
    "junk_between_components": ["lost"],
    "lengths_without_end": ["icalendar"],
    "lower_case_zone_and_names": ["lost", "libical", "icalendar"],
    "malformed_and_negative_durations": ["libical", "icalendar"],
    "method_cancel": ["lost"],
    "missing_uid": ["lost"],
    "nested_too_deep": ["lost"],
    "no_such_dates": ["lost"],
    "numbers_out_of_range": ["libical", "icalendar"],
    "producer_properties_of_its_own": ["libical"],
    "quoted_printable_vcalendar": ["lost"],
    "repeated_properties": ["libical"],
    "rescheduled_event": ["lost"],
    "same_uid_for_different_events": ["lost"],
    "events_in_a_poll": ["libical"],
    "folds_within_escapes_of_quoted_printable": ["lost"],
    "free_busy": ["libical", "icalendar"],
    "rule_with_its_name_twice": ["libical"],
    "same_deviation_in_many_events": ["libical", "icalendar"],
    "same_zone_in_two_calendars": ["lost"],
    "sequence_is_unix_time": ["lost"],
    "series_dates_without_a_known_zone": ["zone"],
    "styled_description_rfc9073": ["libical"],
    "tasks_and_journals": ["libical"],
    "tzid_names_a_path": ["zone"],
    "unclosed_quote_in_parameter": ["zone", "libical", "icalendar"],
    "university_raw_newline_in_location": ["lost"],
    "unknown_zone_in_calendar_zone": ["zone"],
    "unknown_zone_is_local": ["zone"],
    "vcalendar_organizer": ["lost"],
    "vcalendar_phone": ["lost", "libical", "icalendar"],
    "without_dtstart": ["lost"],
    // Moments of whole days become dates.
    "all_day_series_in_calendar_zone": ["lost"],
    "all_day_series_in_the_only_zone": ["lost"],
    "all_day_series_with_moments": ["lost"],
    "outlook_until_time_with_dates": ["lost"],
    // The check splits unquoted names of zones at a colon, and compares their letter case.
    "fixed_zone_name_with_daylight": ["zone"],
    // The VCALENDARs come in another order the second time.
    "folded_names_of_calendar_properties": ["lost", "again"],
    "lines_without_names_after_other_lines": ["lost"],
    "parameters_with_colons_and_blanks": ["lost", "zone", "libical", "icalendar"],
    "rule_parts_that_cannot_be_read": ["libical", "icalendar"],
    "vtimezone_absurd_offsets": ["icalendar"],
    "vtimezone_bomb": ["icalendar"],
    "vtimezone_lines_that_are_none": ["libical", "icalendar"],
    "zoom_location_is_the_link": ["libical"],
  ]

  // Checks RFC 5545: 3.1/1, 3.1/2, 3.1/5, 3.4/1, 3.6/1, 3.6/2, 3.6/3, 3.6.1/1, 3.6.2/1
  // Checks RFC 5545: 3.7.3/1, 3.7.4/1, 3.8.4.7/1, 3.8.7.2/1, 5/1, 6/1
  // Checks Decisions: Importing/20
  @Test(
    "two validators find nothing in an export that its source did not bring, and nothing is lost",
    .requiresPythonPackages)
  func validators() throws {
    let files = FileManager.default
    var paths: [String] = []
    for name in ["calendars", "quirks", "broken", "stores"] {
      let folder = AgendaRun.fixtures.appendingPathComponent(name).path
      paths += try files.contentsOfDirectory(atPath: folder).sorted()
        .filter { $0.hasSuffix(".ics") }.map { "\(folder)/\($0)" }
    }
    #expect(paths.count > 90)
    let script = Repository.oracles.appendingPathComponent("export_check.py").path
    let output = try Python.output(of: [script, AgendaRun.program.path] + paths)
    for line in output.split(separator: "\n") {
      let fields = line.split(separator: "\t", maxSplits: 2).map(String.init)
      let name = fields[0].replacingOccurrences(of: ".ics", with: "")
      let isExplained = Self.explained[name]?.contains(fields[1]) ?? false
      #expect(isExplained, "\(line)")
    }
  }

  // Checks RFC 5545: 3.2.19/2
  @Test("calendars that are exported together keep their names, and zones are defined in each")
  func severalCalendars() throws {
    let folder = try ScratchFolder()
    let store = folder.url.appendingPathComponent("s/agenda.sqlite").path
    for name in ["Work", "Home"] {
      let file = try folder.write(
        "\(name).ics",
        """
        BEGIN:VCALENDAR
        VERSION:2.0
        PRODID:-//test//EN
        METHOD:PUBLISH
        X-WR-CALNAME:\(name)
        BEGIN:VEVENT
        UID:same
        DTSTAMP:20260101T000000Z
        DTSTART;TZID=Europe/Berlin:20261124T100000
        DTEND;TZID="Romance Standard Time":20261124T110000
        SUMMARY:\(name) \(String(repeating: "ü", count: 60))
        END:VEVENT
        END:VCALENDAR

        """)
      #expect(try AgendaRun(["import", file, "--store", store]).status == 0)
    }
    let export = try AgendaRun(["export", "--store", store])
    #expect(export.status == 0)
    let calendars = export.output.components(separatedBy: "BEGIN:VCALENDAR\r\n").dropFirst()
    #expect(calendars.count == 2)
    for (calendar, name) in zip(calendars, ["Home", "Work"]) {
      #expect(calendar.contains("X-WR-CALNAME:\(name)\r\n"))
      #expect(calendar.contains("UID:same\r\n"))
      #expect(calendar.contains("TZID:Europe/Berlin\r\n"))
      #expect(calendar.contains("TZID:Romance Standard Time\r\n"))
      #expect(!calendar.contains("METHOD"))
    }
    // Work alone comes back as Work.
    let one = try AgendaRun(["export", "Work", "--store", store])
    let copy = try folder.write("copy.ics", one.output)
    let shown = try AgendaRun(["show", copy, "-f", "tsv"] + AgendaRun.pinned)
    #expect(shown.status == 0)
    #expect(shown.output.contains("Work ü"))
    #expect(!shown.output.contains("Home"))
  }

  @Test("events of the local calendar are exported, and can be imported again")
  func localCalendar() throws {
    let folder = try ScratchFolder()
    let store = ["--store", folder.url.appendingPathComponent("s/agenda.sqlite").path]
    let picture = folder.url.appendingPathComponent("beach.png")
    try Data(PictureSample.png(40, 30)).write(to: picture)
    let work = try folder.write(
      "work.ics",
      "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20261124T090000Z\r\n"
        + "SUMMARY:Meeting\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n")
    try AgendaRun(["import", work, "--quiet"] + store).expect(0)
    let now = ["--now", "2026-11-21T09:00:00+01:00"]
    for arguments in [
      ["add", "--at", "2026-11-25", "--photo", picture.path, "Beach"],
      ["add", "--at", "2026-11-26T10:00", "--repeat", "weekly", "Choir"],
    ] {
      #expect(try AgendaRun(arguments + store + now).status == 0, "\(arguments)")
    }
    let export = try AgendaRun(["export"] + store)
    #expect(export.status == 0)
    let copy = try folder.write("copy.ics", export.output)
    let copied = ["--store", folder.url.appendingPathComponent("copy/agenda.sqlite").path]
    try AgendaRun(["import", copy, "--quiet"] + copied).expect(0)
    let columns = ["show", "--days", "14", "-f", "jsonl"] + AgendaRun.pinned
    func shown(_ store: [String]) throws -> [String] {
      try AgendaRun(columns + store).output.split(separator: "\n").map { line in
        let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let attachments = entry?["attachments"] as? [[String: Any]] ?? []
        return ["title", "start", "uid"].map { "\(entry?[$0] ?? "")" }.joined(separator: " ")
          + " \(attachments.map { "\($0["bytes"] ?? "")" })"
      }
    }
    let original = try shown(store)
    #expect(original.count == 4)
    #expect(try shown(copied) == original)
  }

  @Test("the export of a calendar without events is an empty calendar")
  func emptyCalendar() throws {
    let folder = try ScratchFolder()
    let store = folder.url.appendingPathComponent("s/agenda.sqlite").path
    let file = try folder.write("empty.ics", "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n")
    #expect(try AgendaRun(["import", file, "--store", store]).status == 0)
    let export = try AgendaRun(["export", "--store", store])
    #expect(export.status == 0)
    #expect(export.output.hasPrefix("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:"))
    #expect(export.output.hasSuffix("\r\nEND:VCALENDAR\r\n"))
  }

  // Checks RFC 5545: 3.2.19/2, 3.3.14/1, 3.3.14/2, 3.6.5/1, 3.6.5/7, 3.6.5/9, 3.6.5/10, 3.8.2.4/6
  // Checks RFC 5545: 3.8.3.1/1, 3.8.3.3/1, 3.8.3.3/3, 3.8.3.4/1
  @Test("an added VTIMEZONE has the offsets of zoneinfo until 2060", .requiresPythonPackages)
  func addedZones() throws {
    let folder = try ScratchFolder()
    let zones = [
      "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "America/Havana",
      "Pacific/Apia", "Africa/Casablanca", "Asia/Tokyo", "Africa/Cairo", "Asia/Jerusalem",
      "America/Nuuk", "America/Santiago",
    ]
    var text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\n"
    for zone in zones {
      text += "BEGIN:VEVENT\r\nUID:\(zone)\r\nDTSTAMP:20260101T000000Z\r\n"
      text += "DTSTART;TZID=\(zone):20261124T100000\r\nEND:VEVENT\r\n"
    }
    let file = try folder.write("a.ics", text + "END:VCALENDAR\r\n")
    let store = folder.url.appendingPathComponent("s/agenda.sqlite").path
    _ = try AgendaRun(["import", file, "--store", store])
    let export = try AgendaRun(["export", "--store", store])
    // An independent reading: the last onset before a moment, by its UTC time, decides.
    let script = """
      import bisect, datetime, re, sys, zoneinfo
      from dateutil.rrule import rrulestr
      text = sys.stdin.read().replace("\\r\\n", "\\n").replace("\\n ", "")
      offset = lambda s: (1 if s[0] == "+" else -1) * (int(s[1:3]) * 3600 + int(s[3:5]) * 60 + int(s[5:7] or 0))
      utc = datetime.timezone.utc
      checked, rules = 0, set()
      for part in re.findall(r"BEGIN:VTIMEZONE\\n(.*?)END:VTIMEZONE", text, re.S):
          name = re.search(r"^TZID:(.*)$", part, re.M)[1]
          onsets = []
          for kind in re.findall(r"BEGIN:(?:STANDARD|DAYLIGHT)\\n(.*?)END:", part, re.S):
              field = dict(line.split(":", 1) for line in kind.strip().split("\\n"))
              before, after = offset(field["TZOFFSETFROM"]), offset(field["TZOFFSETTO"])
              read = lambda x: datetime.datetime.strptime(x, "%Y%m%dT%H%M%S")
              times = [read(field["DTSTART"])] + [read(x) for x in field.get("RDATE", "").split(",") if x]
              if "RRULE" in field:
                  times = rrulestr(field["RRULE"], dtstart=times[0]).between(times[0], datetime.datetime(2061, 1, 1), inc=True)
                  rules.add(name)
              for moment in times:
                  onsets.append((moment.replace(tzinfo=utc) - datetime.timedelta(seconds=before), after))
          onsets.sort()
          zone = zoneinfo.ZoneInfo(name)
          moment = datetime.datetime(1970, 1, 3, tzinfo=utc)
          while moment.year < 2060:
              place = bisect.bisect_right(onsets, (moment, 10 ** 6)) - 1
              expected = moment.astimezone(zone).utcoffset().total_seconds()
              assert onsets[place][1] == expected, (name, moment, onsets[place], expected)
              moment += datetime.timedelta(hours=37)
              checked += 1
      print(checked, *sorted(rules))
      """
    let output = try Python.output(of: ["-c", script], input: export.output)
    let words = output.split(whereSeparator: \.isWhitespace)
    #expect((words.first.flatMap { Int($0) } ?? 0) > 200_000)
    // The others never change their clocks, or change them by no yearly rule of RFC 5545.
    #expect(
      Set(words.dropFirst().map(String.init))
        == Set(zones).subtracting([
          "Asia/Kolkata", "Pacific/Apia", "Africa/Casablanca", "Asia/Tokyo",
        ]))
  }
}
