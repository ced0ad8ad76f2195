/// What became of a request.
package struct FetchAnswer: Equatable, Sendable {
  /// The number of the request.
  package var number: Int
  package var outcome: Outcome
  /// The header fields that decide when to ask again, as the server wrote them.
  package var headers = Headers()
  package var validators = FetchValidators()
  /// Where the calendar is now, if every redirect up to there was a permanent one (301, 308).
  package var movedTo: String?

  package enum Outcome: Equatable, Sendable {
    case content([UInt8])
    /// 304: the last good answer is still current.
    case unchanged
    case failed(FetchFailure)
  }

  package struct Headers: Equatable, Sendable {
    package var cacheControl: String?
    package var age: String?
    package var date: String?
    package var retryAfter: String?

    package init() {}
  }

  package init(number: Int, outcome: Outcome) {
    self.number = number
    self.outcome = outcome
  }

  package init?(_ message: FetchMessage) {
    guard let number = message["request"].flatMap(Int.init) else { return nil }
    switch message["outcome"] {
    case "content": self.init(number: number, outcome: .content(message.body))
    case "unchanged": self.init(number: number, outcome: .unchanged)
    case "failed": self.init(number: number, outcome: .failed(message.failure))
    default: return nil
    }
    validators = FetchValidators(message)
    headers.cacheControl = message["cache-control"]
    headers.age = message["age"]
    headers.date = message["date"]
    headers.retryAfter = message["retry-after"]
    movedTo = message["moved-to"]
  }

  package var message: FetchMessage {
    var message = FetchMessage()
    message["request"] = String(number)
    switch outcome {
    case .content(let body):
      message["outcome"] = "content"
      message.body = body
    case .unchanged: message["outcome"] = "unchanged"
    case .failed(let failure):
      message["outcome"] = "failed"
      message.failure = failure
    }
    validators.write(to: &message)
    message["cache-control"] = headers.cacheControl
    message["age"] = headers.age
    message["date"] = headers.date
    message["retry-after"] = headers.retryAfter
    message["moved-to"] = movedTo
    return message
  }
}

/// Why nothing was fetched, in words for people. They contain no part of the address.
package struct FetchFailure: Equatable, Sendable, Error {
  package let reason: String
  /// What the user can do about it.
  package let hint: String?
  /// The status code if a server answered with one.
  package let status: Int?
  /// Where the server redirected to, if the credentials may not go there.
  package let untrustedOrigin: String?
  /// Retry-After of a CalDAV server, as it wrote it.
  package var retryAfter: String?
  /// Whether a CalDAV server has another object with this UID (RFC 4791, section 5.3.2.1).
  package var isAboutUID = false

  package init(
    _ reason: String, hint: String? = nil, status: Int? = nil, untrustedOrigin: String? = nil
  ) {
    self.reason = reason
    self.hint = hint
    self.status = status
    self.untrustedOrigin = untrustedOrigin
  }
}

extension FetchMessage {
  /// The fields of a failure, without Retry-After, which answers have in different places.
  var failure: FetchFailure {
    get {
      var failure = FetchFailure(
        self["reason"] ?? "failed", hint: self["hint"], status: self["status"].flatMap(Int.init),
        untrustedOrigin: self["untrusted"])
      failure.isAboutUID = self["about"] == "uid"
      return failure
    }
    set {
      self["reason"] = newValue.reason
      self["hint"] = newValue.hint
      self["status"] = newValue.status.map(String.init)
      self["untrusted"] = newValue.untrustedOrigin
      self["about"] = newValue.isAboutUID ? "uid" : nil
    }
  }
}

extension FetchFailure {
  /// What is at an address is not a CalDAV server.
  package static let noServer = FetchFailure("no CalDAV server answers there")
}

extension FetchFailure: CustomStringConvertible {
  package var description: String { hint.map { "\(reason); \($0)" } ?? reason }
}
