internal import FetchProtocol
internal import Platform

/// Answers that arrived before their turn. A limited number of their bytes is kept in memory; the
/// rest waits in a temporary file.
struct WaitingAnswers {
  /// Enough for the answers of usual calendars. Larger ones wait in the file.
  private static let mostBytes = 8 << 20

  private let folder: String
  private let mostBytes: Int
  private var answers: [Int: FetchAnswer] = [:]
  /// Their numbers in the order of arrival.
  private var order: [Int] = []
  private var byteCount = 0
  private var file: TemporaryFile?
  /// Where the content of answers is in the file, by their numbers.
  private var places: [Int: Range<Int>] = [:]

  init(temporaryFolder: String, mostBytes: Int = WaitingAnswers.mostBytes) {
    folder = temporaryFolder
    self.mostBytes = mostBytes
  }

  mutating func add(_ answer: FetchAnswer) {
    var answer = answer
    if case .content(let bytes) = answer.outcome {
      if byteCount + bytes.count <= mostBytes {
        byteCount += bytes.count
      } else if let place = store(bytes) {
        places[answer.number] = place
        answer.outcome = .content([])
      }
    }
    answers[answer.number] = answer
    order.append(answer.number)
  }

  /// Removes the answer that arrived first, and returns it.
  mutating func removeFirst() throws(SourceError) -> FetchAnswer? {
    try order.first.map { number throws(SourceError) in try remove(number) } ?? nil
  }

  /// Removes the answer with that number, and returns it.
  mutating func remove(_ number: Int) throws(SourceError) -> FetchAnswer? {
    guard var answer = answers.removeValue(forKey: number) else { return nil }
    order.removeAll { $0 == number }
    if let place = places.removeValue(forKey: number) {
      do throws(SystemError) {
        answer.outcome = .content(try file?.bytes(in: place) ?? [])
      } catch {
        throw .system("cannot read the temporary file: \(error)")
      }
    } else if case .content(let bytes) = answer.outcome {
      byteCount -= bytes.count
    }
    return answer
  }

  /// `nil` if the disk is full; the bytes then stay in memory.
  private mutating func store(_ bytes: [UInt8]) -> Range<Int>? {
    if file == nil { file = try? TemporaryFile(in: folder) }
    return try? file?.append(bytes)
  }
}
