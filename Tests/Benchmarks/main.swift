let arguments = CommandLine.arguments.dropFirst()
if arguments.first == "reader" { ReaderBenchmarks.run(Array(arguments.dropFirst())) }
