import FetchProtocol
import TestSupport
import Testing

@Suite("messages between agenda and agenda-fetch")
struct FetchMessageTests {
  private static let requests: [FetchRequest] = {
    var full = FetchRequest(number: 7, address: "https://example.com/a?b=c%20d")
    full.validators = FetchValidators(entityTag: "W/\"x y\"", lastModified: "Sat, 21 Nov 2026")
    full.limits.seconds = 5
    full.limits.bytes = 1
    full.certificates = "/etc/my own/ca.pem"
    full.user = "ana"
    full.password = " pass word: ü "
    return [full, FetchRequest(number: 0, address: "webcal://example.com/")]
  }()

  private static let answers: [FetchAnswer] = {
    var content = FetchAnswer(number: 3, outcome: .content(Array("a\n\nsize 3\n\n\0é".utf8)))
    content.validators.entityTag = "\"1\""
    content.headers.cacheControl = "max-age=60, private"
    content.headers.age = "5"
    content.headers.date = "Sat, 21 Nov 2026 08:00:00 GMT"
    content.movedTo = "https://ana:x@example.com/new"
    var failed = FetchAnswer(
      number: 4, outcome: .failed(FetchFailure("too many", hint: "wait", status: 429)))
    failed.headers.retryAfter = "120"
    return [
      content, failed, FetchAnswer(number: 5, outcome: .unchanged),
      FetchAnswer(number: 6, outcome: .content([])),
      FetchAnswer(number: 7, outcome: .failed(FetchFailure("unknown host"))),
    ]
  }()

  @Test(
    "requests and answers survive the pipe, however it cuts them", arguments: [1, 2, 7, 10_000])
  func roundTrip(chunk: Int) throws {
    let messages = Self.requests.map(\.message) + Self.answers.map(\.message)
    let bytes = messages.flatMap { $0.encoded() }
    var reader = FetchMessageReader()
    var read: [FetchMessage] = []
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      reader.append(bytes[start..<min(start + chunk, bytes.count)])
      while let message = try reader.next() { read.append(message) }
    }
    #expect(reader.isAtBoundary)
    #expect(read.prefix(Self.requests.count).map(FetchRequest.init) == Self.requests)
    #expect(read.dropFirst(Self.requests.count).map(FetchAnswer.init) == Self.answers)
  }

  @Test("a line break in a value cannot begin another field")
  func lineBreaks() throws {
    var request = FetchRequest(number: 1, address: "https://example.com/")
    request.password = "a\nurl https://elsewhere.example/\r\n"
    var reader = FetchMessageReader()
    reader.append(request.message.encoded())
    let message = try #require(try reader.next())
    #expect(FetchRequest(message)?.address == "https://example.com/")
    #expect(message["password"] == "a url https://elsewhere.example/  ")
  }

  @Test(
    "a stream that is not a list of messages is refused",
    arguments: ["\n", "size x\n\n", "size -1\n\n", "size 2000000000\n\n", "word\n", "a b\n\n"])
  func malformed(text: String) {
    var reader = FetchMessageReader()
    reader.append(Array(text.utf8))
    #expect(throws: FetchMessageReader.Malformed.self) { try reader.next() }
  }

  // Checks limit: FetchMessageReader.longestBody
  @Test("a document of more than a gibibyte is refused by its size alone")
  func longBody() {
    for size in [1 << 30, (1 << 30) + 1] {
      var reader = FetchMessageReader()
      reader.append(Array("size \(size)\n\n".utf8))
      if size > 1 << 30 {
        #expect(throws: FetchMessageReader.Malformed.self) { try reader.next() }
      } else {
        #expect(throws: Never.self) { _ = try reader.next() }
      }
    }
  }

  // Checks limit: FetchMessageReader.longestFields
  @Test("fields without an end are refused before they fill the memory")
  func endless() {
    var reader = FetchMessageReader()
    reader.append([UInt8](repeating: 0x78, count: 131_072))
    #expect(throws: Never.self) { _ = try reader.next() }
    reader.append([0x78])
    #expect(throws: FetchMessageReader.Malformed.self) { try reader.next() }
  }
}
