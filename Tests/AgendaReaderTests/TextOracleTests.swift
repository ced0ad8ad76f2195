import Foundation
import ICalendar
import TestSupport
import Testing

/// What libical makes of texts and parameters, compared with a decoder of our own.
@Suite("Texts by libical")
struct TextOracleTests {
  /// Compares every content line of a component, whatever its property is.
  private func compare(_ component: [UInt8]) {
    let room = UnfoldingBuffer()
    component.withUnsafeBufferPointer { bytes in
      var cursor = LineCursor(bytes, from: 0, to: bytes.count)
      while let line = cursor.next() {
        let nameEnd = room.name(of: line, in: bytes).nameEnd
        let view = room.view(PropertySlot(line: line, nameEnd: nameEnd), of: bytes)
        compareText(view.value)
        view.forEachParameter { _, value in
          compareParameter(view.bytes.part(value.lowerBound, value.upperBound))
          return true
        }
      }
    }
  }

  private func compareText(_ value: Bytes) {
    // A C string ends at a NUL, which the reader drops before.
    let plain = value.filter { $0 != 0 }
    plain.withUnsafeBufferPointer { value in
      #expect(PropertyValue.text(value) == OwnTextDecoder.text(value), "\(value.text)")
      #expect(PropertyValue.list(value) == OwnTextDecoder.list(value), "\(value.text)")
      #expect(PropertyValue.string(value, .uri) == value.trimmed.text, "\(value.text)")
      #expect(PropertyValue.string(value, .address) == value.trimmed.text, "\(value.text)")
      for type in [ValueType.status, .transparency, .classification, .action, .method] {
        #expect(
          PropertyValue.string(value, type).uppercased() == value.trimmed.text.uppercased(),
          "\(value.text)")
      }
    }
  }

  private func compareParameter(_ value: Bytes) {
    let plain = value.filter { $0 != 0 }
    plain.withUnsafeBufferPointer { value in
      let own = OwnTextDecoder.parameter(value)
      for name in [ParameterName.commonName, .email, .mediaType, .fileName, .label, .other] {
        #expect(ParameterValue.text(value, name) == own, "\(value.text)")
      }
      for name in [ParameterName.participation, .role, .userType, .feature] {
        #expect(ParameterValue.text(value, name).uppercased() == own.uppercased(), "\(value.text)")
      }
    }
  }

  // Checks RFC 5545: 3.3.11/2
  @Test("every line of the fixtures gives the same text", arguments: FixtureTests.quirks)
  func fixtures(_ name: String) throws {
    let file = FixtureTests.folder.appending(path: "quirks/\(name).ics")
    compare(Array(try Data(contentsOf: file)))
  }

  @Test("mutants of the fixtures give the same text")
  func mutants() {
    var generator = SeededGenerator(seed: 11)
    for number in 0..<1000 * TestSettings.rounds {
      let component = MutantTests.components[number % MutantTests.components.count]
      compare(Mutation.mutate(component, with: &generator))
    }
  }

  // Checks RFC 5545: 3.3.11/3
  @Test(
    "a backslash that starts no escape stays",
    arguments: [
      ("C:\\Users\\temp", "C:\\Users\\temp"), ("a\\", "a\\"), ("\\\\n", "\\n"), ("a\\nb", "a\nb"),
      ("https\\://a", "https://a"), ("\\,\\;\\\"", ",;\""), ("\\ü", "\\ü"),
    ])
  func backslashes(value: String, text: String) {
    var value = value
    #expect(value.withUTF8 { PropertyValue.text($0) } == text)
  }

  @Test("values are made on several threads at once")
  func threads() async {
    let value = Array("R\\,sumé \\\\ of\\nall".utf8)
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          (0..<2000).count { _ in
            value.withUnsafeBufferPointer { PropertyValue.text($0) } == "R,sumé \\ of\nall"
          }
        }
      }
      for await count in group { #expect(count == 2000) }
    }
  }
}
