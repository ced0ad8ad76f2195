internal import AgendaCommands
internal import AgendaPictures
internal import Processes

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

FileDescriptor.holdStandardDescriptors()
if CommandLine.arguments.dropFirst() == [PictureDecoder.argument] { exit(PictureDecoder.run()) }
FileDescriptor.ignoreBrokenPipes()
exit(AgendaProgram(environment: .process()).run().rawValue)
