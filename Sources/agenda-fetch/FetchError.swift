/// Why nothing was fetched. What stood under the file's name is there as before.
enum FetchError: Error {
  /// The command line was wrong: exit status 2.
  case wrongUsage(String)
  case noLibrary
  /// The server answered with something else than the file.
  case status(Int)
  case timeout(seconds: Int)
  case tooManyRedirects(most: Int)
  case forbiddenRedirect
  case tooLarge(limit: Int)
  case cutShort
  case notACalendar(what: String)
  /// What libcurl says.
  case transfer(String)
  /// A file that could not be read or written, with the system's reason.
  case file(String, reason: String)
}

extension FetchError: CustomStringConvertible {
  var description: String {
    switch self {
    case .wrongUsage(let message): message
    case .noLibrary: "libcurl 4 is not installed: on Debian it is the package libcurl4"
    case .status(let code): Self.words(forStatus: code)
    case .timeout(let seconds):
      "no complete answer within \(seconds) s: --timeout gives it longer"
    case .tooManyRedirects(let most): "more than \(most) redirects"
    case .forbiddenRedirect:
      "redirected to an address that is not followed: neither http nor https, or from https to http"
    case .tooLarge(let limit): "longer than \(limit) bytes: --max-size allows more"
    case .cutShort: "cut short on its way: there is no END:VCALENDAR at its end"
    case .notACalendar(let what):
      "answered with \(what), which is no calendar: a log-in page? (--any takes it all the same)"
    case .transfer(let words): words
    case .file(let path, let reason): "\(path): \(reason)"
    }
  }

  private static func words(forStatus code: Int) -> String {
    switch code {
    case 401: "401 Unauthorized: a name and password can stand in ~/.netrc"
    case 403: "403 Forbidden: is the address still the right one?"
    case 404: "404 Not Found"
    case 410: "410 Gone: the calendar was taken away for good"
    case 429: "429 Too Many Requests: ask less often"
    case 500...599: "\(code): the server has a problem of its own"
    default: "answered with status \(code)"
    }
  }
}
