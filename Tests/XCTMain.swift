import Testing

/// Runs the tests. Without this file the package manager looks for tests of XCTest in the index that the
/// compiler writes, and there is neither.
@main
struct Runner {
  static func main() async {
    // It also asks for the tests of XCTest, and runs them.
    guard CommandLine.arguments.contains("swift-testing") else {
      return print(#"{"name": "All tests", "tests": []}"#)
    }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
