internal import AgendaCommands
internal import AgendaPictures
internal import Platform

FileDescriptor.holdStandardDescriptors()
if CommandLine.arguments.dropFirst() == [PictureDecoder.argument] { exit(PictureDecoder.run()) }
FileDescriptor.ignoreBrokenPipes()
exit(AgendaProgram(environment: .process()).run().rawValue)
