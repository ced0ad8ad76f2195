/// What `agenda` asks `agenda-fetch` for. It travels through a pipe, because arguments and
/// environment variables of a process can be seen by others.
package struct FetchRequest: Equatable, Sendable {
  /// Identifies the answer.
  package var number: Int
  package var address: String
  package var validators: FetchValidators
  package var limits: FetchLimits
  /// A file of certificates to trust instead of the system's.
  package var certificates: String?
  package var user: String?
  package var password: String?

  package init(
    number: Int, address: String, validators: FetchValidators = FetchValidators(),
    limits: FetchLimits = FetchLimits()
  ) {
    self.number = number
    self.address = address
    self.validators = validators
    self.limits = limits
  }

  package init?(_ message: FetchMessage) {
    guard let number = message["request"].flatMap(Int.init), let address = message["url"] else {
      return nil
    }
    self.init(number: number, address: address, validators: FetchValidators(message))
    limits.seconds = message["timeout"].flatMap(Int.init) ?? limits.seconds
    limits.bytes = message["max-size"].flatMap(Int.init) ?? limits.bytes
    certificates = message["cacert"]
    user = message["user"]
    password = message["password"]
  }

  package var message: FetchMessage {
    var message = FetchMessage()
    message["request"] = String(number)
    message["url"] = address
    validators.write(to: &message)
    message["timeout"] = String(limits.seconds)
    message["max-size"] = String(limits.bytes)
    message["cacert"] = certificates
    message["user"] = user
    message["password"] = password
    return message
  }
}

/// How long an answer may take and how large it may be.
package struct FetchLimits: Equatable, Sendable {
  /// For the whole request, including redirects and the second attempt.
  package var seconds = 60
  /// Of the body after decompression.
  package var bytes = 64 << 20

  package init() {}
}

/// What a server sent so that the next request can ask whether anything changed (RFC 9110,
/// section 13.1).
package struct FetchValidators: Equatable, Sendable {
  package var entityTag: String?
  package var lastModified: String?

  package init(entityTag: String? = nil, lastModified: String? = nil) {
    self.entityTag = entityTag
    self.lastModified = lastModified
  }

  package var isEmpty: Bool { entityTag == nil && lastModified == nil }

  init(_ message: FetchMessage) {
    self.init(entityTag: message["etag"], lastModified: message["last-modified"])
  }

  func write(to message: inout FetchMessage) {
    message["etag"] = entityTag
    message["last-modified"] = lastModified
  }
}
