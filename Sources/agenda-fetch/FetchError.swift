internal import CCurl
internal import FetchProtocol

/// The reason why the program cannot do its task.
enum FetchError: Error {
  /// The command line was wrong: exit status 2.
  case wrongUsage(String)
  /// Standard input is not a list of requests.
  case malformedRequests
  case failed(FetchFailure, at: String)
  /// A file that could not be read or written, with the system's reason.
  case file(String, reason: String)
}

extension FetchError: CustomStringConvertible {
  var description: String {
    switch self {
    case .wrongUsage(let message): message
    case .malformedRequests: "standard input is not a list of requests from agenda"
    case .failed(let failure, let address): "\(address): \(failure)"
    case .file(let path, let reason): "\(path): \(reason)"
    }
  }
}

/// The messages about failed downloads.
extension FetchError {
  static func tooLarge(limit: Int) -> FetchFailure {
    FetchFailure("larger than \(limit) bytes", hint: "--max-size allows more")
  }

  static func proxyRefusal(status: Int) -> FetchFailure {
    FetchFailure(
      status == 407
        ? "the proxy asks for a user name and password (407)"
        : "the proxy refused the connection (\(status))",
      hint: "the variables https_proxy, http_proxy and no_proxy choose the proxy")
  }

  /// `sentPassword`: whether the server got a user name and a password.
  static func failure(status: Int, sentPassword: Bool = false) -> FetchFailure {
    switch status {
    case 401 where sentPassword:
      FetchFailure(
        "the user name or password was refused (401)",
        hint: "correct it in ~/.netrc, in the address or in --password-command", status: status)
    case 401:
      FetchFailure(
        "not authorised (401)", hint: "~/.netrc can hold the user name and password",
        status: status)
    case 403: FetchFailure("access denied (403)", status: status)
    case 404: FetchFailure("not found (404)", status: status)
    case 407: FetchFailure("the proxy asks for a user name and password (407)", status: status)
    case 410: FetchFailure("gone for good (410)", status: status)
    case 429: FetchFailure("too many requests (429)", status: status)
    case 503: FetchFailure("temporarily unavailable (503)", status: status)
    case 500...599: FetchFailure("server error (\(status))", status: status)
    default: FetchFailure("unexpected status \(status)", status: status)
    }
  }

  /// `detail` is libcurl's text.
  static func failure(
    _ code: CURLcode, detail: String, address: RemoteAddress, seconds: Int
  ) -> FetchFailure {
    switch code {
    case CURLE_OPERATION_TIMEDOUT:
      return FetchFailure("no complete answer within \(seconds) s", hint: "--timeout allows more")
    case CURLE_UNSUPPORTED_PROTOCOL: return FetchFailure("libcurl does not support this address")
    case CURLE_COULDNT_RESOLVE_HOST: return FetchFailure("unknown host")
    case CURLE_COULDNT_RESOLVE_PROXY:
      return FetchFailure(
        "unknown proxy", hint: "the variables https_proxy, http_proxy and no_proxy choose the proxy"
      )
    case CURLE_COULDNT_CONNECT:
      return FetchFailure("no connection (\(detail))", hint: address.isEncrypted ? tlsHint : nil)
    case CURLE_GOT_NOTHING:
      return FetchFailure("the server closed the connection without an answer")
    case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
      return FetchFailure("interrupted (\(detail))")
    case CURLE_SSL_CONNECT_ERROR where isPlainAnswer(detail):
      return FetchFailure("the server answered without TLS", hint: tlsHint)
    case CURLE_SSL_CONNECT_ERROR: return FetchFailure("no TLS connection (\(detail))")
    case CURLE_PEER_FAILED_VERIFICATION:
      return FetchFailure(
        "the certificate is not trusted (\(detail))",
        hint: "--cacert names a file of certificates to trust")
    case CURLE_SSL_CACERT_BADFILE: return FetchFailure("cannot read the certificates to trust")
    default: return FetchFailure(detail)
    }
  }

  private static let tlsHint = "if it supports only http, begin the address with http://"

  /// OpenSSL and GnuTLS, reading the first bytes of an HTTP answer as TLS.
  private static func isPlainAnswer(_ detail: String) -> Bool {
    ["wrong version number", "packet length", "unexpected TLS packet", "unknown protocol"]
      .contains { detail.contains($0) }
  }
}
