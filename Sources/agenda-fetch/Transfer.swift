internal import CCurl

/// One request and its answer, within bounds of time, size and redirects.
struct Transfer {
  let address: RemoteAddress
  let limits: Limits

  struct Limits {
    /// For all of it, in seconds.
    var timeout = 60
    /// Of the body as it is after decompression, in bytes.
    var size = 64 << 20
    var redirects = 5
  }

  enum Answer {
    case body([UInt8], Validators)
    /// 304: what we have is what there is.
    case unchanged
  }

  /// Asks, with these validators only for what has changed since.
  func perform(_ library: CurlLibrary, knowing known: Validators) throws(FetchError) -> Answer {
    guard let handle = library.easyInit() else { throw .transfer("libcurl cannot start") }
    defer { library.cleanup(handle) }
    let reception = Reception(limit: limits.size)
    var list: UnsafeMutableRawPointer?
    for field in known.fields + ["Accept: text/calendar, */*;q=0.5"] {
      list = library.append(list, field)
    }
    defer { library.freeList(list) }
    let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(agenda_curl_error_size))
    words.initialize(repeating: 0, count: Int(agenda_curl_error_size))
    defer { words.deallocate() }

    configure(handle, library)
    set(handle, library, agenda_curl_error_buffer, words)
    set(handle, library, agenda_curl_headers, list)
    let context = Unmanaged.passUnretained(reception).toOpaque()
    set(handle, library, agenda_curl_write_data, context)
    set(handle, library, agenda_curl_header_data, context)
    _ = agenda_curl_set_function(
      library.setOption, handle, Int32(agenda_curl_write_function.rawValue)
    ) { bytes, size, count, context in
      Reception.of(context)?.take(bytes, size &* count) ?? 0
    }
    _ = agenda_curl_set_function(
      library.setOption, handle, Int32(agenda_curl_header_function.rawValue)
    ) { bytes, size, count, context in
      Reception.of(context)?.takeHeader(bytes, size &* count) ?? 0
    }

    let code = withExtendedLifetime(reception) { library.perform(handle) }
    let status = Int(agenda_curl_status(library.getInformation, handle))
    guard code == Int32(agenda_curl_ok.rawValue) else {
      if reception.isTooLarge { throw .tooLarge(limit: limits.size) }
      let said = String(cString: words)
      let usual = library.words(code).map { String(cString: $0) } ?? "error \(code)"
      throw error(code, status, said.isEmpty ? usual : said)
    }
    if status == 304, !known.isEmpty { return .unchanged }
    guard (200...299).contains(status) else { throw .status(status) }
    return .body(reception.body, reception.validators)
  }

  private func configure(_ handle: UnsafeMutableRawPointer, _ library: CurlLibrary) {
    func set(_ option: agenda_curl_option, _ number: Int) {
      _ = agenda_curl_set_long(library.setOption, handle, Int32(option.rawValue), number)
    }
    set(agenda_curl_no_signal, 1)
    set(agenda_curl_fail_on_error, 1)
    set(agenda_curl_netrc, Int(agenda_curl_netrc_optional))
    set(agenda_curl_timeout_option, limits.timeout)
    set(agenda_curl_connect_timeout, limits.timeout)
    set(agenda_curl_follow_location, 1)
    set(agenda_curl_most_redirects, limits.redirects)
    let encrypted = Int(agenda_curl_protocol_https)
    let allowed = address.isEncrypted ? encrypted : encrypted | Int(agenda_curl_protocol_http)
    set(agenda_curl_protocols, allowed)
    set(agenda_curl_redirect_protocols, allowed)
    _ = agenda_curl_set_size(
      library.setOption, handle, Int32(agenda_curl_most_bytes.rawValue), Int64(limits.size))
    // libcurl copies the texts.
    self.set(handle, library, agenda_curl_url, text: address.url)
    self.set(handle, library, agenda_curl_user_agent, text: "agenda-fetch/\(agendaVersion)")
    // The empty text: whatever compression the library knows.
    self.set(handle, library, agenda_curl_accept_encoding, text: "")
  }

  private func set(
    _ handle: UnsafeMutableRawPointer, _ library: CurlLibrary, _ option: agenda_curl_option,
    text: String
  ) {
    text.withCString { set(handle, library, option, $0) }
  }

  private func set(
    _ handle: UnsafeMutableRawPointer, _ library: CurlLibrary, _ option: agenda_curl_option,
    _ pointer: UnsafeRawPointer?
  ) {
    _ = agenda_curl_set_pointer(library.setOption, handle, Int32(option.rawValue), pointer)
  }

  private func error(_ code: Int32, _ status: Int, _ words: String) -> FetchError {
    switch UInt32(bitPattern: code) {
    case agenda_curl_http_error.rawValue: .status(status)
    case agenda_curl_timeout.rawValue: .timeout(seconds: limits.timeout)
    case agenda_curl_too_many_redirects.rawValue: .tooManyRedirects(most: limits.redirects)
    case agenda_curl_too_large.rawValue: .tooLarge(limit: limits.size)
    case agenda_curl_unsupported_protocol.rawValue: .forbiddenRedirect
    default: .transfer(words)
    }
  }
}

/// Gathers an answer while libcurl hands it over in pieces.
private final class Reception {
  private(set) var body: [UInt8] = []
  private(set) var validators = Validators()
  private(set) var isTooLarge = false
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  static func of(_ context: UnsafeMutableRawPointer?) -> Reception? {
    context.map { Unmanaged<Reception>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Answers how much it took: less than there is ends the transfer.
  func take(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    guard body.count + count <= limit else {
      isTooLarge = true
      return 0
    }
    body += UnsafeRawBufferPointer(start: bytes, count: count)
    return count
  }

  func takeHeader(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    validators.read(header: UnsafeRawBufferPointer(start: bytes, count: count))
    return count
  }
}
