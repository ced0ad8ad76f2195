import AgendaCore
import CivilTime
import Foundation
import TestSupport
import Testing

@testable import AgendaRendering

@Suite("Web pages")
struct PageTests {
  private static func page(
    _ sample: RenderingSample, days: Int = 10, locale: String = "en_GB",
    options: Agenda.Options = .init()
  ) throws -> String {
    let wording = DateWording(try LocaleData(locale))
    let today = try RenderingSample.date("2026-11-22")
    let agenda = try sample.agenda(days: days, options: options, locale: locale)
    return text { sink in
      HTMLFormat(
        wording, style: PageStyle(today: today, calendarColors: ["work": "#3a7bd5"]),
        details: sample.detailsSource()
      ).render(agenda, to: &sink)
    }
  }

  /// What an HTML 5 parser reads in pages.
  private static func parsed(_ pages: [String]) throws -> [(errors: [String], texts: [String])] {
    let folder = try ScratchFolder()
    let paths = try pages.indices.map { index in
      let url = folder.url.appendingPathComponent("\(index).html")
      try Data(pages[index].utf8).write(to: url)
      return url.path
    }
    let script = Repository.oracles.appendingPathComponent("page_parse.py").path
    let output = try Python.output(of: [script] + paths)
    struct Finding: Decodable {
      let errors: [String]
      let texts: [String]
    }
    return try output.split(separator: "\n").map { line in
      let finding = try JSONDecoder().decode(Finding.self, from: Data(line.utf8))
      return (finding.errors, finding.texts)
    }
  }

  @Test("pages are valid in every grouping and direction", .requiresPythonPackages)
  func validity() throws {
    let sample = try RenderingSample.fortnight()
    var pages = try SectionKey.allCases.map { key in
      try Self.page(sample, options: .init(groupedBy: key))
    }
    pages += try ["ar", "ja", "en_US", "he"].map { try Self.page(sample, locale: $0) }
    pages.append(try Self.page(RenderingSample(), days: 400))
    for found in try Self.parsed(pages) { #expect(found.errors == []) }
  }

  @Test("the first time of an entry is the start in JSON")
  func starts() throws {
    let sample = try RenderingSample.fortnight()
    let page = try Self.page(sample)
    let starts = page.matches(of: /<p class="at"><time datetime="([^"]+)">/).map { String($0.1) }
    let agenda = try sample.agenda()
    let json = text { JSONFormat(details: sample.detailsSource()).render(agenda, to: &$0) }
    let expected = json.matches(of: /"allDay":[a-z]+,"start":"([^"]+)"/).map { String($0.1) }
    #expect(starts.count > 10)
    #expect(starts == expected)
  }

  // Checks Decisions: Importing/21
  @Test("text of a calendar stays text", .requiresPythonPackages)
  func hostileText() throws {
    var generator = SeededGenerator(seed: 14)
    let count = 12 * TestSettings.rounds
    var pages: [String] = []
    var titles: [[String]] = []
    for _ in 0..<count {
      var sample = try RenderingSample()
      var written: [String] = []
      for day in 21..<25 {
        var details = EventDetails()
        details.url = HostileText.random(using: &generator)
        details.conference = "javascript:" + HostileText.random(using: &generator)
        details.description = HostileText.random(using: &generator)
        let title = HostileText.random(using: &generator)
        written.append(SafeText.line(title))
        try sample.add(
          title, "2026-11-\(day)T09:00", to: "2026-11-\(day)T10:00",
          location: HostileText.random(using: &generator),
          calendar: HostileText.random(using: &generator),
          color: HostileText.random(using: &generator), uid: HostileText.random(using: &generator),
          details: details)
      }
      let key = SectionKey.allCases.randomElement(using: &generator) ?? .day
      pages.append(try Self.page(sample, options: .init(groupedBy: key)))
      titles.append(written)
    }
    for page in pages {
      #expect(!page.unicodeScalars.contains(where: HostileText.isDangerous))
    }
    for (number, found) in try Self.parsed(pages).enumerated() {
      #expect(found.errors == [])
      for title in titles[number] where !title.isEmpty { #expect(found.texts.contains(title)) }
    }
  }

  /// In some containers Chromium is installed, but cannot start.
  private static let browserStarts: ConditionTrait = .enabled("Chromium does not start") {
    let arguments = [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--dump-dom",
      "about:blank",
    ]
    return (try? Tool("chromium").run(arguments))?.status == 0
  }

  @Test(
    "a browser shows and prints pages without errors, requests and barriers",
    .requires("chromium", "chromedriver"), PageTests.browserStarts, .requiresPythonPackages)
  func browser() throws {
    struct Finding: Decodable {
      let console: [String]
      let requests: [String]
      let overflow: [Int]
      let axe: [String]
      let wrapped: [String]
      let pages: [Int]
    }
    let sample = try RenderingSample.fortnight()
    let folder = try ScratchFolder()
    func path(_ name: String, _ page: String) throws -> String {
      let url = folder.url.appendingPathComponent("\(name).html")
      try Data(page.utf8).write(to: url)
      return url.path
    }
    // An image of another host and a field without a label: the checks find something.
    let wrong = """
      <!DOCTYPE html><html lang="en"><title>x</title><img src="http://127.0.0.1:9/x.png">
      <input><table style="width:9px"><thead><tr><th>two lines</table>
      <div style="width:2000px">x</div></html>
      """
    let agenda = try sample.agenda()
    let mail = text { sink in
      var page = MailPage(
        agenda, wording: DateWording(.plain), style: PageStyle(), details: sample.detailsSource())
      page.write(more: "and 3 more", to: &sink)
    }
    let paths = try [
      path("en", Self.page(sample)), path("ja", Self.page(sample, locale: "ja")),
      path("ar", Self.page(sample, locale: "ar")),
      path("month", Self.page(sample, options: .init(groupedBy: .category))),
      path("year", Self.page(RenderingSample(), days: 365)),
      path("mail", mail), path("wrong", wrong),
    ]
    let script = Repository.oracles.appendingPathComponent("page_browser.py").path
    let output = try Python.output(of: [script] + paths)
    let findings = try output.split(separator: "\n").map { line in
      try JSONDecoder().decode(Finding.self, from: Data(line.utf8))
    }
    try #require(findings.count == paths.count)
    for found in findings.dropLast() {
      #expect(found.console == [])
      #expect(found.requests == [])
      #expect(found.overflow == [0, 0])
      #expect(found.wrapped == [])
    }
    for found in findings.dropLast(2) { #expect(found.axe == []) }
    // A mail is shown inside of another page, which has the landmarks and the heading.
    let partOfPage = ["landmark-one-main", "page-has-heading-one", "region"]
    for violation in findings[5].axe {
      #expect(partOfPage.contains { violation.hasPrefix($0) }, "\(violation)")
    }
    // Each month has a page, and the list begins on another one.
    #expect(findings[4].pages == [14, 14])
    #expect(findings[0].pages.allSatisfy { $0 >= 2 && $0 <= 4 })
    let broken = try #require(findings.last)
    #expect(broken.requests == ["http://127.0.0.1:9/x.png"])
    #expect(broken.overflow.allSatisfy { $0 > 0 })
    #expect(broken.wrapped == ["two lines"])
    #expect(broken.axe.contains { $0.hasPrefix("image-alt") })
    #expect(broken.axe.contains { $0.hasPrefix("label") })
  }

  @Test("only http, https and mailto are links")
  func links() throws {
    var sample = try RenderingSample()
    for (day, address) in [
      (21, "javascript:alert(1)"), (22, "data:text/html,x"), (23, "https://example.com/?a=\"&b=<"),
      (24, "MAILTO:ana@example.com"), (25, " java\nscript:x"), (26, "//example.com"),
    ] {
      var details = EventDetails()
      details.url = address
      try sample.add(
        "x", "2026-11-\(day)T09:00", to: "2026-11-\(day)T10:00", details: details)
    }
    let targets = try Self.page(sample).matches(of: /href="([^"#]*)"/).map { String($0.1) }
    #expect(targets == ["https://example.com/?a=%22&amp;b=%3C", "MAILTO:ana@example.com"])
  }

  @Test("a day shows three entries in its cell and counts the rest")
  func overflow() throws {
    var sample = try RenderingSample()
    for hour in 10..<17 {
      try sample.add("entry \(hour)", "2026-11-23T\(hour):00", to: "2026-11-23T\(hour):30")
    }
    let page = try Self.page(sample)
    #expect(page.contains("<p class=\"more\">+4</p>"))
    #expect(
      page.contains("href=\"#2026-11-23\" aria-label=\"Monday, 23 November 2026, 7 entries\""))
    let cells = page.prefix(upTo: try #require(page.range(of: "<div id=\"~list\">")).lowerBound)
    #expect(cells.matches(of: /<li style=/).count == 3)
  }

  @Test("letters on a calendar's colour have a contrast of at least 4.5")
  func contrast() throws {
    func linear(_ channel: Int) -> Double {
      let value = Double(channel) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<2_000 {
      let value = UInt32.random(in: 0...0xff_ffff, using: &generator)
      let digits = String(value, radix: 16)
      let color = try #require(
        CalendarColor("#" + String(repeating: "0", count: 6 - digits.count) + digits))
      let luminance =
        0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
      let contrast = color.takesBlackText ? (luminance + 0.05) / 0.05 : 1.05 / (luminance + 0.05)
      #expect(contrast >= 4.5)
    }
  }

  @Test("weeks are numbered as the locale has them")
  func weekNumbers() throws {
    func week(_ locale: String, _ date: String) throws -> Int {
      try LocaleData(locale).weekNumbering.week(containing: RenderingSample.date(date))
    }
    #expect(try week("de", "2027-01-01") == 53)
    #expect(try week("en_US", "2027-01-01") == 1)
    #expect(try week("en_US", "2026-12-26") == 52)
    #expect(try week("en_GB", "2026-01-01") == 1)
    var date: CivilDate? = try RenderingSample.date("1995-01-01")
    let german = try LocaleData("de").weekNumbering
    while let day = date, day.year < 2040 {
      #expect(german.week(containing: day) == ISOWeek(containing: day).number)
      date = day.adding(days: 5)
    }
  }

  @Test("the columns of a month begin with the first day of the locale's week")
  func firstWeekday() throws {
    for (locale, first) in [("en_US", "Sunday"), ("en_GB", "Monday"), ("ar_EG", "السبت")] {
      let page = try Self.page(RenderingSample.fortnight(), locale: locale)
      let columns = page.matches(of: /<th scope="col"><abbr title="([^"]*)"/).map { String($0.1) }
      #expect(columns.first == first)
      #expect(Set(columns.prefix(7)).count == 7)
    }
  }
}
