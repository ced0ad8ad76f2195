internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering

extension CommandRun {
  /// Asks on the terminal who the user of a server is.
  var serverQuestions: ServerQuestions {
    var questions = ServerQuestions()
    guard let ask = environment.ask, let askSecret = environment.askSecret else { return questions }
    questions.password = { user, origin in
      let origin = SafeText.line(origin)
      let name = user ?? ask("user name for \(origin): ")
      guard let name, !name.isEmpty,
        let password = askSecret("password of \(SafeText.line(name)) for \(origin): ")
      else { return nil }
      return (name, password)
    }
    questions.trust = { origin in
      let answer = ask(
        "the server redirects to \(SafeText.line(origin)); send the password there (y/n)? ")
      return answer.map { ["y", "yes"].contains($0.lowercased()) } ?? false
    }
    return questions
  }

  /// The number of changes that wait for servers.
  func unsentChanges(_ store: CalendarStore) throws -> Int {
    try store.calendars().reduce(0) { $0 + $1.waiting }
  }

  /// Sends a change of a calendar on a server at once, if the user asked for it, and says what waits.
  func send(
    changesOf calendars: [String], _ store: CalendarStore, now: Bool, isQuiet: Bool
  ) throws {
    guard !calendars.isEmpty else { return }
    if now {
      let reports = try store.write {
        $0.questions = serverQuestions
        return try $0.exchange(calendars: calendars)
      }
      for report in reports {
        if let error = report.error {
          let calendar = report.calendar ?? report.source
          messages.warn("\(calendar): \(error); the change waits, and agenda refresh sends it")
        }
        messages.report(report.newProblems)
        if report.newProblems.contains(where: { $0.finding.severity == .error }) {
          messages.noteRejection()
        }
      }
      let waiting = reports.reduce(0) { $0 + ($1.exchange?.waiting ?? 0) }
      if !isQuiet, waiting == 0, !reports.contains(where: { $0.error != nil }) {
        try environment.print("sent\n")
      }
    } else if !isQuiet {
      try environment.print("waits to be sent; run agenda refresh to send it\n")
    }
  }
}
