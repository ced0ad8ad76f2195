import AgendaCore
import CivilTime
import Testing

@testable import AgendaCommands

@Suite("values on the command line")
struct ArgumentTests {
  @Test("a local time")
  func localTime() {
    #expect(CivilDateTime(local: "2026-11-24T12:30")?.description == "2026-11-24T12:30:00")
    #expect(CivilDateTime(local: "2026-11-24 12:30:15")?.description == "2026-11-24T12:30:15")
    for wrong in ["", "2026-11-24", "2026-11-24T12:30Z", "2026-11-24T12:30+1", "2026-02-30T12:30"] {
      #expect(CivilDateTime(local: wrong) == nil, "\(wrong)")
    }
  }

  @Test("working hours")
  func workingHours() {
    let hours = WorkingHours("09:00-17:30")
    #expect(hours?.begin == TimeOfDay(hour: 9, minute: 0))
    #expect(hours?.finish == TimeOfDay(hour: 17, minute: 30))
    #expect(WorkingHours("22:00-24:00")?.finish == nil)
    for words in ["9-17", "9:00 - 17:00", "9am-5pm", "from 9 to 17", "9am to 17:00", "9-5"] {
      #expect(WorkingHours(words) == WorkingHours("09:00-17:00"), "\(words)")
    }
    for wrong in [
      "", "9:00-5:00", "mon 9-17", "9-10 every day", "17:00-09:00", "09:00-09:00", "09:00",
      "09:00-25:00", "09:00-17:00x",
    ] {
      #expect(WorkingHours(wrong) == nil, "\(wrong)")
    }
  }
}

@Suite("configuration")
struct ConfigurationTests {
  @Test("one option = value a line; blanks, quotes and remarks as one would expect")
  func reads() throws {
    let configuration = try Configuration(
      path: "config",
      text: "# mine\n\n timezone = Europe/Berlin\r\nlocale=de_DE\n  search = \"a = b\"\n")
    #expect(
      configuration.lines == [
        .init(number: 3, name: "timezone", value: "Europe/Berlin"),
        .init(number: 4, name: "locale", value: "de_DE"),
        .init(number: 5, name: "search", value: "a = b"),
      ])
  }

  @Test("an invalid line is named")
  func wrongLine() {
    #expect {
      try Configuration(path: "config", text: "\ntimezone Europe/Berlin\n")
    } throws: {
      "\($0)" == "config:2: expected option = value, such as timezone = Europe/Berlin"
    }
  }
}

@Suite("environment")
struct EnvironmentTests {
  private func environment(_ variables: [String: String]) -> Environment {
    Environment(
      arguments: [], variable: { variables[$0] }, clock: { Instant(secondsSinceEpoch: 0) },
      outputColumns: { nil }, errorIsTerminal: { false }, writeOutput: { _ in nil },
      writeError: { _ in nil })
  }

  @Test("paths by the XDG base directory specification")
  func paths() {
    #expect(environment([:]).configurationPath == nil)
    #expect(environment([:]).storePath == nil)
    #expect(environment(["HOME": "/h"]).configurationPath == "/h/.config/agenda/config")
    #expect(environment(["HOME": "/h"]).storePath == "/h/.local/share/agenda/agenda.sqlite")
    #expect(
      environment(["HOME": "/h", "XDG_DATA_HOME": "/d"]).storePath == "/d/agenda/agenda.sqlite")
    #expect(
      environment(["HOME": "/h", "XDG_DATA_HOME": "relative"]).storePath
        == "/h/.local/share/agenda/agenda.sqlite")
    #expect(environment(["HOME": "/h", "AGENDA_STORE": "s"]).storePath == "s")
    #expect(
      environment(["HOME": "/h", "AGENDA_STORE": ""]).storePath
        == "/h/.local/share/agenda/agenda.sqlite")
  }

  @Test("the language variables in the order of POSIX")
  func locale() {
    let all = ["LC_ALL": "a", "LC_TIME": "b", "LANG": "c"]
    #expect(environment(all).localeName == "a")
    #expect(environment(all.filter { $0.key != "LC_ALL" }).localeName == "b")
    #expect(environment(["LC_ALL": "", "LC_TIME": "", "LANG": "c"]).localeName == "c")
    #expect(environment([:]).localeName == nil)
  }
}
