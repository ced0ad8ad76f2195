import Testing

/// Runs the tests. Without this file the package manager looks for tests of XCTest in the index that the
/// compiler writes, and there is neither.
@main
struct Runner {
  static func main() async {
    await Testing.__swiftPMEntryPoint() as Never
  }
}
