internal import ICalendar
internal import Platform

/// HTML as readable text. Producers put it into DESCRIPTION, STYLED-DESCRIPTION and X-ALT-DESC.
///
/// Known tags are removed, blocks become lines, the targets of links stay, and entities become
/// characters. Text without any certain tag stays as it is, unless a parameter or the property says
/// that it is HTML. If it has no `<` at all, or its producer writes HTML, entities are decoded also
/// without any tag. A tag is certain if one of these is true:
///
/// - It is a start tag with an end tag of the same name: `<b>…</b>`.
/// - It has attributes: `<a href="…">`.
/// - It is `<br>`, `<hr>` or `<wbr>`, or a block begins the text with it: `<p>…`.
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
      if !isHTML, !has(0x3C) { return withoutEntities(bytes)?.trimmed }
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
          isList: name == "ul" || name == "ol", isBreak: ["br", "hr", "wbr"].contains(name),
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

  /// The names of HTML 4 for U+00A0 to U+00FF, in their order.
  private static let latinNames = """
    nbsp,iexcl,cent,pound,curren,yen,brvbar,sect,uml,copy,ordf,laquo,not,shy,reg,macr,deg,\
    plusmn,sup2,sup3,acute,micro,para,middot,cedil,sup1,ordm,raquo,frac14,frac12,frac34,\
    iquest,Agrave,Aacute,Acirc,Atilde,Auml,Aring,AElig,Ccedil,Egrave,Eacute,Ecirc,Euml,\
    Igrave,Iacute,Icirc,Iuml,ETH,Ntilde,Ograve,Oacute,Ocirc,Otilde,Ouml,times,Oslash,\
    Ugrave,Uacute,Ucirc,Uuml,Yacute,THORN,szlig,agrave,aacute,acirc,atilde,auml,aring,\
    aelig,ccedil,egrave,eacute,ecirc,euml,igrave,iacute,icirc,iuml,eth,ntilde,ograve,\
    oacute,ocirc,otilde,ouml,divide,oslash,ugrave,uacute,ucirc,uuml,yacute,thorn,yuml
    """

  /// Its other names, each with its code point.
  private static let otherNames = """
    quot,22,amp,26,lt,3C,gt,3E,OElig,152,oelig,153,Scaron,160,scaron,161,Yuml,178,fnof,192,\
    circ,2C6,tilde,2DC,Alpha,391,Beta,392,Gamma,393,Delta,394,Epsilon,395,Zeta,396,Eta,397,\
    Theta,398,Iota,399,Kappa,39A,Lambda,39B,Mu,39C,Nu,39D,Xi,39E,Omicron,39F,Pi,3A0,Rho,\
    3A1,Sigma,3A3,Tau,3A4,Upsilon,3A5,Phi,3A6,Chi,3A7,Psi,3A8,Omega,3A9,alpha,3B1,beta,3B2,\
    gamma,3B3,delta,3B4,epsilon,3B5,zeta,3B6,eta,3B7,theta,3B8,iota,3B9,kappa,3BA,lambda,\
    3BB,mu,3BC,nu,3BD,xi,3BE,omicron,3BF,pi,3C0,rho,3C1,sigmaf,3C2,sigma,3C3,tau,3C4,\
    upsilon,3C5,phi,3C6,chi,3C7,psi,3C8,omega,3C9,thetasym,3D1,upsih,3D2,piv,3D6,ensp,2002,\
    emsp,2003,thinsp,2009,zwnj,200C,zwj,200D,lrm,200E,rlm,200F,ndash,2013,mdash,2014,lsquo,\
    2018,rsquo,2019,sbquo,201A,ldquo,201C,rdquo,201D,bdquo,201E,dagger,2020,Dagger,2021,\
    bull,2022,hellip,2026,permil,2030,prime,2032,Prime,2033,lsaquo,2039,rsaquo,203A,oline,\
    203E,frasl,2044,euro,20AC,image,2111,weierp,2118,real,211C,trade,2122,alefsym,2135,\
    larr,2190,uarr,2191,rarr,2192,darr,2193,harr,2194,crarr,21B5,lArr,21D0,uArr,21D1,rArr,\
    21D2,dArr,21D3,hArr,21D4,forall,2200,part,2202,exist,2203,empty,2205,nabla,2207,isin,\
    2208,notin,2209,ni,220B,prod,220F,sum,2211,minus,2212,lowast,2217,radic,221A,prop,221D,\
    infin,221E,ang,2220,and,2227,or,2228,cap,2229,cup,222A,int,222B,there4,2234,sim,223C,\
    cong,2245,asymp,2248,ne,2260,equiv,2261,le,2264,ge,2265,sub,2282,sup,2283,nsub,2284,\
    sube,2286,supe,2287,oplus,2295,otimes,2297,perp,22A5,sdot,22C5,lceil,2308,rceil,2309,\
    lfloor,230A,rfloor,230B,lang,2329,rang,232A,loz,25CA,spades,2660,clubs,2663,hearts,\
    2665,diams,2666
    """

  private static let entities: [String: String] = {
    var entities: [String: String] = [:]
    let latin = latinNames.split(separator: ",")
    for (name, code) in zip(latin, UInt32(0xA0)...0xFF) {
      entities[String(name)] = character(code)
    }
    let others = otherNames.split(separator: ",")
    for place in stride(from: 0, to: others.count - 1, by: 2) {
      entities[String(others[place])] = UInt32(others[place + 1], radix: 16).flatMap(character)
    }
    entities["apos"] = "'"
    return entities
  }()

  /// The text of a character; `nil` for control characters and what is no character. Special blanks
  /// become usual ones, and what only helps to break or join words disappears.
  private static func character(_ code: UInt32) -> String? {
    switch code {
    case 0x09, 0x0A: break
    case 0x0D, 0xAD, 0x200C, 0x200D: return ""
    case 0xA0, 0x2002, 0x2003, 0x2009: return " "
    // HTML reads these as Windows-1252.
    case 0x80...0x9F:
      return [UInt8(code)].withUnsafeBufferPointer {
        String(decoding: Windows1252.repaired($0), as: UTF8.self)
      }
    case 0..<0x20, 0x7F: return nil
    default: break
    }
    return Unicode.Scalar(code).map { String(Character($0)) }
  }

  /// The character that begins at a `&`, and the end of its name or number: `&amp;`, `&#39;`, `&#x3D;`.
  private static func entity(at start: Int, in bytes: Bytes) -> (text: String, end: Int)? {
    let longest = 12
    let end = bytes.index(of: 0x3B, from: start, to: min(start + longest, bytes.count))
    guard end < min(start + longest, bytes.count), end > start + 1 else { return nil }
    let name = bytes.part(start + 1, end)
    guard name[0] == 0x23 else { return entities[name.text].map { ($0, end + 1) } }
    let digits = name.part(1, name.count).text
    let isHexadecimal = digits.first == "x" || digits.first == "X"
    let code =
      isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
    return code.flatMap(character).map { ($0, end + 1) }
  }

  /// The text with its entities as characters, and nothing else changed. Moodle, WordPress and others
  /// write them into titles, places, descriptions and links. A text with a `<` stays as it is: what
  /// does not escape a `<` hardly means `&amp;` for `&`.
  static func withoutEntities(_ text: String) -> String {
    var text = text
    let decoded: String? = text.withUTF8 { bytes in
      guard bytes.index(of: 0x26, from: 0, to: bytes.count) < bytes.count,
        bytes.index(of: 0x3C, from: 0, to: bytes.count) == bytes.count
      else { return nil }
      return withoutEntities(bytes)
    }
    return decoded ?? text
  }

  /// `nil` without any entity.
  private static func withoutEntities(_ bytes: Bytes) -> String? {
    var plain: [UInt8] = []
    var copied = 0
    var index = bytes.index(of: 0x26, from: 0, to: bytes.count)
    while index < bytes.count {
      var next = index + 1
      if let (text, end) = entity(at: index, in: bytes) {
        plain += bytes.part(copied, index)
        plain += Array(text.utf8)
        (copied, next) = (end, end)
      }
      index = bytes.index(of: 0x26, from: next, to: bytes.count)
    }
    guard copied > 0 else { return nil }
    return String(decoding: plain + bytes.part(copied, bytes.count), as: UTF8.self)
  }

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
        if byte == 0x26, let (text, end) = entity(at: index, in: bytes) {
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
        if hasEntities, index < bytes.count, entity(at: index, in: bytes) != nil { return true }
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
      let plainTarget = ReadableText.withoutEntities(target).trimmed
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
