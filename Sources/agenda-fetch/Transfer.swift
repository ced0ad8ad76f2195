internal import CCurl
internal import FetchProtocol
internal import Platform

/// One request until its answer: redirects are followed here, and an interrupted transfer gets a
/// second attempt. libcurl's own following of redirects is off, so that each new address is checked
/// and no credentials leave their origin.
final class Transfer: CurlOwner {
  let request: FetchRequest
  let handle: UnsafeMutableRawPointer
  private let trust: Trust
  private var address: RemoteAddress
  private let mostRedirects: Int
  private let takesAnything: Bool
  private let deadline: ContinuousClock.Instant
  private let reception: Reception
  private let words: UnsafeMutablePointer<CChar>
  private var headerList: UnsafeMutablePointer<curl_slist>?
  private var redirects = 0
  private var wasInterrupted = false
  /// The address after the leading permanent redirects.
  private var movedTo: RemoteAddress?
  private var isMovePermanent = true

  /// Of a connection, in seconds: a host that drops packets should not hold its place for long.
  private static let longestConnect = 20

  /// Starts the clock of `request`.
  init(
    _ request: FetchRequest, trust: Trust, mostRedirects: Int, takesAnything: Bool
  ) throws(FetchFailure) {
    address = try RemoteAddress(request.address)
    guard let handle = curl_easy_init() else { throw FetchFailure("libcurl cannot start") }
    self.request = request
    self.handle = handle
    self.trust = trust
    self.mostRedirects = mostRedirects
    self.takesAnything = takesAnything
    deadline = .now + .seconds(request.limits.seconds)
    reception = Reception(limit: request.limits.bytes)
    words = .allocate(capacity: Int(CURL_ERROR_SIZE))
    words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    configure()
    configureAddress()
  }

  deinit {
    curl_easy_cleanup(handle)
    curl_slist_free_all(headerList)
    words.deallocate()
  }

  /// The host that requests are counted by.
  var origin: String { address.origin }

  enum Step {
    /// The handle is ready for another request.
    case again
    case done(FetchAnswer)
  }

  /// What follows after libcurl ended a transfer with `code`.
  func finish(_ code: CURLcode) -> Step {
    do throws(FetchFailure) {
      let proxyStatus = agenda_curl_long(handle, CURLINFO_HTTP_CONNECTCODE)
      if proxyStatus != 0, !(200...299).contains(proxyStatus) {
        throw FetchError.proxyRefusal(status: proxyStatus)
      }
      if code != CURLE_OK, code != CURLE_HTTP_RETURNED_ERROR {
        if !wasInterrupted, code.isInterruption, !reception.isTooLarge, deadline > .now {
          wasInterrupted = true
          return again()
        }
        throw failure(code)
      }
      let status = agenda_curl_long(handle, CURLINFO_RESPONSE_CODE)
      if let target = agenda_curl_text(handle, CURLINFO_REDIRECT_URL) {
        try redirect(to: String(cString: target), isPermanent: status == 301 || status == 308)
        return again()
      }
      if status == 304, !request.validators.isEmpty { return .done(answer(.unchanged)) }
      guard (200...299).contains(status) else {
        throw FetchError.failure(
          status: status,
          sentPassword: request.password != nil || address.credentials?.password != nil
            || reception.refusals > 1)
      }
      if !takesAnything { try CalendarCheck(reception.body).run() }
      return .done(answer(.content(reception.body)))
    } catch {
      var answer = answer(.failed(error))
      answer.movedTo = nil
      return .done(answer)
    }
  }

  private func answer(_ outcome: FetchAnswer.Outcome) -> FetchAnswer {
    var answer = FetchAnswer(number: request.number, outcome: outcome)
    answer.validators = reception.validators
    answer.headers = reception.headers
    answer.movedTo = movedTo?.text
    return answer
  }

  private func again() -> Step {
    reception.clear()
    words[0] = 0
    configureAddress()
    return .again
  }

  private func redirect(to text: String, isPermanent: Bool) throws(FetchFailure) {
    redirects += 1
    guard redirects <= mostRedirects else {
      throw FetchFailure("more than \(mostRedirects) redirects")
    }
    address = try address.redirected(to: text)
    isMovePermanent = isMovePermanent && isPermanent
    if isMovePermanent { movedTo = address }
  }

  // MARK: libcurl

  private func configure() {
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_FAILONERROR, 1)
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_NETRC, Int(CURL_NETRC_OPTIONAL.rawValue))
    set(CURLOPT_HTTPAUTH, agenda_curl_basic_or_digest)
    _ = agenda_curl_allow_http_only(handle)
    set(CURLOPT_USERAGENT, text: "agenda-fetch/\(agendaVersion)")
    // The empty text: every compression that the library knows.
    set(CURLOPT_ACCEPT_ENCODING, text: "")
    set(CURLOPT_ERRORBUFFER, pointer: words)
    if let file = request.certificates ?? trust.file { set(CURLOPT_CAINFO, text: file) }
    if request.certificates == nil, let folder = trust.folder {
      set(CURLOPT_CAPATH, text: folder)
    }
    for field in request.validators.fields + ["Accept: text/calendar, */*;q=0.5"] {
      headerList = curl_slist_append(headerList, field)
    }
    set(CURLOPT_HTTPHEADER, pointer: headerList)
    // The reception lives as long as this object, and libcurl's handle no longer than that.
    let context = Unmanaged.passUnretained(reception).toOpaque()
    set(CURLOPT_WRITEDATA, pointer: context)
    set(CURLOPT_HEADERDATA, pointer: context)
    _ = agenda_curl_set_receiver(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      Reception.of(context)?.take(bytes, size &* count) ?? 0
    }
    _ = agenda_curl_set_receiver(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      Reception.of(context)?.takeHeader(bytes, size &* count) ?? 0
    }
  }

  private func configureAddress() {
    set(CURLOPT_URL, text: address.url)
    // One connection with HTTP/2 carries several requests, if the server agrees. Over http that is
    // known only after the first answer.
    set(CURLOPT_PIPEWAIT, address.isEncrypted ? 1 : 0)
    let left = max(1, Int((deadline - .now) / .milliseconds(1)))
    set(CURLOPT_TIMEOUT_MS, left)
    set(CURLOPT_CONNECTTIMEOUT_MS, min(left, Self.longestConnect * 1_000))
    let original = try? RemoteAddress(request.address)
    let isHome = original?.origin == address.origin
    let user = isHome ? request.user ?? address.credentials?.user : nil
    let password = isHome ? request.password ?? address.credentials?.password : nil
    set(CURLOPT_USERNAME, text: user)
    set(CURLOPT_PASSWORD, text: password)
  }

  private func failure(_ code: CURLcode) -> FetchFailure {
    if reception.isTooLarge { return FetchError.tooLarge(limit: request.limits.bytes) }
    if code == CURLE_OPERATION_TIMEDOUT, deadline - .now > .seconds(1) {
      return FetchFailure("no connection within \(Self.longestConnect) s")
    }
    let detail = String(cString: words)
    return FetchError.failure(
      code, detail: detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail,
      address: address, seconds: request.limits.seconds)
  }
}

/// Where the certificates of authorities are, if not where libcurl looks by itself.
struct Trust {
  var file: String?
  var folder: String?

  /// The same variables in the same order as the program `curl`.
  init(variable: (String) -> String?) {
    func filled(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
    file = filled("CURL_CA_BUNDLE") ?? filled("SSL_CERT_FILE")
    folder = filled("CURL_CA_BUNDLE") == nil ? filled("SSL_CERT_DIR") : nil
  }
}
