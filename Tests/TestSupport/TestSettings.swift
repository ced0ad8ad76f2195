public import Foundation

/// What the environment asks of a run of the tests.
public enum TestSettings {
  private static let environment = ProcessInfo.processInfo.environment

  /// `AGENDA_ROUNDS=10` makes tests with random input try ten times as much as usual.
  public static let rounds = max(1, environment["AGENDA_ROUNDS"].flatMap { Int($0) } ?? 1)

  /// Whether tests that take longer than 20 seconds run too.
  public static let includesLongTests = rounds >= 10

  /// `AGENDA_RECORD=1` writes the expected files again. The tests that do so fail, because a person
  /// has to read what changed.
  public static let isRecording = !["", "0"].contains(environment["AGENDA_RECORD"] ?? "")

  /// `AGENDA_SCRATCH` is where tests make their temporary folders, so that whoever stops them can remove
  /// these.
  public static let scratch = environment["AGENDA_SCRATCH"].map { URL(fileURLWithPath: $0) }
}
