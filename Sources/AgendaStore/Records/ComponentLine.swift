/// On which line of its document a component began at the last import.
///
/// They are kept beside the components, all of an edition in one value: a line that is put in at
/// the top of a file moves all of them, and what did not change is not written.
struct ComponentLine {
  var component: Int
  var line: Int

  static func bytes(_ lines: [ComponentLine]) -> [UInt8] {
    var writer = PackedBytesWriter()
    var last = ComponentLine(component: 0, line: 0)
    for next in lines {
      writer.add(next.component &- last.component)
      writer.add(next.line &- last.line)
      last = next
    }
    return writer.bytes
  }

  static func line(of component: Int, in bytes: [UInt8]) -> Int? {
    var reader = PackedBytesReader(bytes)
    var last = ComponentLine(component: 0, line: 0)
    while let step = reader.number(), let lines = reader.number() {
      last.component &+= step
      last.line &+= lines
      if last.component == component { return last.line }
    }
    return nil
  }
}
