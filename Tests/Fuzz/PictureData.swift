// Modules: SystemLibrary Platform CivilTime Recurrence AgendaCore AgendaPictures
import AgendaPictures

/// Pictures from any bytes: Exif data in a JPEG file, and whole files.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPictureData(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  read(input)
  guard count < 0xff00 else { return 0 }
  // SOI, APP1 with its length and name, then the TIFF data, then EOI (Exif 2.32, 4.5.4).
  let length = UInt16(count + 8)
  let segment: [UInt8] = [0xff, 0xd8, 0xff, 0xe1, UInt8(length >> 8), UInt8(length & 0xff)]
  read(segment + Array("Exif\0\0".utf8) + input + [0xff, 0xd9])
  return 0
}

private func read(_ bytes: [UInt8]) {
  try? PictureMetadata.checkCompleteness(of: bytes)
  guard let metadata = try? PictureMetadata(of: bytes) else { return }
  if let taken = metadata.taken {
    precondition((1...12).contains(taken.month) && (1...31).contains(taken.day))
    precondition((0...23).contains(taken.hour) && (0...59).contains(taken.minute))
  }
  if let place = metadata.coordinates {
    precondition(abs(place.latitude) <= 90 && abs(place.longitude) <= 180)
  }
}
