import Testing

@testable import FetchProtocol

@Suite("messages about the calendars of servers")
struct ServerMessageTests {
  private func sent(_ message: FetchMessage) throws -> FetchMessage {
    var reader = FetchMessageReader()
    // One byte at a time, as a pipe may deliver it.
    for byte in message.encoded() { reader.append([byte]) }
    return try #require(try reader.next())
  }

  @Test("a login keeps its fields")
  func login() throws {
    var login = ServerLogin()
    login.user = "ana"
    login.password = "a b\u{e9}"
    login.token = "t"
    login.certificates = "/tmp/a b.pem"
    login.trustedOrigins = ["https://one.example.com", "https://two.example.com:8443"]
    login.limits.seconds = 7
    #expect(ServerLogin(try sent(login.message)) == login)
  }

  @Test(
    "a request keeps its fields",
    arguments: [
      .find(address: "https://example.com/"),
      .list(homes: ["https://example.com/a/"], calendars: []),
      .changes(calendar: "https://example.com/a/", token: nil, usesTokens: false),
      .changes(calendar: "https://example.com/a/", token: "http://t/1", usesTokens: true),
      .get(calendar: "https://example.com/a/", paths: ["/a/1.ics", "/a/b c.ics"]),
      .put(calendar: "https://example.com/a/", path: "/a/1.ics", .isNew, [1, 10, 13, 0]),
      .put(calendar: "https://example.com/a/", path: "/a/1.ics", .hasTag("\"x y\""), []),
      .delete(calendar: "https://example.com/a/", path: "/a/1.ics", .exists),
      .move(
        calendar: "https://example.com/a/", path: "/b/1.ics", .hasTag("\"1\""), target: "/a/1.ics"),
    ] as [ServerRequest.Job])
  func request(job: ServerRequest.Job) throws {
    let request = ServerRequest(number: 7, job: job)
    #expect(ServerRequest(try sent(request.message)) == request)
  }

  static let answers: [ServerAnswer.Outcome] = {
    var found = FoundCalendars()
    found.homes = ["https://example.com/home/"]
    found.addresses = ["mailto:ana@example.com"]
    found.sendsInvitations = true
    var calendar = ServerCalendar(address: "https://example.com/home/work/")
    calendar.name = "Work and play"
    calendar.color = "#ff0000"
    calendar.order = 3
    calendar.components = ["VEVENT", "VTODO"]
    calendar.isWritable = false
    calendar.usesTokens = true
    calendar.token = "t"
    calendar.collectionTag = "c"
    found.calendars = [calendar, ServerCalendar(address: "https://example.com/home/b/")]
    var failure = FetchFailure("no", hint: "try", status: 503, untrustedOrigin: "https://x")
    failure.retryAfter = "120"
    failure.isAboutUID = true
    return [
      .calendars(found),
      .changes(
        ObjectChanges(
          isComplete: true, token: "t", usesTokens: false,
          objects: [
            .init(path: "/a b", tag: "\"1\""), .init(path: "/c", tag: nil, isGone: true),
          ])),
      .objects(
        [
          ServerObject(path: "/a", tag: "\"1\"", text: [10, 10, 32, 0]),
          ServerObject(path: "/b", tag: nil, text: []),
        ], refused: [RefusedObject(path: "/c", reason: "no")]),
      .written(WrittenObject(path: "/c", tag: "\"1\"")), .refusedByCondition,
      .failed(failure),
    ]
  }()

  @Test("an answer keeps its fields", arguments: answers)
  func answer(outcome: ServerAnswer.Outcome) throws {
    let answer = ServerAnswer(number: 3, outcome: outcome)
    #expect(ServerAnswer(try sent(answer.message)) == answer)
  }

  @Test(
    "a path is asked for as it was written, and compared in one form",
    arguments: [
      ("/a/b.ics", "/a/b.ics", "/a/b.ics"), ("/a%3Bb.ics", "/a%3Bb.ics", "/a;b.ics"),
      ("/a%3bb.ics", "/a%3bb.ics", "/a;b.ics"), ("/%40/@", "/%40/@", "/@/@"),
      ("/a b", "/a%20b", "/a%20b"), ("/\u{e9}", "/%C3%A9", "/%C3%A9"),
      ("/%c3%a9", "/%c3%a9", "/%C3%A9"), ("/a%2Fb/%zz%", "/a%2Fb/%25zz%25", "/a%2Fb/%25zz%25"),
    ])
  func path(written: String, sent: String, compared: String) {
    #expect(written.sendablePath == sent && sent.sendablePath == sent)
    #expect(written.comparablePath == compared && sent.comparablePath == compared)
  }

  @Test("a cut body is no answer")
  func cut() throws {
    var message = ServerAnswer(
      number: 3,
      outcome: .objects([ServerObject(path: "/a", tag: nil, text: [1])])
    ).message
    message.body.removeLast()
    #expect(ServerAnswer(message) == nil)
  }
}
