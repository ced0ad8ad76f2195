internal import CCurl

/// Owns a handle of libcurl for one request at a time.
protocol CurlOwner {
  var handle: UnsafeMutableRawPointer { get }
}

extension CurlOwner {
  func set(_ option: CURLoption, _ number: Int) {
    _ = agenda_curl_set_long(handle, option, number)
  }

  /// libcurl copies texts.
  func set(_ option: CURLoption, text: String?) {
    guard let text else { return set(option, pointer: nil) }
    text.withCString { set(option, pointer: $0) }
  }

  func set(_ option: CURLoption, pointer: UnsafeRawPointer?) {
    _ = agenda_curl_set_pointer(handle, option, pointer)
  }
}

extension CURLcode {
  /// Whether the connection broke, so that the same request can succeed on another one.
  var isInterruption: Bool {
    switch self {
    case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2,
      CURLE_HTTP2_STREAM:
      true
    default: false
    }
  }
}
