import Testing

@testable import AgendaCommands
@testable import CommandLineOptions

/// Tests of the options of some commands.
protocol OptionSuite {
  /// The options that the tests try, by command.
  static var covered: [String: Set<String>] { get }
}

/// Every option of every command does what its help says. A new one needs a case in a suite of this
/// folder.
@Suite("all options")
struct OptionCoverageTests {
  private static var suites: [any OptionSuite.Type] {
    [
      AddOptionTests.self, BrowseOptionTests.self, CalendarOptionTests.self, EntryOptionTests.self,
      GeneralOptionTests.self,
      ImportOptionTests.self, InvitationTests.self, ListingOptionTests.self, NotifyTests.self,
      ServerOptionTests.self, StoreOptionTests.self, TableOptionTests.self, TimeOptionTests.self,
    ]
  }

  /// Options of all commands, which `GeneralOptionTests` and `StoreOptionTests` try.
  private static let general: Set<String> = ["now", "timezone", "help", "version", "store"]

  /// Options that PictureTests, PageOptionTests, TemplateOptionTests, FetchTests, SubscriptionTests and
  /// CalDAVTests try.
  private static let elsewhere: Set<String> = [
    "media", "encoding", "mail", "subject", "template", "timeout", "max-size", "cacert",
    "password-command", "url-from", "jobs", "force", "stale", "user", "token-command", "trust",
    "send",
  ]

  @Test("every option of every command has a case")
  func everyOption() {
    var covered: [String: Set<String>] = [:]
    for suite in Self.suites { covered.merge(suite.covered) { $0.union($1) } }
    for command in AgendaCommand.all.map(\.declaration) {
      for option in command.visibleOptions
      where !Self.general.union(Self.elsewhere).contains(option.name) {
        #expect(
          covered[command.name]?.contains(option.name) == true,
          "\(command.name) \(option.spelling) has no case")
      }
    }
  }
}
