// Modules: SystemLibrary Platform ICalendar
// Seeds: Fixtures/quirks Fixtures/fuzz/CalendarReader
internal import ICalendar

/// Everything that libical is given: each kind of value and parameter, prepared as the reader
/// prepares it, and whole components for its line parser. `build-libraries` lets libical itself run
/// under the sanitizers, too.
private let types: [ValueType] = [
  .text, .address, .uri, .attachment, .status, .transparency, .classification, .action, .method,
]
private let parameters: [ParameterName] = [
  .commonName, .email, .participation, .role, .userType, .mediaType, .fileName, .label, .feature,
  .other,
]

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLibicalValues(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = UnsafeBufferPointer(start: bytes, count: count)
  // The first byte chooses, so that one mutation reaches another kind.
  guard let choice = input.first.map(Int.init) else { return 0 }
  let value = Bytes(rebasing: input.dropFirst())
  switch choice % 23 {
  case 0: check(PropertyValue.text(value), value)
  case 1: for item in PropertyValue.list(value) { check(item, value) }
  case 2...10: check(PropertyValue.string(value, types[choice % 23 - 2]), value)
  case 11...20: check(ParameterValue.text(value, parameters[choice % 23 - 11]), value)
  default: checkComponents(value)
  }
  return 0
}

/// Transcoding makes at most three bytes of one, and libical's keywords are short.
private func check(_ text: String, _ value: Bytes) {
  precondition(text.utf8.count <= 3 * value.count + 32)
  precondition(!text.utf8.contains(0))
}

/// Components as the reader's cutter gives them: from a BEGIN line to the end of the input.
private func checkComponents(_ input: Bytes) {
  guard var check = LibicalCheck(isTime: { $0.count >= 8 }) else { return }
  for _ in 0..<2 {
    for problem in check.problems(of: 0..<input.count, firstLine: 1, in: input) {
      precondition(problem.line.end <= input.count)
    }
  }
}
