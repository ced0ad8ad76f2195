/// A sentence about a problem. Its marked pieces may differ between problems of one kind.
package struct Sentence: Hashable, Sendable {
  /// The meaning of a marked piece. All other text distinguishes kinds of problems.
  package enum Role: Int, Sendable {
    /// Only the digits may differ.
    case numbered
    case varying
    /// A finding about several problems lists their pieces.
    case listed
    /// A place in the source, which an edit may move.
    case position
  }

  private struct Piece: Hashable {
    /// In bytes of UTF-8.
    let start: Int32
    let end: Int32
    let role: Role
  }

  package private(set) var text: String
  private var pieces: [Piece] = []

  /// What problems of one kind have in common.
  package var kind: String {
    replacing { role, piece in
      guard role == .numbered else { return "" }
      return String(decoding: piece.utf8.filter { !(0x30...0x39).contains($0) }, as: UTF8.self)
    }
  }

  /// What a problem of the same source has in common with it, except for the listed pieces.
  package var withoutListed: String {
    replacing { role, piece in role == .numbered || role == .varying ? String(piece) : "" }
  }

  /// The first listed piece.
  package var listed: String? {
    pieces.first { $0.role == .listed }.map { String(self[$0]) }
  }

  private func replacing(_ replacement: (Role, Substring) -> String) -> String {
    guard !pieces.isEmpty else { return text }
    var result = ""
    var index = text.startIndex
    for piece in pieces {
      let part = self[piece]
      result += text[index..<part.startIndex]
      result += replacement(piece.role, part)
      index = part.endIndex
    }
    return result + text[index...]
  }

  private subscript(piece: Piece) -> Substring {
    let start = text.utf8.index(text.startIndex, offsetBy: Int(piece.start))
    return text[start..<text.utf8.index(start, offsetBy: Int(piece.end - piece.start))]
  }
}

// MARK: Marks

extension Sentence {
  /// The marked pieces: the start, the end and the role of each.
  package var marks: [Int] {
    pieces.flatMap { [Int($0.start), Int($0.end), $0.role.rawValue] }
  }

  /// Marks that do not fit the text are left out.
  package init(_ text: String, marks: [Int] = []) {
    self.text = text
    var end = 0
    for index in stride(from: 0, to: marks.count - 2, by: 3) {
      guard let role = Role(rawValue: marks[index + 2]), marks[index] >= end,
        marks[index + 1] >= marks[index], marks[index + 1] <= text.utf8.count
      else { continue }
      end = marks[index + 1]
      pieces.append(Piece(start: Int32(marks[index]), end: Int32(end), role: role))
    }
  }
}

// MARK: Interpolation

extension Sentence: ExpressibleByStringInterpolation {
  package init(stringLiteral value: String) { text = value }

  package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.sentence }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var sentence = Sentence(stringLiteral: "")

    package init(literalCapacity: Int, interpolationCount: Int) {
      sentence.text.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    package mutating func appendLiteral(_ literal: String) { sentence.text += literal }

    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      sentence.text += value.description
    }

    package mutating func appendInterpolation(_ part: Sentence) { sentence += part }

    package mutating func appendInterpolation(numbered value: String) { mark(value, .numbered) }
    package mutating func appendInterpolation(listed value: String) { mark(value, .listed) }
    package mutating func appendInterpolation(varying value: some CustomStringConvertible) {
      mark(value.description, .varying)
    }
    package mutating func appendInterpolation(position value: Int) { mark("\(value)", .position) }

    private mutating func mark(_ value: String, _ role: Role) {
      let start = sentence.text.utf8.count
      sentence.text += value
      sentence.pieces.append(
        Piece(start: Int32(start), end: Int32(sentence.text.utf8.count), role: role))
    }
  }

  package static func += (left: inout Sentence, right: Sentence) {
    let start = Int32(left.text.utf8.count)
    left.text += right.text
    left.pieces += right.pieces.map {
      Piece(start: start + $0.start, end: start + $0.end, role: $0.role)
    }
  }
}

extension Sequence where Element == Sentence {
  package func joined(separator: String) -> Sentence {
    reduce(into: "") { $0 += $0.text.isEmpty ? $1 : "\(separator)\($1)" }
  }
}
