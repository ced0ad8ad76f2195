import Foundation
import TestSupport
import Testing

/// What a person reads who mistyped a zone, an address or the configuration.
@Suite("messages about sources and zones")
struct SourceMessageTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  @Test(
    "an unknown zone leads to the one that is meant",
    arguments: [
      ("PST", "did you mean America/Los_Angeles?"), ("CEST", "did you mean Europe/Berlin?"),
      ("berlin", "did you mean Europe/Berlin?"), ("New York", "did you mean America/New_York?"),
      ("Europe/Berln", "did you mean Europe/Berlin?"), ("XQZ", "have names like Europe/Berlin"),
    ])
  func zones(_ name: String, _ hint: String) {
    let show = fixture.run(["show", fixture.path("work.ics"), "--timezone", name])
    #expect(show.status == .wrongCommandLine && show.errors.hasSuffix("\(hint)\n"), "\(show)")
    let add = fixture.run(["add", "mon", "9:00", "Call", "--in-zone", name])
    #expect(add.errors.hasPrefix("agenda: --in-zone: ") && add.errors.contains(hint), "\(add)")
  }

  @Test(
    "a scheme is named, and nothing else of an address",
    arguments: [
      ("data:text/calendar,SECRET", "data: addresses are not supported"),
      ("http:/host/SECRET", "http: expected // after the colon"),
      ("HTTPS:host/SECRET", "https: expected // after the colon"),
      ("mailto:SECRET@example.com", "mailto: addresses are not supported"),
      ("ftp://host/SECRET", "ftp: addresses are not supported"),
    ])
  func schemes(_ address: String, _ message: String) throws {
    try fixture.write("list.txt", "# mine\n\n\(address)\n")
    for arguments in [[address], ["--url-from", fixture.path("list.txt")]] {
      for command in ["import", "show", "check"] {
        let run = fixture.run([command] + arguments, isPinned: false)
        #expect(run.status == .wrongCommandLine && run.errors.contains(message), "\(run)")
        #expect(!run.errors.contains("SECRET"))
        #expect(run.errors.contains("list.txt:3: ") == (arguments.count == 2))
      }
    }
  }

  @Test("a list of addresses has addresses only, and at least one")
  func lists() throws {
    try fixture.write("list.txt", "https://example.com/a.ics\n\(fixture.path("SECRET.ics"))\n")
    let path = ["import", "--url-from", fixture.path("list.txt")]
    let run = fixture.run(path, isPinned: false)
    #expect(
      run.status == .wrongCommandLine && run.errors.contains("list.txt:2: expected an address"))
    #expect(!run.errors.contains("SECRET") && !run.errors.contains("No such file"))
    for text in ["", "\n# none\n"] {
      try fixture.write("list.txt", text)
      for arguments in [path, path + [fixture.path("work.ics")], ["check"] + path.dropFirst()] {
        let empty = fixture.run(arguments, isPinned: false)
        #expect(empty.status == .wrongCommandLine && empty.errors.contains("the list is empty"))
      }
    }
  }

  @Test("a list of addresses can be a pipe")
  func pipe() throws {
    for command in ["import", "check"] {
      let pipe = Pipe()
      try pipe.fileHandleForWriting.write(contentsOf: Data("# x\nftp://example.com/a\n".utf8))
      try pipe.fileHandleForWriting.close()
      let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
      let run = fixture.run([command, "--url-from", path], isPinned: false)
      #expect(run.errors.contains("\(path):2: ftp: addresses are not supported"), "\(run)")
    }
  }

  @Test(
    "doctor reports what is wrong with the configuration, and looks at the rest",
    arguments: [
      "timezon = Europe/Berlin", "timezone = Nowhere/City", "just words", "locale = xx_unknown",
    ])
  func doctor(_ line: String) throws {
    try fixture.importAll()
    try fixture.write("config/agenda/config", "# mine\n\(line)\n")
    func run(_ command: String...) -> InMemoryRun {
      InMemoryRun(
        command,
        variables: [
          "AGENDA_STORE": fixture.store, "XDG_CONFIG_HOME": fixture.path("config"),
        ])
    }
    #expect(run("show").status == .wrongCommandLine)
    let doctor = run("doctor")
    #expect(doctor.status == .failed && doctor.errors.isEmpty, "\(doctor)")
    #expect(doctor.output.contains("\nproblem: \(fixture.path("config/agenda/config")):2: "))
    #expect(doctor.output.contains("components "))
    #expect(run("doctor", "--timezone", "Nowhere/City").status == .wrongCommandLine)
  }

  @Test("a conflict of two equal versions shows the first line that differs")
  func conflict() throws {
    let event = OptionFixture.home.replacing("DESCRIPTION:kin", with: "LOCATION:Hall")
    try fixture.write("folder/cake.ics", event)
    #expect(fixture.run(["import", fixture.path("folder")], isPinned: false).status == .done)
    try fixture.write("folder/cake.ics", event.replacing("LOCATION:Hall", with: "LOCATION:Park"))
    let run = fixture.run(["edit", "cake", "--title", "Tea"])
    #expect(run.status == .failed)
    #expect(
      run.errors.contains("the store has LOCATION:Hall, the file has LOCATION:Park"), "\(run)")
  }

  @Test("reports have their dates in the language of the person")
  func language() throws {
    try fixture.importAll()
    try FileManager.default.removeItem(atPath: fixture.path("home.ics"))
    func refresh(_ now: String, _ locale: String) -> String {
      fixture.run(["refresh", "--now", now, "--locale", locale], isPinned: false).errors
    }
    let later = "2026-12-03T09:00:00+01:00"
    #expect(refresh(later, "en_GB").contains("as of Sat, 21 Nov 2026"))
    #expect(refresh(later, "de").contains("as of Sa., 21. Nov. 2026"), "\(refresh(later, "de"))")
    #expect(refresh("2026-11-23T09:00:00+01:00", "de").contains("as of Samstag"))
    #expect(refresh("2026-11-22T09:00:00+01:00", "de").contains("as of gestern"))
    #expect(fixture.run(["calendars"]).output.contains("    last import failed: "))
  }
}
