// Modules: SystemLibrary Platform FetchProtocol
import FetchProtocol

/// What agenda and agenda-fetch write to each other: any bytes are refused or read, and what was read
/// and written again is read as the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMessages(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var reader = FetchMessageReader()
  // In two pieces, as a pipe gives them.
  let input = UnsafeBufferPointer(start: bytes, count: count)
  let cut = count == 0 ? 0 : Int(input[count - 1]) % (count + 1)
  do {
    for piece in [input.prefix(cut), input.dropFirst(cut)] {
      reader.append(piece)
      while let message = try reader.next() { check(message) }
    }
  } catch {}
  return 0
}

private func check(_ message: FetchMessage) {
  var again = FetchMessageReader()
  again.append(message.encoded())
  guard let read = try? again.next(), read == message, again.isAtBoundary else {
    fatalError("read again as another message")
  }
  _ = FetchAnswer(message)
  _ = FetchRequest(message)
  _ = ServerAnswer(message)
  _ = ServerRequest(message)
}
