let arguments = CommandLine.arguments.dropFirst()
if arguments.first == "reader" { ReaderBenchmarks.run(Array(arguments.dropFirst())) }
if arguments.first == "reading" { ReaderBenchmarks.readOnce(Array(arguments.dropFirst())) }
if arguments.first == "rules" { RuleBenchmarks.run() }
if arguments.first == "zones" { ZoneBenchmarks.run() }
if arguments.first == "results" { try await ResultsBenchmarks.run(Array(arguments.dropFirst())) }
if arguments.first == "opening" { try ResultsBenchmarks.open(Array(arguments.dropFirst())) }
