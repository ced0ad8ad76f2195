package func run() {}
