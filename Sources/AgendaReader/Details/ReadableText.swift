internal import ICalendar
internal import Platform

/// HTML as readable text. Producers put it into DESCRIPTION, STYLED-DESCRIPTION and X-ALT-DESC.
///
/// Known tags are removed, blocks become lines, the targets of links stay, and entities become
/// characters. Text without any certain tag stays as it is, unless a parameter or the property says
/// that it is HTML. If its producer writes HTML, entities are decoded also without any tag. A tag is
/// certain if one of these is true:
///
/// - It is a start tag with an end tag of the same name: `<b>…</b>`.
/// - It has attributes: `<a href="…">`.
/// - It is `<br>` or `<hr>`, or a block begins the text with it: `<p>…`.
/// - It begins a list and its first item: `<ul><li>…`.
///
/// Next to a certain tag, tags that HTML need not close count too: `<li>`, `<p>`. Tags of fonts and
/// headings count without their end tags, unless a letter or digit stands directly before them. What
/// only looks like a tag stays: `<ask Ana>`, `a<b and b>c`, `x<i> then`, `Vec<p> and List<a>`.
enum ReadableText {
  /// The text without HTML. `isHTML` says that it is known to be HTML, `hasEntities` that it has
  /// entities even without any tag.
  static func plain(_ text: String, isHTML: Bool = false, hasEntities: Bool = false) -> String {
    var readable = text
    let plain: String? = readable.withUTF8 { bytes in
      func has(_ byte: UInt8) -> Bool {
        bytes.index(of: byte, from: 0, to: bytes.count) < bytes.count
      }
      guard has(0x3C) || has(0x26) else { return nil }
      var reader = Reader(bytes, isHTML: isHTML, hasEntities: hasEntities)
      return reader.plain()
    }
    return plain ?? text
  }

  /// The elements of HTML that occur in calendars, by name.
  private static let elements: [String: Element] = {
    let names = [inlineTags, lineTags, paragraphTags, cellTags, hiddenTags].joined()
    let pairs = names.enumerated().map { number, name in
      (
        name,
        Element(
          number: number, isLink: name == "a", isItem: name == "li",
          isList: name == "ul" || name == "ol", isBreak: name == "br" || name == "hr",
          isLine: lineTags.contains(name), isParagraph: paragraphTags.contains(name),
          isCell: cellTags.contains(name), isHidden: hiddenTags.contains(name),
          mayStayOpen: openTags.contains(name), isOftenForgotten: forgottenTags.contains(name),
          isLayout: layoutTags.contains(name))
      )
    }
    return Dictionary(pairs) { first, _ in first }
  }()

  private static let inlineTags: [String] = [
    "a", "abbr", "b", "big", "center", "cite", "code", "em", "font", "i", "img", "ins", "kbd",
    "label", "mark", "q", "s", "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "wbr",
    "meta", "link", "base", "colgroup", "col", "tbody", "thead", "tfoot", "o:p", "del", "button",
    "html-blob",
  ]
  private static let lineTags: [String] = [
    "br", "div", "tr", "li", "ul", "ol", "hr", "dt", "dd", "dl", "section", "article", "header",
    "footer", "main", "nav", "address", "body", "html",
  ]
  private static let paragraphTags: [String] = [
    "p", "h1", "h2", "h3", "h4", "h5", "h6", "table", "blockquote", "pre",
  ]
  /// Tags whose end tag may be missing, for example because the text was cut off.
  private static let openTags: Set<String> = [
    "p", "li", "dt", "dd", "tr", "td", "th", "tbody", "thead", "tfoot", "colgroup", "col", "html",
    "body", "table", "ul", "ol", "div", "img",
  ]
  /// Tags that people and programs forget to close. After a letter or a digit they can be something
  /// else: `x<i> then`.
  private static let forgottenTags: Set<String> = [
    "b", "big", "blockquote", "center", "em", "font", "h1", "h2", "h3", "h4", "h5", "h6", "i",
    "pre", "small", "span", "strike", "strong", "sub", "sup", "tt", "u",
  ]
  private static let cellTags: [String] = ["td", "th"]
  /// The text between these tags is never shown.
  private static let hiddenTags: [String] = ["head", "script", "style", "title"]
  /// Tags with layout, so that line ends in the source have no meaning.
  private static let layoutTags: Set<String> = ["html", "body", "p", "div", "table", "ul", "ol"]

  private static let entities: [String: String] = [
    "nbsp": " ", "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "ndash": "–",
    "mdash": "—", "hellip": "…", "bull": "•", "middot": "·", "laquo": "«", "raquo": "»",
    "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "bdquo": "„", "sbquo": "‚",
    "euro": "€", "copy": "©", "reg": "®", "trade": "™", "deg": "°", "sect": "§", "para": "¶",
    "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß",
    "eacute": "é", "egrave": "è", "ecirc": "ê", "agrave": "à", "aacute": "á", "acirc": "â",
    "ccedil": "ç", "ntilde": "ñ", "oacute": "ó", "iacute": "í", "uacute": "ú", "ocirc": "ô",
    "aring": "å", "Aring": "Å", "aelig": "æ", "AElig": "Æ", "oslash": "ø", "Oslash": "Ø",
    "Eacute": "É", "Agrave": "À", "times": "×", "rarr": "→", "larr": "←", "zwnj": "", "zwj": "",
    "shy": "", "ensp": " ", "emsp": " ", "thinsp": " ", "iexcl": "¡", "iquest": "¿", "pound": "£",
  ]

  /// What the name of a tag means.
  private struct Element {
    var number: Int
    var isLink = false
    var isItem = false
    var isList = false
    /// Such a tag alone proves that a text is HTML.
    var isBreak = false
    var isLine = false
    var isParagraph = false
    var isCell = false
    var isHidden = false
    var mayStayOpen = false
    var isOftenForgotten = false
    var isLayout = false

    /// `<!DOCTYPE …>`.
    static let documentType = Element(number: -1)
  }

  private struct Tag {
    var element: Element
    var isEnd: Bool
    /// Where its attributes are, if it has any.
    var attributes: Range<Int>?
    /// The position after its `>`.
    var end: Int
  }

  /// Goes through the text once.
  private struct Reader {
    let bytes: Bytes
    /// Whether it is known to be HTML, so that words without `=` in a tag are attributes.
    private let isHTML: Bool
    private let hasEntities: Bool
    private var plainText: [UInt8] = []
    /// In the order of their positions.
    private var tags: [(start: Int, tag: Tag)] = []
    /// The first of the tags that was not passed.
    private var nextTag = 0
    private var isLaidOut = false
    private var link: (target: String, textStart: Int)?
    /// The position of a `>`, or the end of the text. Every tag that begins before it ends here or
    /// before.
    private var closing = -1

    init(_ bytes: Bytes, isHTML: Bool, hasEntities: Bool) {
      self.bytes = bytes
      self.hasEntities = hasEntities
      self.isHTML = isHTML || bytes.beginsWithName("<HTML") || bytes.beginsWithName("<!DOCTYPE")
      findTags()
    }

    private mutating func findTags() {
      var found: [(start: Int, tag: Tag, isCertain: Bool)] = []
      /// The start tags of each element that have no end tag yet.
      var open: [Int: [Int]] = [:]
      var index = 0
      while index < bytes.count {
        index = bytes.index(of: 0x3C, from: index, to: bytes.count)
        guard let tag = tagOrText(at: index) else {
          index += 1
          continue
        }
        let element = tag.element
        var isCertain = isHTML || tag.attributes != nil || element.isBreak
        if tag.isEnd, let start = open[element.number]?.popLast() {
          found[start].isCertain = true
          isCertain = true
        } else if !tag.isEnd {
          if element.isItem, let list = found.last?.tag, list.element.isList, !list.isEnd,
            bytes.part(list.end, index).trimmed.isEmpty
          {
            found[found.count - 1].isCertain = true
            isCertain = true
          }
          let isFirst = found.isEmpty && bytes.part(0, index).trimmed.isEmpty
          isCertain = isCertain || (isFirst && element.isLayout)
          open[element.number, default: []].append(found.count)
        }
        found.append((index, tag, isCertain))
        index = tag.end
      }
      guard found.contains(where: \.isCertain) else { return }
      for (start, tag, isCertain) in found
      where isCertain || tag.isEnd || tag.element.mayStayOpen
        || tag.element.isOftenForgotten && !followsWord(start)
      {
        tags.append((start, tag))
        isLaidOut = isLaidOut || tag.element.isLayout
      }
    }

    /// The tag that begins at a position, which is not before those of earlier calls.
    private mutating func tag(at start: Int) -> Tag? {
      while nextTag < tags.count, tags[nextTag].start < start { nextTag += 1 }
      return nextTag < tags.count && tags[nextTag].start == start ? tags[nextTag].tag : nil
    }

    private func followsWord(_ start: Int) -> Bool {
      guard start > 0 else { return false }
      let byte = bytes[start - 1]
      return byte.isLetter || byte.isDigit || byte >= 0x80
    }

    /// `nil` if the text contains no HTML.
    mutating func plain() -> String? {
      guard isHTML || !tags.isEmpty || hasEntity else { return nil }
      var index = 0
      while index < bytes.count {
        let byte = bytes[index]
        if byte == 0x3C {
          if isHTML || !tags.isEmpty, bytes.part(index, index + 4).isName("<!--") {
            index = endOfComment(from: index)
            continue
          }
          if let tag = tag(at: index) {
            index = tag.end
            if tag.element.isHidden, !tag.isEnd {
              index = end(of: tag.element, from: index)
            } else {
              take(tag)
            }
            continue
          }
        }
        if byte == 0x26, let (text, end) = entity(at: index) {
          plainText += Array(text.utf8)
          index = end
          continue
        }
        append(byte)
        index += 1
      }
      closeLink()
      return Self.tidied(plainText)
    }

    /// Whether a text without tags has an entity by which it is HTML: any if `hasEntities` is true, and
    /// `&nbsp;` always, because only HTML has it.
    private var hasEntity: Bool {
      var index = 0
      while index < bytes.count {
        index = bytes.index(of: 0x26, from: index, to: bytes.count)
        if hasEntities, index < bytes.count, entity(at: index) != nil { return true }
        if bytes.part(index, index + 6).isName("&NBSP;") { return true }
        index += 1
      }
      return false
    }

    private mutating func append(_ byte: UInt8) {
      guard isLaidOut, byte.isBlank else {
        plainText.append(byte)
        return
      }
      if let last = plainText.last, !last.isBlank { plainText.append(0x20) }
    }

    private func endOfComment(from start: Int) -> Int {
      var index = start + 4
      while index + 2 < bytes.count {
        index = bytes.index(of: 0x2D, from: index, to: bytes.count)
        if bytes.part(index, index + 3).isName("-->") { return index + 3 }
        index += 1
      }
      return bytes.count
    }

    private mutating func end(of element: Element, from start: Int) -> Int {
      while nextTag < tags.count {
        let (position, tag) = tags[nextTag]
        if position >= start, tag.isEnd, tag.element.number == element.number { return tag.end }
        nextTag += 1
      }
      return bytes.count
    }

    /// The first `>` after a position, which is not before those of earlier calls; the end of the text
    /// if it is missing.
    private mutating func closing(from start: Int) -> Int {
      if closing < start { closing = bytes.index(of: 0x3E, from: start, to: bytes.count) }
      return closing
    }

    /// A known tag, or text that looks like one.
    private mutating func tagOrText(at start: Int) -> Tag? {
      let close = closing(from: start)
      guard close < bytes.count else { return nil }
      if bytes.part(start, start + 9).isName("<!DOCTYPE") {
        return Tag(
          element: .documentType, isEnd: false, attributes: start + 9..<close, end: close + 1)
      }
      var index = start + 1
      let isEnd = bytes[index] == 0x2F
      if isEnd { index += 1 }
      let nameStart = index
      while index < close, index - nameStart < 12,
        bytes[index].isLetter || bytes[index].isDigit || bytes[index] == 0x3A
          || bytes[index] == 0x2D
      {
        index += 1
      }
      guard index > nameStart,
        bytes[index] == 0x3E || bytes[index] == 0x2F || bytes[index].isBlank,
        let element = elements[bytes.part(nameStart, index).text.lowercased()],
        isHTML || beginsWithAttribute(bytes.part(index, close))
      else { return nil }
      let hasAttributes = bytes.index(of: 0x3D, from: index, to: close) < close
      return Tag(
        element: element, isEnd: isEnd, attributes: hasAttributes ? index..<close : nil,
        end: close + 1)
    }

    /// Whether the name of a tag is followed by its end or by an attribute with a `=`. If a word
    /// follows it, it is text: `a<b and b>c`.
    private func beginsWithAttribute(_ text: Bytes) -> Bool {
      func afterBlanks(_ start: Int) -> Int {
        var index = start
        while index < text.count, text[index].isBlank { index += 1 }
        return index
      }
      var index = afterBlanks(0)
      guard index < text.count else { return true }
      if text[index] == 0x2F, afterBlanks(index + 1) == text.count { return true }
      while index < text.count, text[index] != 0x3D, !text[index].isBlank { index += 1 }
      index = afterBlanks(index)
      return index < text.count && text[index] == 0x3D
    }

    /// The HREF among the attributes of a link.
    private func target(_ attributes: Bytes) -> String? {
      var index = 0
      while index + 5 < attributes.count {
        guard attributes.hasName("HREF", at: index) else {
          index += 1
          continue
        }
        var start = index + 4
        while start < attributes.count, attributes[start].isBlank { start += 1 }
        guard start < attributes.count, attributes[start] == 0x3D else { return nil }
        start += 1
        while start < attributes.count, attributes[start].isBlank { start += 1 }
        guard start < attributes.count else { return nil }
        let quote = attributes[start]
        let isQuoted = quote == 0x22 || quote == 0x27
        if isQuoted { start += 1 }
        var end = start
        while end < attributes.count,
          isQuoted ? attributes[end] != quote : !attributes[end].isBlank
        {
          end += 1
        }
        return attributes.part(start, end).text
      }
      return nil
    }

    private mutating func take(_ tag: Tag) {
      let element = tag.element
      if element.isLink {
        closeLink()
        if !tag.isEnd, let range = tag.attributes,
          let target = target(bytes.part(range.lowerBound, range.upperBound))
        {
          link = (target, plainText.count)
        }
      } else if element.isLine {
        if element.isBreak {
          plainText.append(0x0A)
        } else {
          startLine()
        }
        if element.isItem, !tag.isEnd { plainText += [0x2D, 0x20] }
      } else if element.isParagraph {
        startLine()
        if !plainText.isEmpty { plainText.append(0x0A) }
      } else if element.isCell, let last = plainText.last, !last.isBlank, last != 0x0A {
        // The end tag of a cell may be missing.
        plainText.append(0x20)
      }
    }

    private mutating func startLine() {
      while plainText.last == 0x20 { plainText.removeLast() }
      if let last = plainText.last, last != 0x0A { plainText.append(0x0A) }
    }

    /// Writes the target of a link after its text, unless the text already contains it.
    private mutating func closeLink() {
      guard let (target, start) = link else { return }
      link = nil
      let plainTarget = Self.decoded(target).trimmed
      let isMail = plainTarget.dropping("MAILTO:") != nil
      let shown = plainTarget.dropping("MAILTO:") ?? plainTarget
      guard isMail || plainTarget.dropping("HTTP") != nil else { return }
      let text = String(decoding: plainText[min(start, plainText.count)...], as: UTF8.self).trimmed
      if text.isEmpty {
        plainText += Array(shown.utf8)
      } else if text != shown, !text.hasBytes(of: shown),
        !shown.hasBytes(of: text) || text.utf8.count < 8
      {
        plainText += Array(" (\(shown))".utf8)
      } else if shown.utf8.count > text.utf8.count {
        // The text is a shortened target, so the whole target replaces it.
        plainText.removeSubrange(min(start, plainText.count)...)
        plainText += Array(shown.utf8)
      }
    }

    private static func decoded(_ text: String) -> String {
      text.hasBytes(of: "&amp;")
        ? text.split(separator: "&amp;", omittingEmptySubsequences: false)
          .joined(separator: "&") : text
    }

    private func entity(at start: Int) -> (String, end: Int)? {
      let longest = 12
      let end = bytes.index(of: 0x3B, from: start, to: min(start + longest, bytes.count))
      guard end < min(start + longest, bytes.count), end > start + 1 else { return nil }
      let name = bytes.part(start + 1, end)
      guard name[0] == 0x23 else {
        return entities[name.text].map { ($0, end + 1) }
      }
      let digits = name.part(1, name.count).text
      let isHexadecimal = digits.first == "x" || digits.first == "X"
      let code =
        isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
      guard let code, code >= 0x20, let scalar = Unicode.Scalar(code) else { return nil }
      return (code == 0xA0 ? " " : String(Character(scalar)), end + 1)
    }

    /// Removes blanks at the ends of lines, and all but one of several empty lines in a row.
    private static func tidied(_ bytes: [UInt8]) -> String {
      var lines: [UInt8] = []
      lines.reserveCapacity(bytes.count)
      for byte in bytes {
        if byte == 0x0A {
          while lines.last == 0x20 || lines.last == 0x09 { lines.removeLast() }
          if lines.count >= 2, lines[lines.count - 1] == 0x0A, lines[lines.count - 2] == 0x0A {
            continue
          }
        }
        lines.append(byte)
      }
      return String(decoding: lines, as: UTF8.self).trimmed
    }
  }
}

extension String {
  /// Whether the UTF-8 of another text is a part of this one.
  fileprivate func hasBytes(of other: String) -> Bool {
    var (text, part) = (self, other)
    return text.withUTF8 { text in part.withUTF8 { Memory.contains($0, in: text) } }
  }
}
