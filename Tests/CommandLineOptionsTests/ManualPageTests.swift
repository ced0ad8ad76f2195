import CommandLineOptions
import TestSupport
import Testing

@Suite("manual pages")
struct ManualPageTests {
  @Test("mandoc reports no problem", .requires("mandoc"))
  func lint() throws {
    let mandoc = try Tool("mandoc")
    let manual = ManualPage(Sample.program)
    for page in [manual.programPage()] + Sample.program.commands.map(manual.page(of:)) {
      let result = try mandoc.run(["-T", "lint", "-W", "style"], input: page)
      let complaints = result.output.split(separator: "\n").filter {
        !$0.contains("referenced manual not found")
      }
      #expect(complaints.isEmpty, "\(complaints.joined(separator: "\n"))\n\(page)")
    }
  }

  @Test("a manual page contains everything in help", .requires("mandoc"))
  func rendered() throws {
    let mandoc = try Tool("mandoc")
    let page = ManualPage(Sample.program).page(of: Sample.show)
    let text = try mandoc.run(["-T", "ascii"], input: page).output
      .replacing(#/.\u{8}/#, with: "")
    #expect(text.contains("sample-show"))
    #expect(text.contains("-f FORMAT, --format FORMAT"))
    #expect(text.contains(#"It's a "zone" [IANA]: \."#))
    #expect(text.contains("'And a line that begins with a quote."))
    #expect(text.contains("sample show -f json"))
    #expect(!text.contains("secret"))
  }
}
