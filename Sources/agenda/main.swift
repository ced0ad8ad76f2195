internal import AgendaCommands

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

FileDescriptor.holdStandardDescriptors()
FileDescriptor.ignoreBrokenPipes()
exit(AgendaProgram(environment: .process()).run().rawValue)
