internal import AgendaCore
internal import CivilTime
internal import Platform
internal import Recurrence

/// How fast rules are expanded, and what it costs that a series began long ago.
enum RuleBenchmarks {
  static let rounds = 15

  static func run() {
    plainRules()
    yearsElapsed()
    never()
    series()
  }

  /// The median of several runs, in seconds of the processor: other work on the machine does not
  /// count.
  static func median(_ body: () -> Void) -> Double {
    let times = (0..<rounds).map { _ in
      let begin = SystemClock.processorTime
      body()
      return (SystemClock.processorTime - begin) / .seconds(1)
    }
    return times.sorted()[rounds / 2]
  }

  static func time(_ text: String) -> EventTime {
    guard let rule = try? Rule(parsing: "FREQ=DAILY;UNTIL=\(text)"),
      case .local(let civil)? = rule.until
    else { return .date(.first) }
    return .floating(civil)
  }

  private static func plainRules() {
    for text in [
      "FREQ=SECONDLY", "FREQ=MINUTELY;INTERVAL=15", "FREQ=HOURLY", "FREQ=DAILY",
      "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", "FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY=MO,WE,FR",
      "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH", "FREQ=MONTHLY", "FREQ=MONTHLY;BYMONTHDAY=15",
      "FREQ=MONTHLY;BYDAY=2TU", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "FREQ=YEARLY",
      "FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU",
    ] {
      guard let rule = try? Rule(parsing: text) else { continue }
      var count = 0
      let seconds = median {
        count = 0
        var iterator = RuleExpansion(rule, start: time("19700101T090000")).makeIterator()
        while count < 100_000, iterator.next() != nil { count += 1 }
      }
      print(
        "\(text): \(count) in a run, \(rounded(Double(count) / seconds / 1e6)) million a second")
    }
  }

  /// One year of a rule that began in 1970 next to one that began last year, in turn.
  private static func yearsElapsed() {
    for text in ["FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,WE", "FREQ=SECONDLY;INTERVAL=3600"] {
      guard let rule = try? Rule(parsing: text) else { continue }
      func year(from start: String) -> Double {
        let begin = time("20261121T000000").civil
        let end = time("20271121T000000").civil
        return median {
          for _ in 0..<1000 {
            var iterator = RuleExpansion(rule, start: time(start), from: begin).makeIterator()
            while let civil = iterator.next(), civil < end {}
          }
        }
      }
      let ratios = (0..<5).map { _ in
        year(from: "19700101T090000") / year(from: "20251121T090000")
      }
      print("\(text): one year of 1970's costs \(rounded(ratios.sorted()[2])) times last year's")
    }
  }

  private static func never() {
    for text in [
      "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=DAILY;INTERVAL=3;BYMONTH=2;BYMONTHDAY=30",
      "FREQ=WEEKLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=6",
      "FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6", "FREQ=YEARLY;BYDAY=MO;BYMONTH=3;BYSETPOS=6",
      "FREQ=HOURLY;INTERVAL=168;BYDAY=WE,TH,FR,SA,SU,MO",
      "FREQ=MINUTELY;INTERVAL=7;BYDAY=MO;BYMONTHDAY=31;BYMONTH=6",
      "FREQ=SECONDLY;COUNT=999999999;BYHOUR=9",
      "FREQ=SECONDLY;INTERVAL=7;COUNT=999999999;BYMONTH=3",
      "FREQ=DAILY;COUNT=999999;BYDAY=MO,TU,WE,TH,FR", "FREQ=WEEKLY;COUNT=400000;BYDAY=MO,TU",
      "FREQ=MONTHLY;COUNT=90000;BYDAY=1MO",
    ] {
      guard let rule = try? Rule(parsing: text) else { continue }
      let seconds = median {
        var iterator = RuleExpansion(
          rule, start: time("20240102T090000"), from: time("20240103T090000").civil
        ).makeIterator()
        _ = iterator.next()
      }
      print("\(text): first answer after \(rounded(seconds * 1e3)) ms")
    }
  }

  /// Whole series in a zone, as an agenda asks for them.
  static func series() {
    let zones = ZoneDatabase.system(TZDIR: nil)
    guard let berlin = zones.zone(named: "Europe/Berlin"),
      let rule = try? Rule(parsing: "FREQ=WEEKLY;BYDAY=MO,WE,FR")
    else { return }
    let start = EventTime.zoned(time("20150105T090000").civil, berlin)
    let end = EventTime.zoned(time("20150105T100000").civil, berlin)
    var event = Event(
      identity: EventIdentity(uid: "1"), kind: .event, start: start, extent: .end(end),
      title: "Stand-up", calendar: "work", reference: EventReference(source: 0, component: 0))
    let single = Series(event)
    event.recurrence = Event.Recurrence(rules: [rule])
    let recurring = Series(event)
    let year = Instant(secondsSinceEpoch: 1_795_219_200)..<Instant(secondsSinceEpoch: 1_826_755_200)
    let past = Instant(secondsSinceEpoch: 1_420_000_000)..<Instant(secondsSinceEpoch: 1_430_000_000)
    for (name, series, window) in [
      ("a single event in the window", single, past), ("one outside of it", single, year),
      ("a weekly series", recurring, year),
    ] {
      var count = 0
      let seconds = median {
        count = 0
        for _ in 0..<10_000 {
          for _ in series.occurrences(touching: window, viewer: berlin) { count += 1 }
        }
      }
      print(
        "\(name): \(rounded(seconds / 10_000 * 1e9)) ns for one year with \(count / 10_000)"
          + " occurrences")
    }
  }

  private static func rounded(_ number: Double) -> Double { (number * 1000).rounded() / 1000 }
}
