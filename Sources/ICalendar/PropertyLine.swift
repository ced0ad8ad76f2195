/// A content line in its parts (RFC 5545 3.1), for writing it again with some of them changed.
package struct PropertyLine: Sendable {
  /// In capitals.
  package let name: String
  /// In their order; the values are as written, with their quotes.
  private var parameters: [(name: String, value: [UInt8])] = []
  package var value: [UInt8]

  /// Reads a line without folds.
  package init(_ content: [UInt8]) {
    var name = ""
    var parameters: [(name: String, value: [UInt8])] = []
    value = content.withUnsafeBufferPointer { line in
      let view = ContentView(
        line, nameEnd: PropertyName.scan(line, from: 0, to: line.count).nameEnd)
      name = view.name.text.uppercased()
      view.forEachParameter { parameter, value in
        let isQuoted = value.upperBound < line.count && line[value.upperBound] == 0x22
        let range = isQuoted ? value.lowerBound - 1..<value.upperBound + 1 : value
        let parameterName = line.part(parameter.lowerBound, parameter.upperBound).text
        parameters.append((parameterName.uppercased(), Array(line[range])))
        return true
      }
      return Array(view.value)
    }
    self.name = name
    self.parameters = parameters
  }

  package init(name: String, value: String) {
    self.name = name
    self.value = Array(value.utf8)
  }

  /// The value of a parameter without its quotes; setting `nil` removes it.
  package subscript(parameter: String) -> String? {
    get {
      parameters.first { $0.name == parameter }.map { found in
        var text = String(decoding: found.value, as: UTF8.self)
        if text.hasPrefix("\""), text.hasSuffix("\""), text.utf8.count > 1 {
          text = String(text.dropFirst().dropLast())
        }
        return text
      }
    }
    set {
      let index = parameters.firstIndex { $0.name == parameter }
      guard let newValue else {
        parameters.removeAll { $0.name == parameter }
        return
      }
      let written = Self.written(newValue)
      if let index {
        parameters[index].value = written
      } else {
        parameters.append((parameter, written))
      }
    }
  }

  /// Keeps only the parameters with these names.
  package mutating func keepParameters(where isKept: (String) -> Bool) {
    parameters.removeAll { !isKept($0.name) }
  }

  /// The line without folds.
  package var content: [UInt8] {
    var line = Array(name.utf8)
    for parameter in parameters {
      line.append(UInt8(ascii: ";"))
      line += Array(parameter.name.utf8)
      line.append(UInt8(ascii: "="))
      line += parameter.value
    }
    return line + [UInt8(ascii: ":")] + value
  }

  /// The same text for lines that mean the same, although programs order and quote the parameters in
  /// different ways.
  package var comparable: String {
    var text = name
    let written = parameters.map { parameter in
      (name: parameter.name, value: self[parameter.name] ?? "")
    }
    for parameter in written.sorted(by: { ($0.name, $0.value) < ($1.name, $1.value) }) {
      text += ";\(parameter.name)=\(parameter.value)"
    }
    return text + ":" + String(decoding: value, as: UTF8.self)
  }

  /// With the escapes of RFC 6868, and in quotes if it needs them (RFC 5545 3.2).
  private static func written(_ value: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var needsQuotes = false
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "^"): bytes += Array("^^".utf8)
      case UInt8(ascii: "\""): bytes += Array("^'".utf8)
      case UInt8(ascii: "\n"): bytes += Array("^n".utf8)
      case 0..<0x20, 0x7f: continue
      default:
        needsQuotes = needsQuotes || ",;:".utf8.contains(byte)
        bytes.append(byte)
      }
    }
    return needsQuotes ? [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")] : bytes
  }
}
