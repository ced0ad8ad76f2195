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
let environment = Environment.process(arguments: Array(CommandLine.arguments.dropFirst()))
exit(AgendaProgram(environment: environment).run().rawValue)
