// Modules: SystemLibrary Platform CivilTime
// Shared: ZoneQuestions
import CivilTime

/// Any bytes as a TZif file: what is accepted must answer for every moment.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzZoneFile(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let contents = Array(UnsafeBufferPointer(start: bytes, count: count))
  if let file = try? ZoneFile(parsing: contents) {
    ZoneQuestions.ask(
      Zone(name: "fuzz", origin: .database, file: file),
      near: file.transitions.prefix(20).map(\.instant) + file.transitions.suffix(20).map(\.instant))
  }
  return 0
}
