// Modules: SystemLibrary Platform CivilTime
// Shared: ZoneQuestions
import CivilTime

/// Any bytes as a TZ rule: what is accepted must answer for every moment.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzZoneFooter(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = Array(UnsafeBufferPointer(start: bytes, count: count))
  if let footer = try? ZoneFooter(parsing: text[...]) {
    ZoneQuestions.ask(
      Zone(name: "fuzz", footer: footer),
      near: [-5_000_000_000, 951_782_400, 1_798_761_600, 4_102_444_800])
  }
  return 0
}
