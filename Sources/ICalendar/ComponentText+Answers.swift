extension ComponentText {
  /// The component with another PARTSTAT of the attendees with these addresses, which are in lower
  /// case.
  package func answered(_ answers: [String: String]) -> [UInt8] {
    let lines = own("ATTENDEE").map { line in
      line.content.withUnsafeBufferPointer { content in
        let view = ContentView(
          content, nameEnd: PropertyName.scan(content, from: 0, to: content.count).nameEnd)
        guard let address = Self.address(view)?.lowercased(), let answer = answers[address] else {
          return line.content
        }
        return Self.attendee(view, participation: answer)
      }
    }
    return PropertyEdit("ATTENDEE", lines: lines).map { applying([$0]) } ?? bytes
  }

  private static func address(_ view: ContentView) -> String? {
    PersonAddress.mail(
      value: view.value.text,
      email: view.parameter("EMAIL").map { view.bytes.part($0.lowerBound, $0.upperBound).text })
  }

  private static func attendee(_ view: ContentView, participation: String) -> [UInt8] {
    let token = participation.uppercased().utf8.filter { $0.isLetter || $0.isDigit || $0 == 0x2D }
    return Array(view.name) + view.parameters(except: "PARTSTAT") + Array(";PARTSTAT=".utf8) + token
      + [UInt8(ascii: ":")] + view.value
  }
}
