#!/usr/bin/env python3
"""The oracle itself against the examples of RFC 5545 and the dated examples of the decisions about time."""

import os
import tempfile
import unittest

import show_oracle

HEAD = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//oracle//EN\r\n"


def run(body: str, *options: str, zone: str = "Europe/Berlin", now: str = "2026-11-21T12:00:00Z") -> dict:
    text = body if "BEGIN:VCALENDAR" in body else HEAD + body + "\r\nEND:VCALENDAR\r\n"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "test.ics")
        with open(path, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
        arguments = [path, "--now", now, "--timezone", zone, *options]
        return show_oracle.show(show_oracle.parser().parse_args(arguments))


def event(*lines: str, uid: str = "a") -> str:
    return "\r\n".join(["BEGIN:VEVENT", f"UID:{uid}", *lines, "END:VEVENT"])


def starts(body: str, *options: str, **named: str) -> list[str]:
    document = run(body, "--group-by", "none", *options, **named)
    return [one["start"] for section in document["sections"] for one in section["entries"]]


# Rule, DTSTART in New York, the first dates: RFC 5545, section 3.8.5.3.
EXAMPLES = [
    ("FREQ=DAILY;COUNT=10", "19970902T090000", "0902 0903 0904 0905 0906 0907 0908 0909 0910 0911"),
    ("FREQ=DAILY;INTERVAL=10;COUNT=5", "19970902T090000", "0902 0912 0922 1002 1012"),
    ("FREQ=WEEKLY;INTERVAL=2;WKST=SU;COUNT=4", "19970902T090000", "0902 0916 0930 1014"),
    ("FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR", "19970901T090000",
     "0901 0903 0905 0915 0917 0919 0929 1001 1003 1013 1015 1017 1027 1029 1031 1110 1112 1114 1124 1126 1128 "
     "1208 1210 1212 1222"),
    ("FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "19970805T090000", "0805 0810 0819 0824"),
    ("FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "19970805T090000", "0805 0817 0819 0831"),
    ("FREQ=MONTHLY;COUNT=4;BYDAY=1FR", "19970905T090000", "0905 1003 1107 1205"),
    ("FREQ=MONTHLY;COUNT=4;BYDAY=-2MO", "19970922T090000", "0922 1020 1117 1222"),
    ("FREQ=MONTHLY;BYMONTHDAY=-3;COUNT=3", "19970928T090000", "0928 1029 1128"),
    ("FREQ=MONTHLY;COUNT=5;BYMONTHDAY=1,-1", "19970930T090000", "0930 1001 1031 1101 1130"),
    ("FREQ=MONTHLY;BYDAY=TU,WE,TH;BYSETPOS=3;COUNT=3", "19970904T090000", "0904 1007 1106"),
    ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2", "19970929T090000", "0929 1030 1127 1230"),
    ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=2", "19970902T090000", "0902 0213"),
    ("FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13", "19970913T090000", "0913 1011 1108 1213"),
    ("FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8", "19961105T090000", "1105"),
]


class RuleExamples(unittest.TestCase):
    def test_examples_of_the_specification(self):
        for rule, start, expected in EXAMPLES:
            with self.subTest(rule):
                found = starts(
                    event(f"DTSTART;TZID=America/New_York:{start}", f"RRULE:{rule}"), "--from", start[:4] + "-01-01",
                    "--years", "1" if "13;" not in rule else "2", zone="America/New_York")
                expected_dates = expected.split()
                self.assertEqual([one[5:7] + one[8:10] for one in found][:len(expected_dates)], expected_dates)
                if "COUNT" in rule or "UNTIL" in rule:
                    self.assertEqual(len(found), len(expected_dates))

    def test_years(self):
        def years(rule: str, start: str) -> list[str]:
            return [one[:10] for one in starts(
                event(f"DTSTART;VALUE=DATE:{start}", f"RRULE:{rule}"), "--from", "1997-01-01", "--years", "6")]
        self.assertEqual(
            years("FREQ=YEARLY;BYDAY=20MO;COUNT=3", "19970519"), ["1997-05-19", "1998-05-18", "1999-05-17"])
        self.assertEqual(
            years("FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=3", "19970512"), ["1997-05-12", "1998-05-11", "1999-05-17"])
        self.assertEqual(
            years("FREQ=YEARLY;INTERVAL=3;COUNT=4;BYYEARDAY=1,100,200", "19970101"),
            ["1997-01-01", "1997-04-10", "1997-07-19", "2000-01-01"])
        self.assertEqual(
            years("RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=FORWARD;COUNT=3", "20000229"),
            ["2000-02-29", "2001-03-01", "2002-03-01"])
        self.assertEqual(
            years("RSCALE=GREGORIAN;FREQ=YEARLY;BYYEARDAY=366;SKIP=FORWARD;COUNT=4", "20001231"),
            ["2000-12-31", "2002-01-01"])
        self.assertEqual(
            years("RSCALE=GREGORIAN;FREQ=YEARLY;BYYEARDAY=-366;SKIP=BACKWARD;COUNT=4", "20000101"),
            ["2000-01-01", "2000-12-31", "2001-12-31", "2002-12-31"])

    def test_below_a_day(self):
        self.assertEqual(
            [one[8:16] for one in starts(
                event("DTSTART;TZID=America/New_York:19970902T090000", "RRULE:FREQ=MINUTELY;INTERVAL=90;COUNT=4"),
                "--from", "1997-09-02", "--days", "1", zone="America/New_York")],
            ["02T09:00", "02T10:30", "02T12:00", "02T13:30"])

    def test_start_counts_where_the_rule_would_not_give_it(self):
        self.assertEqual(
            starts(event("DTSTART:20261123T100000Z", "RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=3"), zone="UTC"),
            ["2026-11-23T10:00:00+00:00", "2026-11-24T10:00:00+00:00", "2026-12-01T10:00:00+00:00"])


class TimeExamples(unittest.TestCase):
    def test_gap_and_fold(self):
        daily = event("DTSTART;TZID=Europe/Berlin:20270327T023000", "RRULE:FREQ=DAILY;COUNT=3")
        self.assertEqual(starts(daily), [
            "2027-03-27T02:30:00+01:00", "2027-03-28T03:30:00+02:00", "2027-03-29T02:30:00+02:00"])
        fold = event("DTSTART;TZID=Europe/Berlin:20271031T023000")
        self.assertEqual(starts(fold), ["2027-10-31T02:30:00+02:00"])

    def test_day_that_does_not_begin_at_midnight(self):
        window = run(event("DTSTART:20270424T120000Z"), "--from", "2027-04-30", "--days", "1", zone="Africa/Cairo")["window"]
        self.assertEqual(window["start"], "2027-04-30T01:00:00+03:00")
        window = run(event("DTSTART:20270424T120000Z"), "--from", "2011-12-30", "--days", "1", zone="Pacific/Apia")["window"]
        self.assertEqual(window["start"], "2011-12-31T00:00:00+14:00")

    def test_year_from_leap_day(self):
        window = run(event("DTSTART:20270424T120000Z"), "--from", "2028-02-29")["window"]
        self.assertEqual(window["end"], "2029-02-28T00:00:00+01:00")

    def test_nominal_and_exact_length(self):
        # Both begin at noon before the clocks go forward.
        nominal = run(event("DTSTART;TZID=Europe/Berlin:20270327T120000", "DURATION:P1D"), "--once")
        exact = run(event("DTSTART;TZID=Europe/Berlin:20270327T120000", "DURATION:PT24H"), "--once")
        self.assertEqual(nominal["sections"][0]["entries"][0]["end"], "2027-03-28T12:00:00+02:00")
        self.assertEqual(exact["sections"][0]["entries"][0]["end"], "2027-03-28T13:00:00+02:00")

    def test_exclusions(self):
        series = "DTSTART;TZID=Europe/Berlin:20261123T100000", "RRULE:FREQ=DAILY;COUNT=3"
        for excluded in ("EXDATE;VALUE=DATE:20261124", "EXDATE:20261124T090000Z",
                         "EXDATE;TZID=America/New_York:20261124T040000"):
            self.assertEqual([one[8:10] for one in starts(event(*series, excluded))], ["23", "25"])
        self.assertEqual(
            [one[8:10] for one in starts(event(*series, "EXRULE:FREQ=DAILY;INTERVAL=2;COUNT=2"))], ["24"])

    def test_until(self):
        series = "DTSTART;TZID=Europe/Berlin:20261123T100000"
        self.assertEqual(len(starts(event(series, "RRULE:FREQ=DAILY;UNTIL=20261125"))), 3)
        self.assertEqual(len(starts(event(series, "RRULE:FREQ=DAILY;UNTIL=20261125T085959Z"))), 2)
        self.assertEqual(len(starts(event(series, "RRULE:FREQ=DAILY;UNTIL=20261125T100000"))), 3)

    def test_overrides(self):
        series = event("DTSTART;TZID=Europe/Berlin:20261123T100000", "RRULE:FREQ=DAILY;COUNT=4")
        away = event("RECURRENCE-ID:20261124T090000Z", "DTSTART:20200101T090000Z")
        self.assertEqual([one[8:10] for one in starts(series + "\r\n" + away)], ["23", "25", "26"])
        later = event("RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20261125T100000",
                      "DTSTART;TZID=Europe/Berlin:20261126T120000")
        self.assertEqual(
            [one[8:13] for one in starts(series + "\r\n" + later)], ["23T10", "24T10", "26T12", "27T12"])
        self.assertEqual(len(starts(away, "--from", "2020-01-01")), 1)

    def test_several_days(self):
        trip = event("DTSTART;VALUE=DATE:20261120", "DTEND;VALUE=DATE:20261123")
        found = run(trip)["sections"]
        self.assertEqual([(one["id"], one["entries"][0]["day"], one["entries"][0]["days"]) for one in found],
                         [("2026-11-21", 2, 3), ("2026-11-22", 3, 3)])
        self.assertEqual([one["id"] for one in run(trip, "--group-by", "month")["sections"]], ["2026011"])
        self.assertEqual([one["id"] for one in run(trip, "--group-by", "week")["sections"]], ["2026-W47"])

    def test_ends_at_midnight(self):
        late = event("DTSTART;TZID=Europe/Berlin:20261120T220000", "DTEND;TZID=Europe/Berlin:20261121T000000")
        self.assertEqual(run(late)["sections"], [])

    def test_zones_of_the_file(self):
        zone = "BEGIN:VTIMEZONE\r\nTZID:Mars\r\nBEGIN:STANDARD\r\nDTSTART:16011028T030000\r\nTZOFFSETFROM:+0330\r\n" \
            "TZOFFSETTO:+0230\r\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\r\nEND:STANDARD\r\nBEGIN:DAYLIGHT\r\n" \
            "DTSTART:16010325T020000\r\nTZOFFSETFROM:+0230\r\nTZOFFSETTO:+0330\r\n" \
            "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3\r\nEND:DAYLIGHT\r\nEND:VTIMEZONE\r\n"
        for day, expected in (("20261201", "2026-12-01T09:30:00+00:00"), ("20270701", "2027-07-01T08:30:00+00:00")):
            self.assertEqual(starts(zone + event(f"DTSTART;TZID=Mars:{day}T120000"), zone="UTC"), [expected])
        for name in ("W. Europe Standard Time", "(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna",
                     "/mozilla.org/20070129_1/Europe/Berlin", "europe/berlin", "GMT+01:00"):
            self.assertEqual(
                starts(event(f'DTSTART;TZID="{name}":20261201T120000'), zone="UTC"), ["2026-12-01T11:00:00+00:00"])


if __name__ == "__main__":
    unittest.main()
