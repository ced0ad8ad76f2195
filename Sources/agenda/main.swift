internal import AgendaCommands
internal import AgendaPictures
internal import Platform

FileDescriptor.holdStandardDescriptors()
// Swift on Linux reads the arguments from /proc. Without it every command would look like `agenda`.
if CommandLine.arguments.isEmpty {
  let message = "agenda: cannot read the command line; /proc must be mounted; nothing was done\n"
  _ = Array(message.utf8).withUnsafeBytes(FileDescriptor.standardError.write)
  RunningProgram.exit(1)
}
if CommandLine.arguments.dropFirst() == [PictureDecoder.argument] {
  RunningProgram.exit(PictureDecoder.run())
}
FileDescriptor.ignoreBrokenPipes()
RunningProgram.endIfFileIsCut(
  "agenda: error: another program made the store or a file next to it shorter while agenda used it; "
    + "what was not finished is not done; run agenda doctor to check the store\n")
RunningProgram.exit(AgendaProgram(environment: .process()).run().rawValue)
