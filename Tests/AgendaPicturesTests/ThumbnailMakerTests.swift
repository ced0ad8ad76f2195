import AgendaCore
import AgendaPictures
import Foundation
import TestSupport
import Testing

@Suite("decoders that fail", .serialized) struct ThumbnailMakerTests {
  private static func maker(shell script: String, seconds: Int = 5) -> ThumbnailMaker {
    ThumbnailMaker(.init(path: "/bin/sh", arguments: ["-c", script]), seconds: seconds)
  }

  @Test("a decoder that is killed costs one picture, and the next gets another decoder")
  func killed() throws {
    let folder = try ScratchFolder()
    let count = folder.url.appendingPathComponent("starts").path
    let maker = Self.maker(
      shell: "echo >> '\(count)'; printf y; head -c 5 > /dev/null; kill -9 $$")
    for size in 1...3 {
      #expect(maker.thumbnail(of: PictureSample.png(size, 1)) == .failed(.pictureEndedDecoder))
    }
    #expect(try String(contentsOfFile: count, encoding: .utf8).count == 3)
    // The same picture is not tried twice.
    #expect(maker.thumbnail(of: PictureSample.png(3, 1)) == .failed(.pictureEndedDecoder))
    #expect(try String(contentsOfFile: count, encoding: .utf8).count == 3)
  }

  @Test("a decoder that hangs is ended after its time, also while it is being written to")
  func hanging() throws {
    let folder = try ScratchFolder()
    let started = folder.url.appendingPathComponent("started").path
    let maker = Self.maker(
      shell: "echo $$ >> '\(started)'; printf y; exec sleep 1000", seconds: 1)
    #expect(maker.thumbnail(of: PictureSample.png(1, 1)) == .failed(.pictureTookTooLong))
    // More than a pipe holds.
    #expect(maker.thumbnail(of: PictureSample.png(300, 300)) == .failed(.pictureTookTooLong))
    // Both would be there for longer than any test.
    let processes = try String(contentsOfFile: started, encoding: .utf8)
      .split(separator: "\n").compactMap { Int32($0) }
    #expect(processes.count == 2)
    for process in processes { #expect(kill(process, 0) == -1) }
  }

  @Test("every answer of a decoder gives a small picture or nothing")
  func answers() {
    let answers = [
      "yyyyyyyyyyyyyyyyyyy",
      // A thumbnail of 4 GB, one that is not a picture, one of an unknown format.
      #"y\001\377\377\377\377"#, #"y\001\003\000\000\000abc"#, #"y\011\003\000\000\000abc"#,
    ]
    for answer in answers {
      let maker = Self.maker(shell: "printf '\(answer)'; cat > /dev/null")
      #expect(maker.thumbnail(of: PictureSample.png(1, 1)) == .failed(.pictureEndedDecoder))
    }
  }

  // Checks limit: ThumbnailMaker.mostBytes
  @Test("a thumbnail has at most four bytes for each pixel, and 64 KiB")
  func largest() throws {
    let most = PictureLimit.side * PictureLimit.side * 4 + 65_536
    let picture = PictureSample.png(1, 1)
    let folder = try ScratchFolder()
    for count in [most, most + 1] {
      let file = folder.url.appendingPathComponent("\(count)")
      let head = [1] + (0..<4).map { UInt8(count >> (8 * $0) & 255) }
      let rest = [UInt8](repeating: 0, count: count - picture.count)
      try Data([UInt8(ascii: "y")] + head + picture + rest).write(to: file)
      let maker = Self.maker(shell: "cat '\(file.path)' -; sleep 1000")
      guard case .made(let thumbnail) = maker.thumbnail(of: picture) else {
        #expect(count == most + 1)
        continue
      }
      #expect(thumbnail.bytes.count == most)
    }
  }

  @Test("every answer of a decoder gives colours or nothing")
  func colors() {
    let thumbnail = Thumbnail(picture: "a", format: .png, bytes: PictureSample.png(1, 1))
    let answers: [(String, PictureColors?)] = [
      (
        #"y\200\005\000\000\000\001\001abc"#,
        PictureColors(width: 1, height: 1, bytes: [97, 98, 99])
      ),
      // Fewer pixels than it says, none, too many, another kind, and none that it could read.
      (#"y\200\005\000\000\000\002\001abc"#, nil), (#"y\200\002\000\000\000\000\000"#, nil),
      (#"y\200\377\377\377\377"#, nil), (#"y\001\005\000\000\000\001\001abc"#, nil),
      (#"y\000\000\000\000\000"#, nil),
    ]
    for (answer, expected) in answers {
      let maker = Self.maker(shell: "printf '\(answer)'; cat > /dev/null")
      #expect(maker.colors(of: thumbnail) == expected, "\(answer)")
    }
    #expect(ThumbnailMaker(nil).colors(of: thumbnail) == nil)
  }

  @Test("after some losses no more pictures are tried in that run")
  func losses() {
    let maker = Self.maker(shell: "printf y; exit 1")
    let outcomes = (1...12).map { maker.thumbnail(of: PictureSample.png($0, 1)) }
    #expect(outcomes.filter { $0 == .failed(.pictureEndedDecoder) }.count == 8)
    #expect(outcomes.last == .unavailable(.tooManyLosses))
  }

  @Test("a missing program and a missing library are reported")
  func unavailable() {
    let missing = ThumbnailMaker(.init(path: "/nowhere/agenda"))
    #expect(missing.thumbnail(of: PictureSample.png(1, 1)) == .unavailable(.noProgram))
    #expect(ThumbnailMaker(nil).whyNot() == .noProgram)
    let bare = Self.maker(shell: "printf n")
    #expect(bare.thumbnail(of: PictureSample.png(1, 1)) == .unavailable(.noLibrary))
  }

  @Test("a file that is not a picture, or too large, does not start the decoder")
  func refused() throws {
    let folder = try ScratchFolder()
    let mark = folder.url.appendingPathComponent("started").path
    let maker = Self.maker(shell: "touch '\(mark)'; printf y")
    #expect(maker.thumbnail(of: Array("<html></html>".utf8)) == .none)
    #expect(maker.thumbnail(of: []) == .none)
    #expect(
      maker.thumbnail(of: PictureSample.png(1, 1, claimed: (60_000, 60_000)))
        == .failed(.pictureTooLarge(width: 60_000, height: 60_000)))
    let long = PictureSample.png(1, 1) + [UInt8](repeating: 0, count: 33 << 20)
    #expect(maker.thumbnail(of: long) == .failed(.pictureTooLong(bytes: long.count)))
    #expect(!FileManager.default.fileExists(atPath: mark))
  }
}
