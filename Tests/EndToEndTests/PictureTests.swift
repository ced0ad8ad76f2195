import Foundation
import TestSupport
import Testing

@Suite("pictures", .serialized) struct PictureTests {
  /// A calendar with one event per picture, from 24 November 2026 on.
  private static func calendar(_ lines: [String]) -> String {
    TestSupport.calendar(
      lines.enumerated().map { number, line in
        event(
          "\(number)@example.com", "DTSTART:20261124T\(String(format: "%02d", number))0000Z",
          "SUMMARY:Entry \(number)", line)
      })
  }

  private static func thumbnails(of output: String) throws -> [String?] {
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    let sections = try #require(document["sections"] as? [[String: Any]])
    return sections.flatMap { $0["entries"] as? [[String: Any]] ?? [] }
      .flatMap { $0["attachments"] as? [[String: Any]] ?? [] }.map { $0["thumbnail"] as? String }
  }

  private static let window = pinned + ["--days", "7"]
  private static let pinned = AgendaRun.pinned

  /// Pictures get thumbnails only on a machine with libgd.
  static let needsLibrary: ConditionTrait = .enabled("libgd is not installed") {
    try AgendaRun(["doctor", "--store", "/nowhere/agenda.sqlite"]).output.contains("made by libgd")
  }

  /// Which lines of an event are shown as pictures.
  private static func shown(_ lines: [String]) throws -> [Bool] {
    let folder = try ScratchFolder()
    let file = try folder.write("a.ics", calendar([lines.joined(separator: "\n")]))
    let run = try AgendaRun(
      ["show", file, "-f", "json", "--media", folder.url.path + "/media"] + window)
    return try thumbnails(of: run.output).map { $0 != nil }
  }

  // Checks RFC 7986: 6.1/2
  @Test("a picture whose ways to show it are all unknown is not shown", PictureTests.needsLibrary)
  func unknownDisplay() throws {
    let displays = [
      "", ";DISPLAY=X-WALL", ";DISPLAY=GRAPHIC", ";DISPLAY=X-WALL,fullsize",
      ";DISPLAY=\"X-A,X-B\"",
    ]
    let lines = displays.map {
      PictureSample.line(PictureSample.png(20, 10), mediaType: "image/png", property: "IMAGE" + $0)
    }
    #expect(try Self.shown(lines) == [true, false, true, true, false])
  }

  // Checks RFC 5545: 3.8.1.1/2
  @Test(
    "an attachment without a type is one of the type application/octet-stream",
    PictureTests.needsLibrary)
  func untypedAttachment() throws {
    let lines = ["application/octet-stream", "text/plain"].map {
      PictureSample.line(PictureSample.png(20, 10), mediaType: $0)
    }
    #expect(
      try Self.shown([PictureSample.line(PictureSample.png(20, 10))] + lines)
        == [true, true, false])
  }

  @Test("a page embeds each thumbnail once, with the bytes of its file", PictureTests.needsLibrary)
  func embedded() throws {
    let folder = try ScratchFolder()
    let file = try folder.write(
      "a.ics",
      Self.calendar([
        PictureSample.line(PictureSample.png(600, 300), mediaType: "image/png"),
        PictureSample.line(PictureSample.jpeg, mediaType: "image/jpeg"),
        PictureSample.line(PictureSample.png(600, 300), mediaType: "image/png"),
        "ATTACH:https://example.com/remote.png",
      ]))
    let media = folder.url.path + "/media"
    let page = try AgendaRun(["show", file, "-f", "html", "--media", media] + Self.window)
    #expect(page.status == 0)
    let images = page.output.matches(of: /<img alt="" src="data:image\/(png|jpeg);base64,([^"]+)">/)
    #expect(page.output.matches(of: /<img/).count == images.count)
    let embedded = try Set(images.map { try #require(Data(base64Encoded: String($0.2))) })
    #expect(embedded.count == images.count && images.count == 2)
    let names = try FileManager.default.contentsOfDirectory(atPath: media)
    let files = Set(names.compactMap { FileManager.default.contents(atPath: "\(media)/\($0)") })
    #expect(embedded == files)
    let store = folder.url.appendingPathComponent("s/agenda.sqlite").path
    #expect(try AgendaRun(["import", file, "--store", store, "--quiet"]).status == 0)
    let ofStore = try AgendaRun(
      ["show", "--store", store, "-f", "html", "--media", media] + Self.window)
    #expect(ofStore.output == page.output)
    #expect(!(try AgendaRun(["show", file, "-f", "html"] + Self.window).output.contains("<img")))
  }

  @Test(
    "thumbnails of the store are those of the files, byte for byte, in every format that names them",
    PictureTests.needsLibrary)
  func storeAndFiles() throws {
    let folder = try ScratchFolder()
    let file = try folder.write(
      "a.ics",
      Self.calendar([
        PictureSample.line(PictureSample.png(600, 300), mediaType: "image/png"),
        PictureSample.line(PictureSample.png(10, 30), property: "IMAGE"),
        PictureSample.line(PictureSample.jpeg, mediaType: "image/jpeg"),
        PictureSample.line(PictureSample.gif, mediaType: "image/gif"),
        PictureSample.line(PictureSample.webp, mediaType: "IMAGE/PNG"),
        PictureSample.line(PictureSample.png(300, 1)),
      ]))
    let store = folder.url.appendingPathComponent("s/agenda.sqlite").path
    let report = try AgendaRun(["import", file, "--store", store] + ["--now", Self.pinned[1]])
    #expect(report.status == 0)
    #expect(report.errors == "")
    for format in ["markdown", "json", "jsonl"] {
      let (one, two) = (folder.url.path + "/one/media", folder.url.path + "/two")
      let ofStore = try AgendaRun(
        ["show", "--store", store, "-f", format, "--media", one] + Self.window)
      let ofFile = try AgendaRun(["show", file, "-f", format, "--media", two] + Self.window)
      #expect(ofStore.status == 0)
      #expect(ofStore.output.contains(one))
      #expect(ofStore.output == ofFile.output.replacingOccurrences(of: two, with: one))
      let names = try FileManager.default.contentsOfDirectory(atPath: one).sorted()
      #expect(names.count == 6)
      #expect(names == (try FileManager.default.contentsOfDirectory(atPath: two).sorted()))
      for name in names {
        #expect(name.wholeMatch(of: /[0-9a-f]{32}\.(png|jpg)/) != nil)
        let (left, right) = (
          FileManager.default.contents(atPath: "\(one)/\(name)"),
          FileManager.default.contents(atPath: "\(two)/\(name)")
        )
        #expect(left == right)
      }
      let plain = try AgendaRun(["show", "--store", store, "-f", format] + Self.window)
      #expect(!plain.output.contains(".png"))
      // Nothing but the pictures differs.
      if format == "json" {
        let paths = try Self.thumbnails(of: ofStore.output).compactMap(\.self)
        let sizes = try paths.filter { $0.hasSuffix(".png") }.map { path in
          try #require(
            PictureSample.size(ofPNG: [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))))
        }
        #expect(sizes == [[256, 128], [10, 30], [40, 20], [40, 20], [256, 1]])
        #expect(
          paths.reduce(ofStore.output) { $0.replacingOccurrences(of: "\"\($1)\"", with: "null") }
            == plain.output)
      }
    }
  }

  @Test(
    "thumbnails show the picture as its camera meant it, as Pillow sees it",
    PictureTests.needsLibrary, .requiresPythonPackages)
  func orientation() throws {
    let folder = try ScratchFolder()
    let file = try folder.write(
      "a.ics",
      Self.calendar((1...8).map { PictureSample.line(PictureSample.jpeg(orientation: $0)) }))
    let media = folder.url.path + "/media"
    let shown = try AgendaRun(["show", file, "-f", "json", "--media", media] + Self.window)
    let paths = try Self.thumbnails(of: shown.output).compactMap(\.self)
    #expect(paths.count == 8)
    // The colours in the middle of the left, right, upper and lower quarters.
    let script = """
      import sys
      from PIL import Image
      for path in sys.argv[1:]:
          picture = Image.open(path).convert("RGB")
          w, h = picture.size
          spots = [(w // 4, h // 2), (3 * w // 4, h // 2), (w // 2, h // 4), (w // 2, 3 * h // 4)]
          def color(spot):
              red, green, blue = picture.getpixel(spot)
              return "r" if red > 150 > blue else "b" if blue > 150 > red else "-"
          print(w, h, "".join(color(spot) for spot in (spots[:2] if w > h else spots[2:])))
      """
    let output = try Python.output(of: ["-c", script] + paths)
    // Red is on the left of the stored picture; 5 to 8 lie on their side.
    #expect(
      output.split(separator: "\n") == [
        "40 20 rb", "40 20 br", "40 20 br", "40 20 rb",
        "20 40 rb", "20 40 rb", "20 40 br", "20 40 br",
      ])
  }

  @Test(
    "a foreign file or hostile picture only loses its thumbnail",
    PictureTests.needsLibrary, .requiresPython)
  func hostile() throws {
    let folder = try ScratchFolder()
    let whole = PictureSample.png(200, 100)
    let cases: [(bytes: [UInt8], type: String?, problem: String?)] = [
      (Array(whole[..<(whole.count / 2)]), "image/png", "cannot be read"),
      (Array(whole[..<10]), "image/png", "cannot be read"),
      (PictureSample.png(2, 2, claimed: (60_000, 60_000)), nil, "60000 × 60000"),
      (PictureSample.png(2, 2, claimed: (7000, 7000)), nil, "cannot be read"),
      (try PictureSample.bomb(20_000, 20_000), nil, "20000 × 20000"),
      (Array("<html><script>1</script></html>".utf8), "image/png", nil),
      (Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8), "image/svg+xml", nil),
      ([], "image/png", nil),
      (Array(PictureSample.webp[..<60]), "image/webp", "cannot be read"),
      (Array(PictureSample.gif[..<14]), "image/gif", "cannot be read"),
    ]
    let file = try folder.write(
      "a.ics", Self.calendar(cases.map { PictureSample.line($0.bytes, mediaType: $0.type) }))
    let store = folder.url.appendingPathComponent("s/agenda.sqlite").path
    let report = try AgendaRun(
      ["import", file, "--store", store, "--format", "json", "--now", Self.pinned[1]])
    #expect(report.status == 0)
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(report.output.utf8)) as? [String: Any])
    let source = try #require((document["sources"] as? [[String: Any]])?.first)
    #expect(source["added"] as? Int == cases.count)
    let problems = (source["problems"] as? [[String: Any]] ?? []).filter {
      $0["action"] as? String == "no thumbnail made"
    }
    // Problems of one kind are reported once, with their number and lines. Not every libgd can read
    // the GIF that is cut off.
    func count(_ text: String) -> Int {
      problems.filter { ($0["message"] as? String)?.contains(text) ?? false }
        .compactMap { $0["count"] as? Int }.reduce(0, +)
    }
    let expected = cases.filter { $0.type != "image/gif" }.compactMap(\.problem)
    let unreadable = expected.count { $0 == "cannot be read" }
    #expect((unreadable...unreadable + 1).contains(count("cannot be read")), "\(problems)")
    #expect(count("60000 × 60000") == expected.count { $0.contains("×") }, "\(problems)")
    #expect(problems.count == 2)
    let media = folder.url.path + "/media"
    let shown = try AgendaRun(
      ["show", "--store", store, "-f", "json", "--media", media] + Self.window)
    #expect(shown.status == 0)
    #expect(try Self.thumbnails(of: shown.output).dropLast().allSatisfy { $0 == nil })
    let doctor = try AgendaRun(["doctor", "--store", store])
    #expect(doctor.status == 0)
  }

  @Test(
    "without libgd imports go on, doctor says so, and a later import makes up for it",
    PictureTests.needsLibrary)
  func withoutLibrary() throws {
    let folder = try ScratchFolder()
    let file = try folder.write(
      "a.ics", Self.calendar([PictureSample.line(PictureSample.png(300, 300))]))
    // A file that is not a library hides the system's.
    try folder.write("lib/libgd.so.3", "")
    let hidden = ["LD_LIBRARY_PATH": folder.url.path + "/lib"]
    let store = folder.url.appendingPathComponent("s/agenda.sqlite").path
    let arguments = ["import", file, "--store", store, "--now", Self.pinned[1]]
    let first = try AgendaRun(arguments, environment: hidden)
    #expect(first.status == 0)
    #expect(first.errors == "")
    let doctor = try AgendaRun(["doctor", "--store", store], environment: hidden)
    try #require(doctor.output.contains("libgd is not installed"))
    #expect(doctor.output.contains("thumbnails pending  1"))
    let media = folder.url.path + "/media"
    let show = ["show", "--store", store, "-f", "json", "--media", media] + Self.window
    #expect(try Self.thumbnails(of: AgendaRun(show, environment: hidden).output) == [nil])
    // Shown on the spot, and kept by the next import of the unchanged file.
    #expect(try Self.thumbnails(of: AgendaRun(show).output).first?.map { _ in true } == true)
    #expect(try AgendaRun(arguments).status == 0)
    #expect(
      try AgendaRun(["doctor", "--store", store]).output.contains("thumbnails pending  0"))
    #expect(
      try Self.thumbnails(of: AgendaRun(show, environment: hidden).output).first?.map { _ in true }
        == true)
  }

  @Test(
    "the folder is made, links in it are not followed, and one that cannot be written is an error",
    PictureTests.needsLibrary)
  func folders() throws {
    let folder = try ScratchFolder()
    let files = FileManager.default
    let file = try folder.write(
      "a.ics", Self.calendar([PictureSample.line(PictureSample.png(300, 300))]))
    func show(_ media: String) throws -> AgendaRun {
      try AgendaRun(
        ["show", file, "-f", "markdown", "--media", media] + Self.window, in: folder.url)
    }
    let relative = try show("new/media (of mine)/")
    #expect(relative.status == 0)
    let media = folder.url.path + "/new/media (of mine)"
    let name = try #require(try files.contentsOfDirectory(atPath: media).first)
    #expect(relative.output.contains("![](new/media%20%28of%20mine%29/\(name))"))
    let picture = "\(media)/\(name)"
    let inode = try files.attributesOfItem(atPath: picture)[.systemFileNumber] as? Int

    // The same content stays.
    _ = try show(media)
    #expect(try files.attributesOfItem(atPath: picture)[.systemFileNumber] as? Int == inode)
    // A link in its place is replaced, and what it leads to is as before.
    let target = try folder.write("precious", "mine")
    try files.removeItem(atPath: picture)
    try files.createSymbolicLink(atPath: picture, withDestinationPath: target)
    #expect(try show(media).status == 0)
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "mine")
    #expect(
      try files.attributesOfItem(atPath: picture)[.type] as? FileAttributeType == .typeRegular)
    #expect(try files.contentsOfDirectory(atPath: media) == [name])

    // The folder itself: a link, a file, one that cannot be made.
    let link = folder.url.path + "/link"
    try files.createSymbolicLink(atPath: link, withDestinationPath: media)
    for wrong in [link, target, "/proc/nowhere/media"] {
      let run = try show(wrong)
      #expect(run.status == 1)
      #expect(run.output == "")
      #expect(run.errors.contains(wrong))
    }
    #expect(try show("").status == 2)
  }

  @Test("a file of an attachment has the name that its user gave it")
  func attachmentFiles() throws {
    let folder = try ScratchFolder()
    let line = PictureSample.line(PictureSample.gif, mediaType: "image/gif")
      .replacingOccurrences(of: "ATTACH;", with: "ATTACH;FILENAME=\"../../evil.gif\";")
    let file = try folder.write("in/a.ics", Self.calendar([line]))
    let run = try AgendaRun(
      ["attachment", "1.1", "1", file, "-o", "out.gif"] + Self.pinned,
      in: folder.url.appendingPathComponent("in"))
    #expect(run.status == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path + "/in").sorted()
        == ["a.ics", "out.gif"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["in"])
    let bytes = FileManager.default.contents(atPath: folder.url.path + "/in/out.gif")
    #expect(bytes == Data(PictureSample.gif))
  }
}
