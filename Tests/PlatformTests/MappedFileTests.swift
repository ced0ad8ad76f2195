import Platform
import TestSupport
import Testing

@Suite("Files as memory")
struct MappedFileTests {
  @Test("memory that was released has the same bytes again")
  func release() throws {
    var generator = SeededGenerator(seed: 3)
    let file = try TemporaryFile(in: "/tmp")
    var expected: [UInt8] = []
    for _ in 0..<30 {
      let count = Int.random(in: 0...50_000, using: &generator)
      let piece = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      _ = try file.append(piece)
      expected += piece
    }
    let mapped = try file.mapped()
    #expect(mapped.bytes.elementsEqual(expected))
    for _ in 0..<200 {
      let ends = [0, 0].map { _ in Int.random(in: -10...expected.count + 10, using: &generator) }
      mapped.release(min(ends[0], ends[1])..<max(ends[0], ends[1]))
      let place = Int.random(in: expected.indices, using: &generator)
      #expect(mapped.bytes[place] == expected[place])
    }
    mapped.release(expected.indices)
    #expect(mapped.bytes.elementsEqual(expected))
  }

  @Test("an empty file has no bytes")
  func empty() throws {
    let mapped = try TemporaryFile(in: "/tmp").mapped()
    mapped.release(0..<10)
    #expect(mapped.bytes.isEmpty)
  }
}
