public import Testing

/// Conditions of tests. A test whose condition does not hold is reported as skipped, with the reason.
extension Trait where Self == ConditionTrait {
  /// Runs a test only if these programs are installed.
  public static func requires(_ tools: String...) -> Self {
    .enabled("not all installed: \(tools.joined(separator: ", "))") {
      tools.allSatisfy { Tool.path(of: $0) != nil }
    }
  }

  /// Runs a test only if Python 3.11 or later is installed, which reads time zones by itself.
  public static var requiresPython: Self {
    .enabled("Python 3.11 or later is not installed") { Python.isInstalled }
  }

  /// Runs a test only if the packages of `Tests/Oracles/requirements.txt` are installed or can be
  /// installed.
  public static var requiresPythonPackages: Self {
    .enabled("the packages of Tests/Oracles/requirements.txt cannot be installed") {
      Python.packages != nil
    }
  }

  /// Runs a test only if the C compiler can link with libical.
  public static var requiresLibicalHeaders: Self {
    .enabled("no C compiler, or libical's headers are not installed") {
      guard let compiler = try? Tool("cc") else { return false }
      let program = "#include <libical/ical.h>\nint main(void) { return 0; }\n"
      let check = try? compiler.run(["-fsyntax-only", "-x", "c", "-"], input: program)
      return check?.status == 0
    }
  }

  /// Marks a test that takes longer than 20 seconds.
  public static var long: Self {
    .enabled("takes long; runs with AGENDA_ROUNDS=10") { TestSettings.includesLongTests }
  }
}
