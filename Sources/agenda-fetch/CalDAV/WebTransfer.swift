internal import CCurl
internal import FetchProtocol
internal import Platform

/// One request until its answer: redirects, the choice of the authentication, and a second attempt
/// after an interruption. An answer of any status is handed over; only a failed transfer throws.
final class WebTransfer: CurlOwner {
  let handle: UnsafeMutableRawPointer
  private var request: WebRequest
  private let login: ServerLogin
  private let access: ServerAccess
  private let trust: Trust
  private let words: UnsafeMutablePointer<CChar>
  private var headerList: UnsafeMutablePointer<curl_slist>?
  private let deadline: ContinuousClock.Instant
  private let reception: WebReception
  private var redirects = 0
  private var wasInterrupted = false
  private var sentCredentials = false

  /// As for subscriptions; more are a circle.
  private static let mostRedirects = 5
  /// Of a connection, in seconds: a host that drops packets should not hold its place for long.
  private static let longestConnect = 20

  init(
    _ request: WebRequest, _ login: ServerLogin, _ access: ServerAccess, _ trust: Trust
  ) throws(FetchFailure) {
    guard let handle = curl_easy_init() else { throw FetchFailure("libcurl cannot start") }
    self.handle = handle
    self.request = request
    self.login = login
    self.access = access
    self.trust = trust
    words = .allocate(capacity: Int(CURL_ERROR_SIZE))
    words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    deadline = .now + .seconds(login.limits.seconds)
    reception = WebReception(limit: login.limits.bytes)
    configure()
  }

  deinit {
    curl_easy_cleanup(handle)
    curl_slist_free_all(headerList)
    words.deallocate()
  }

  enum Step {
    /// The handle is ready for another request.
    case again
    case done(WebAnswer)
  }

  /// What follows after libcurl ended a transfer with `code`.
  func finish(_ code: CURLcode) throws(FetchFailure) -> Step {
    let proxyStatus = agenda_curl_long(handle, CURLINFO_HTTP_CONNECTCODE)
    if proxyStatus != 0, !(200...299).contains(proxyStatus) {
      throw FetchError.proxyRefusal(status: proxyStatus)
    }
    guard code == CURLE_OK else {
      if !wasInterrupted, request.isRepeatable, code.isInterruption, !reception.isTooLarge,
        deadline > .now
      {
        wasInterrupted = true
        return again()
      }
      throw failure(code)
    }
    let status = agenda_curl_long(handle, CURLINFO_RESPONSE_CODE)
    if [301, 302, 307, 308].contains(status), let target = reception.fields.location {
      redirects += 1
      guard redirects <= Self.mostRedirects else {
        throw FetchFailure("more than \(Self.mostRedirects) redirects")
      }
      let address = try request.address.resolving(target)
      try access.check(address)
      request.address = address
      return again()
    }
    if status == 401, access.learn(reception.fields.schemes) { return again() }
    return .done(
      WebAnswer(
        status: status, address: request.address, fields: reception.fields,
        body: reception.body, hadCredentials: sentCredentials))
  }

  private func again() -> Step {
    reception.clear()
    words[0] = 0
    configureAddress()
    return .again
  }

  // MARK: libcurl

  private func configure() {
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_FOLLOWLOCATION, 0)
    _ = agenda_curl_allow_http_only(handle)
    set(CURLOPT_USERAGENT, text: "agenda-fetch/\(agendaVersion)")
    set(CURLOPT_ACCEPT_ENCODING, text: "")
    set(CURLOPT_ERRORBUFFER, pointer: words)
    if let file = login.certificates ?? trust.file { set(CURLOPT_CAINFO, text: file) }
    if login.certificates == nil, let folder = trust.folder { set(CURLOPT_CAPATH, text: folder) }
    set(CURLOPT_CUSTOMREQUEST, text: request.method)
    if let body = request.body {
      set(CURLOPT_POSTFIELDSIZE, body.count)
      body.withUnsafeBytes { set(CURLOPT_COPYPOSTFIELDS, pointer: $0.baseAddress) }
    }
    let context = Unmanaged.passUnretained(reception).toOpaque()
    set(CURLOPT_WRITEDATA, pointer: context)
    set(CURLOPT_HEADERDATA, pointer: context)
    _ = agenda_curl_set_receiver(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      WebReception.of(context)?.take(bytes, size &* count) ?? 0
    }
    _ = agenda_curl_set_receiver(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      WebReception.of(context)?.takeHeader(bytes, size &* count) ?? 0
    }
    configureAddress()
  }

  private func configureAddress() {
    set(CURLOPT_URL, text: request.address.url)
    set(CURLOPT_PIPEWAIT, request.address.isEncrypted ? 1 : 0)
    let left = max(1, Int((deadline - .now) / .milliseconds(1)))
    set(CURLOPT_TIMEOUT_MS, left)
    set(CURLOPT_CONNECTTIMEOUT_MS, min(left, Self.longestConnect * 1_000))
    var fields = request.fields + ["Expect:"]
    let isTrusted = access.isTrusted(request.address)
    sentCredentials = isTrusted && (login.token != nil || login.password != nil)
    if isTrusted, let token = login.token { fields.append("Authorization: Bearer \(token)") }
    let usesPassword = isTrusted && login.token == nil
    set(CURLOPT_USERNAME, text: usesPassword ? login.user : nil)
    set(CURLOPT_PASSWORD, text: usesPassword ? login.password : nil)
    // With a single scheme, libcurl sends Basic credentials at once. Radicale answers without them as
    // if nobody had any calendars.
    set(
      CURLOPT_HTTPAUTH, access.usesDigest ? agenda_curl_digest : agenda_curl_basic)
    set(
      CURLOPT_NETRC,
      Int((usesPassword ? CURL_NETRC_OPTIONAL : CURL_NETRC_IGNORED).rawValue))
    curl_slist_free_all(headerList)
    headerList = nil
    for field in fields { headerList = curl_slist_append(headerList, field) }
    set(CURLOPT_HTTPHEADER, pointer: headerList)
  }

  private func failure(_ code: CURLcode) -> FetchFailure {
    if reception.isTooLarge { return FetchError.tooLarge(limit: login.limits.bytes) }
    if code == CURLE_OPERATION_TIMEDOUT, deadline - .now > .seconds(1) {
      return FetchFailure("no connection within \(Self.longestConnect) s")
    }
    let detail = String(cString: words)
    return FetchError.failure(
      code, detail: detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail,
      address: request.address, seconds: login.limits.seconds)
  }
}

/// Where the credentials of an account may go, and how they are sent.
final class ServerAccess {
  private let login: ServerLogin
  private var origins: Set<String>
  private(set) var usesDigest = false

  init(_ login: ServerLogin) {
    self.login = login
    origins = Set(
      login.trustedOrigins.compactMap { (try? RemoteAddress($0))?.origin })
  }

  /// An address that the user named.
  func trust(_ address: RemoteAddress) { origins.insert(address.origin) }

  func isTrusted(_ address: RemoteAddress) -> Bool { origins.contains(address.origin) }

  /// Throws if the account must not be used at an address.
  func check(_ address: RemoteAddress) throws(FetchFailure) {
    guard address.isEncrypted || address.isLoopback else {
      throw FetchFailure(
        "a password is not sent without encryption; begin the address with https://")
    }
    guard isTrusted(address) else {
      throw FetchFailure(
        "the server redirects to \(address.origin)",
        hint: "--trust \(address.origin) lets agenda send your credentials there",
        untrustedOrigin: address.origin)
    }
  }

  /// Learns from the schemes of a 401. Returns whether another attempt can succeed.
  func learn(_ schemes: [String]) -> Bool {
    guard login.token == nil, !usesDigest, schemes.contains("digest"),
      !schemes.contains("basic")
    else { return false }
    usesDigest = true
    return true
  }
}

/// Gathers an answer while libcurl hands it over in pieces.
final class WebReception {
  private(set) var body: [UInt8] = []
  private(set) var fields = ServerFields()
  private(set) var isTooLarge = false
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  static func of(_ context: UnsafeMutableRawPointer?) -> WebReception? {
    context.map { Unmanaged<WebReception>.fromOpaque($0).takeUnretainedValue() }
  }

  func clear() {
    body = []
    isTooLarge = false
    fields = ServerFields()
  }

  /// Returns how much it took; less than `count` ends the transfer.
  func take(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    guard body.count + count <= limit else {
      isTooLarge = true
      return 0
    }
    body += UnsafeRawBufferPointer(start: bytes, count: count)
    return count
  }

  func takeHeader(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    fields.read(
      String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self))
    return count
  }
}
