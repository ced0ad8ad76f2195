import Testing

/// Runs the tests. Without this file the package manager looks for tests of XCTest in the index that the
/// compiler writes, and there is neither.
///
/// With it, `swift test --filter` needs `--enable-swift-testing --disable-xctest`, as `.ci/test` calls it.
@main
struct Runner {
  static func main() async {
    if CommandLine.arguments.contains("--dump-tests-json") {
      return print(#"{"name": "There are no tests of XCTest", "tests": []}"#)
    }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
