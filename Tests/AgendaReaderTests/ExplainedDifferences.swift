/// Why other readers read some fixtures otherwise, by fixture. A fixture that is not here must be
/// read the same; one that is here must differ, so that no explanation outlives its reason.
enum ExplainedDifferences {
  /// icalendar 7.3 of PyPI.
  static let iCalendar = [
    "damaged_bytes_in_utf8": "makes U+FFFD of what is not UTF-8",
    "date_time_value_with_a_date": "gives a zone to a date",
    "escapes_of_every_kind": "leaves the escaped quotes escaped",
    "fold_within_a_character": "decodes before it unfolds, and breaks the character",
    "google_gmt_offset_zone": "ends the parameters at the first colon, within GMT+05:30",
    "hand_written_with_blanks": "refuses blanks around names",
    "iso_extended_times": "knows no time with separators or without seconds",
    "line_ends_cr_kerio": "knows no line that ends with CR alone",
    "lower_case_zone_and_names": "wants the T of a time in capitals",
    "malformed_and_negative_durations": "refuses the file for one malformed duration",
    "method_cancel": "leaves a cancelled occurrence without DTSTART where it is; we place it",
    "missing_end_of_event": "nests the events and then finds no calendar",
    "nul_bytes": "keeps NUL bytes",
    "outlook_all_day_midnights": "ignores X-MICROSOFT-CDO-ALLDAYEVENT",
    "outlook_zone_label": "knows no label of Outlook",
    "outlook_zone_with_copy_number": "knows no zone name with a number after it",
    "quoted_printable_vcalendar": "does not decode quoted-printable",
    "school_floating_in_calendar_zone": "leaves times floating that X-WR-TIMEZONE places",
    "several_calendars_in_one_file": "leaves times floating that X-WR-TIMEZONE places",
    "tzid_together_with_utc": "lets TZID win over Z",
    "unclosed_quote_in_parameter": "drops the DTSTART",
    "unknown_zone_in_calendar_zone": "leaves times floating that X-WR-TIMEZONE places",
    "utf16_big_endian": "reads UTF-8 only",
    "utf16_little_endian": "reads UTF-8 only",
    "vtimezone_with_location": "takes the stale rules of the VTIMEZONE, not X-LIC-LOCATION",
    "waste_collection_end_equals_start": "leaves times floating that X-WR-TIMEZONE places",
    "windows1252_lotus_notes": "makes U+FFFD of what is not UTF-8",
    "zone_names_with_other_separators": "does not know zone names with other separators",
  ]

  /// libical 3.0.16 alone.
  static let libical = [
    "damaged_bytes_in_utf8": "passes on bytes that are not UTF-8",
    "escapes_of_every_kind": "loses the backslash before a letter that needs none",
    "hand_written_with_blanks": "finds no BEGIN behind a blank",
    "iso_extended_times": "knows no time without seconds",
    "lower_case_zone_and_names": "wants the T of a time in capitals",
    "method_cancel": "leaves a cancelled occurrence without DTSTART where it is; we place it",
    "missing_end_of_event": "gives nothing for a file whose BEGIN and END do not match",
    "nul_bytes": "ends at the first NUL",
    "outlook_all_day_midnights": "ignores X-MICROSOFT-CDO-ALLDAYEVENT",
    "quoted_printable_vcalendar": "does not decode quoted-printable",
    "unclosed_quote_in_parameter": "drops the DTSTART",
    "utf16_big_endian": "ends at the first NUL",
    "utf16_little_endian": "ends at the first NUL",
    "windows1252_lotus_notes": "passes on bytes that are not UTF-8",
  ]
}
