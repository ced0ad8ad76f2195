import TestSupport
import Testing

@testable import AgendaReader

/// What counts as HTML in a DESCRIPTION.
@Suite("HTML in text")
struct ReadableTextTests {
  @Test("a word before a semicolon is no entity without its ampersand")
  func noEntity() {
    for text in ["Examp;  two\n\n\nlines", "R&D  and  H2O;  x", "a & b;  c"] {
      #expect(ReadableText.plain(text, hasEntities: true) == text)
    }
    #expect(ReadableText.plain("R&amp;D", hasEntities: true) == "R&D")
  }

  // Checks Decisions: Reading files/9
  @Test(
    "text that only looks like HTML stays as it is",
    arguments: [
      "a<b>c", "if x<i> then", "Vec<p> and List<a>", "if a<b and b>c", "x < y > z", "<ask Ana>",
      "Map<String, List<a>>", "std::vector<i> v;", "Option<s> or Result<u>", "Array<div>",
      "array[i]<q>", "for (i=0; i<b; i++)", "List<T> items", "Ana <ana@example.com>",
      "<https://example.com/a?b=1&c=2>", "press <tab> or <del>", "<your name>", "Send to <address>",
      "a</b>c", "1 < 2 && 3 > 2", "5 <6> 7", "<3 <3", "template<base> class X", "fill in <label>",
      "a < b and R&amp;D", "<!-- not shown in a page", "std::map<col, tr>", "cat <head >tail",
      "enum E<code> { }", "x<sub>y", "<small >", "Set<span>",
    ])
  func text(_ text: String) {
    #expect(ReadableText.plain(text) == text)
  }

  // Checks Decisions: Reading files/9
  @Test(
    "HTML of Google, Outlook, Apple and others becomes text",
    arguments: [
      // Google
      ("Bring <b>both</b> keys", "Bring both keys"), ("one<br>two", "one\ntwo"),
      ("one<br/>two<br />three", "one\ntwo\nthree"),
      ("<ul><li>milk</li><li>bread</li></ul>", "- milk\n- bread"),
      ("<a href=\"https://example.com/x\">Join</a>", "Join (https://example.com/x)"),
      ("<a href=\"https://example.com/?&amp;\">Join</a>", "Join (https://example.com/?&)"),
      ("<a href = https://example.com/y>Join</a>", "Join (https://example.com/y)"),
      ("<a name=x>Join</a><br>", "Join"), ("a<!-- x - y -- > --><b>z</b>", "az"),
      ("&#x0001F600; <b>x</b>", "😀 x"),
      ("&#x00001F600; <b>x</b>", "&#x00001F600; x"),
      ("<a href=\"ftp://example.com/\">Join</a>", "Join"),
      ("<span>Room&nbsp;2</span>", "Room 2"), ("<html-blob>Hi<br>there</html-blob>", "Hi\nthere"),
      (
        "<a href=\"https://example.com/?a&#x3D;1&amp;b&#61;2\">Join</a>",
        "Join (https://example.com/?a=1&b=2)"
      ),
      ("https://exa<wbr>mple.com/<WBR/>x", "https://example.com/x"),
      ("Agenda:&nbsp;one", "Agenda: one"), ("<i></i><p>Hello</p>", "Hello"),
      // Outlook
      (
        "<html><head><meta charset=\"utf-8\"><style>p {margin: 0}</style></head><body>"
          + "<p class=\"MsoNormal\">Hello<o:p></o:p></p><p class=\"MsoNormal\">Ana</p></body></html>",
        "Hello\n\nAna"
      ),
      (
        "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 3.2//EN\">\n<HTML><BODY>\n<P>Hi</P></BODY></HTML>",
        "Hi"
      ),
      ("<font size=\"2\">small</font>", "small"),
      ("<table><tr><td>a</td><td>b</td></tr><tr><td>c<td>d</table>", "a b\nc d"),
      // Apple
      ("<HTML><BODY><DIV>Plan</DIV></BODY></HTML>", "Plan"),
      // Tags that need no end
      ("<p>One<p>Two", "One\n\nTwo"), ("<div>cut off <b>here</b> and", "cut off here and"),
      ("<ul><li>one<li>two</ul>", "- one\n- two"),
      // Tags that nobody closed, next to certain tags
      ("Hello<br>see <b>this", "Hello\nsee this"), ("<b>A</b> <i>B, <span>C", "A B, C"),
      ("One<br><h2>Two", "One\n\nTwo"), ("Agenda:<ul><li>one<li>two", "Agenda:\n- one\n- two"),
      ("Agenda: <OL>\n<LI>one", "Agenda:\n- one"),
      ("Vec<T>, a < b and c > d<br>", "Vec<T>, a < b and c > d"),
      ("<i>x</i> press <del> <br> to <label>", "x press <del>\n to <label>"),
      // Text next to certain tags
      ("Vec<T> and <b>bold</b>", "Vec<T> and bold"),
      ("<b>if</b> x<i> then", "if x<i> then"), ("a &lt; b<br>c", "a < b\nc"),
    ])
  func html(_ text: String, _ plain: String) {
    #expect(ReadableText.plain(text) == plain)
  }

  // Checks Decisions: Deviations/18
  @Test(
    "a text without any < has its entities decoded once, and nothing else changed",
    arguments: [
      ("AT&T and R&amp;D", "AT&T and R&D"), ("&amp;lt;b&amp;gt;", "&lt;b&gt;"),
      ("Bo&#39;s &quot;Caf&eacute;&#x22;", "Bo's \"Café\""), ("&Iacute;&Yacute;&scaron;", "ÍÝš"),
      ("a&nbsp;b  \n\n\n\nc", "a b  \n\n\n\nc"), ("it&#146;s &#8364;&euro;", "it’s €€"),
      ("one&#13;&#10;two", "one\ntwo"), ("&#0;&#1;&#27;&#x110000;", "&#0;&#1;&#27;&#x110000;"),
      ("&bogus; &eacute &; &#; &#x;", "&bogus; &eacute &; &#; &#x;"),
      ("https://example.com/?a=1&copy=2&amp;b", "https://example.com/?a=1&copy=2&b"),
      ("&lt;br&gt;", "<br>"),
    ])
  func entitiesAlone(_ text: String, _ plain: String) {
    #expect(ReadableText.withoutEntities(text) == plain)
    #expect(ReadableText.plain(text) == plain)
  }

  // Checks Decisions: Deviations/13
  @Test(
    "text of a producer of HTML has entities even without tags",
    arguments: [
      ("AT&T and R&amp;D", "AT&T and R&D"), ("Bo&#39;s &quot;Café&#x22;", "Bo's \"Café\""),
      ("a&nbsp;b", "a b"), ("&lt;b&gt; and a<b and b>c", "<b> and a<b and b>c"),
      ("https://example.com/?a=1&copy=2", "https://example.com/?a=1&copy=2"),
      ("&unknown;", "&unknown;"),
    ])
  func entities(_ text: String, _ plain: String) {
    #expect(ReadableText.plain(text, hasEntities: true) == plain)
  }

  @Test("what is known to be HTML loses every tag")
  func known() {
    #expect(ReadableText.plain("a<b>c", isHTML: true) == "ac")
    #expect(ReadableText.plain("one<p>two", isHTML: true) == "one\n\ntwo")
  }

  @Test(
    "the time for a text grows with its length, whatever it is full of",
    arguments: [
      ("<b ", ">"), ("<b / ", ">"), ("<", ">"), ("<b>", "</b>"), ("<a href=http://a>", "</a>"),
      ("<!--", "-->"), ("<!doctype ", ">"), ("<script>", "<p>"), ("<title></title", ">"),
      ("&", ";"), ("&#", ";"), ("<td>", "x"), ("<ul> ", "<li>"), ("x ", "<br>"), ("\n ", "<p>"),
    ])
  func growth(part: String, end: String) {
    for isHTML in [false, true] {
      let growth = ProcessorTime.growth(from: 20_000) { count in
        let text = "<p>" + String(repeating: part, count: count) + end
        _ = ReadableText.plain(text, isHTML: isHTML, hasEntities: true)
      }
      #expect(growth < ProcessorTime.linearGrowth, "\(part) \(isHTML)")
    }
  }

  @Test("whether the text of a link contains its target is found in time that grows with both")
  func longLink() {
    let growth = ProcessorTime.growth(from: 20_000) { count in
      let target = "http://" + String(repeating: "a", count: count)
      _ = ReadableText.plain(
        "<a href=\"\(target)b\">" + target + String(repeating: "a", count: count) + "</a>")
    }
    #expect(growth < ProcessorTime.linearGrowth)
  }
}
