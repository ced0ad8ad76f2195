internal import AgendaCore
internal import Platform

/// The functions of libgd that thumbnails need. It is loaded by the decoder's process alone.
struct PictureLibrary {
  typealias Image = OpaquePointer
  private typealias Decode = @convention(c) (CInt, UnsafeMutableRawPointer?) -> Image?
  private typealias Create = @convention(c) (CInt, CInt) -> Image?
  private typealias Destroy = @convention(c) (Image?) -> Void
  private typealias SetFlag = @convention(c) (Image?, CInt) -> Void
  private typealias Resample =
    @convention(c) (
      Image?, Image?, CInt, CInt, CInt, CInt, CInt, CInt, CInt, CInt
    ) -> Void
  private typealias PixelGet = @convention(c) (Image?, CInt, CInt) -> CInt
  private typealias PixelSet = @convention(c) (Image?, CInt, CInt, CInt) -> Void
  private typealias EncodePNG =
    @convention(c) (Image?, UnsafeMutablePointer<CInt>?) -> UnsafeMutableRawPointer?
  private typealias EncodeJPEG =
    @convention(c) (Image?, UnsafeMutablePointer<CInt>?, CInt) -> UnsafeMutableRawPointer?
  private typealias Free = @convention(c) (UnsafeMutableRawPointer?) -> Void

  private let decoders: [PictureFormat: Decode]
  private let create: Create
  private let destroy: Destroy
  private let setBlending: SetFlag
  private let setSavesAlpha: SetFlag
  private let resample: Resample
  private let pixel: PixelGet
  private let setPixel: PixelSet
  private let encodePNG: EncodePNG
  private let encodeJPEG: EncodeJPEG
  private let free: Free

  /// `nil` if the system has no libgd 2.
  init?() {
    #if canImport(Darwin)
      let names = [
        "libgd.3.dylib", "/opt/homebrew/lib/libgd.3.dylib", "/usr/local/lib/libgd.3.dylib",
      ]
    #else
      let names = ["libgd.so.3"]
    #endif
    guard let library = LoadedLibrary(firstOf: names) else { return nil }
    var decoders: [PictureFormat: Decode] = [:]
    decoders[.png] = library.function("gdImageCreateFromPngPtr", Decode.self)
    decoders[.jpeg] = library.function("gdImageCreateFromJpegPtr", Decode.self)
    decoders[.gif] = library.function("gdImageCreateFromGifPtr", Decode.self)
    decoders[.webp] = library.function("gdImageCreateFromWebpPtr", Decode.self)
    self.decoders = decoders
    guard let create = library.function("gdImageCreateTrueColor", Create.self),
      let destroy = library.function("gdImageDestroy", Destroy.self),
      let setBlending = library.function("gdImageAlphaBlending", SetFlag.self),
      let setSavesAlpha = library.function("gdImageSaveAlpha", SetFlag.self),
      let resample = library.function("gdImageCopyResampled", Resample.self),
      let pixel = library.function("gdImageGetTrueColorPixel", PixelGet.self),
      let setPixel = library.function("gdImageSetPixel", PixelSet.self),
      let encodePNG = library.function("gdImagePngPtr", EncodePNG.self),
      let encodeJPEG = library.function("gdImageJpegPtr", EncodeJPEG.self),
      let free = library.function("gdFree", Free.self)
    else { return nil }
    self.create = create
    self.destroy = destroy
    self.setBlending = setBlending
    self.setSavesAlpha = setSavesAlpha
    self.resample = resample
    self.pixel = pixel
    self.setPixel = setPixel
    self.encodePNG = encodePNG
    self.encodeJPEG = encodeJPEG
    self.free = free
  }

  private static let quality: CInt = 80

  /// A small copy of a picture; `nil` if it cannot be read.
  func thumbnail(
    of bytes: inout [UInt8], format: PictureFormat
  ) -> (format: Thumbnail.Format, bytes: [UInt8])? {
    let orientation =
      format == .jpeg ? PictureOrientation(ofJPEG: bytes) : PictureOrientation.upright
    let copy = smallCopy(of: &bytes, format: format) { side, longest in
      let longer = max(longest, PictureLimit.side)
      return max(1, (side * PictureLimit.side + longer / 2) / longer)
    }
    guard let (small, smallWidth, smallHeight) = copy else { return nil }
    defer { destroy(small) }
    guard orientation != .upright else { return encoded(small, of: format) }
    guard let turned = turned(small, orientation, smallWidth, smallHeight) else { return nil }
    defer { destroy(turned) }
    return encoded(turned, of: format)
  }

  /// A copy whose sides are scaled, which the caller destroys; `nil` if the picture cannot be read.
  private func smallCopy(
    of bytes: inout [UInt8], format: PictureFormat,
    scaled: (_ side: Int, _ longest: Int) -> Int
  ) -> (picture: Image, width: Int, height: Int)? {
    guard let decode = decoders[format],
      let picture = bytes.withUnsafeMutableBytes({
        decode(CInt(clamping: $0.count), $0.baseAddress)
      })
    else { return nil }
    defer { destroy(picture) }
    let (width, height) = Self.size(of: picture)
    guard width > 0, height > 0, width * height <= PictureLimit.pixels else { return nil }
    let longest = max(width, height)
    let (smallWidth, smallHeight) = (scaled(width, longest), scaled(height, longest))
    guard let small = empty(smallWidth, smallHeight) else { return nil }
    resample(
      small, picture, 0, 0, 0, 0, CInt(smallWidth), CInt(smallHeight), CInt(width), CInt(height))
    return (small, smallWidth, smallHeight)
  }

  /// The colours of a very small copy, before a dark background where it is transparent; `nil` if it cannot
  /// be read.
  func colors(of bytes: inout [UInt8], format: PictureFormat) -> PictureColors? {
    let copy = smallCopy(of: &bytes, format: format) { side, longest in
      max(1, side * PictureColors.side / longest)
    }
    guard let (small, smallWidth, smallHeight) = copy else { return nil }
    defer { destroy(small) }
    var colors: [UInt8] = []
    for y in 0..<smallHeight {
      for x in 0..<smallWidth {
        let value = Int(pixel(small, CInt(x), CInt(y)))
        // libgd's alpha is from 0, opaque, to 127.
        let alpha = value >> 24 & 0x7f
        for shift in [16, 8, 0] {
          let channel = value >> shift & 0xff
          colors.append(UInt8((channel * (127 - alpha) + Self.background * alpha) / 127))
        }
      }
    }
    return PictureColors(width: smallWidth, height: smallHeight, bytes: colors)
  }

  private static let background = 0x20

  /// A canvas that copies pixels unchanged, including their transparency.
  private func empty(_ width: Int, _ height: Int) -> Image? {
    guard let image = create(CInt(width), CInt(height)) else { return nil }
    setBlending(image, 0)
    setSavesAlpha(image, 1)
    return image
  }

  private func turned(
    _ image: Image, _ orientation: PictureOrientation, _ width: Int, _ height: Int
  ) -> Image? {
    let (newWidth, newHeight) = orientation.isOnSide ? (height, width) : (width, height)
    guard let turned = empty(newWidth, newHeight) else { return nil }
    for y in 0..<newHeight {
      for x in 0..<newWidth {
        let from = orientation.stored(x: x, y: y, width: newWidth, height: newHeight)
        setPixel(turned, CInt(x), CInt(y), pixel(image, CInt(from.x), CInt(from.y)))
      }
    }
    return turned
  }

  /// Photographs stay JPEG; other pictures can be transparent.
  private func encoded(
    _ image: Image, of format: PictureFormat
  ) -> (format: Thumbnail.Format, bytes: [UInt8])? {
    var count: CInt = 0
    let isPhotograph = format == .jpeg
    let encoded =
      isPhotograph ? encodeJPEG(image, &count, Self.quality) : encodePNG(image, &count)
    guard let encoded, count > 0 else { return nil }
    defer { free(encoded) }
    return (
      isPhotograph ? .jpeg : .png,
      Array(UnsafeRawBufferPointer(start: encoded, count: Int(count)))
    )
  }

  /// libgd has no function for it: `gdImageSX` reads the struct, which begins with a pointer and then
  /// has width and height, in all of libgd.so.3.
  private static func size(of image: Image) -> (width: Int, height: Int) {
    let structure = UnsafeRawPointer(image)
    let first = MemoryLayout<UnsafeRawPointer>.size
    return (
      Int(structure.load(fromByteOffset: first, as: CInt.self)),
      Int(structure.load(fromByteOffset: first + MemoryLayout<CInt>.size, as: CInt.self))
    )
  }
}
