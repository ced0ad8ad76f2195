public import Foundation

/// The folders of the project that tests use.
public enum Repository {
  public static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  public static let fixtures = root.appendingPathComponent("Fixtures")
  /// Programs that answer independently of the code under test.
  public static let oracles = root.appendingPathComponent("Tests/Oracles")
  /// What tests build, for the next time.
  public static let build = root.appendingPathComponent(".build")
}
