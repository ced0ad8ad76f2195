// swift-tools-version: 6.0

import PackageDescription

/// Warnings are errors in CI, by `-Xswiftc -warnings-as-errors`; existentials are written out.
let house: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
  name: "agenda",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "agenda", targets: ["agenda"]),
    .executable(name: "agenda-fetch", targets: ["agenda-fetch"]),
    .library(name: "AgendaKit", targets: ["AgendaKit"]),
  ],
  targets: [
    .systemLibrary(
      name: "CLibical", providers: [.apt(["libical-dev"]), .brew(["libical"])]),
    .systemLibrary(
      name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    // Nothing to install for building: it declares what it uses of libcurl itself.
    .systemLibrary(name: "CCurl"),

    .target(name: "CivilTime", swiftSettings: house),
    .target(name: "Processes", swiftSettings: house),
    .target(name: "Recurrence", dependencies: ["CivilTime"], swiftSettings: house),
    .target(name: "AgendaCore", dependencies: ["Recurrence", "CivilTime"], swiftSettings: house),
    .target(
      name: "AgendaReader", dependencies: ["AgendaCore", "Recurrence", "CivilTime", "CLibical"],
      swiftSettings: house),
    .target(
      name: "AgendaStore", dependencies: ["AgendaCore", "Recurrence", "CivilTime", "CSQLite"],
      swiftSettings: house),
    .target(
      name: "AgendaRendering", dependencies: ["AgendaCore", "Recurrence", "CivilTime"],
      swiftSettings: house),
    // Loads libgd while it runs, in a process of its own.
    .target(
      name: "AgendaPictures", dependencies: ["AgendaCore", "Processes"], swiftSettings: house),
    .target(name: "CommandLineOptions", swiftSettings: house),
    .target(
      name: "AgendaCommands",
      dependencies: [
        "CommandLineOptions", "AgendaReader", "AgendaStore", "AgendaRendering", "AgendaPictures",
        "AgendaCore", "Recurrence", "CivilTime", "Processes",
      ],
      swiftSettings: house),
    .target(
      name: "AgendaKit",
      dependencies: [
        "AgendaReader", "AgendaStore", "AgendaRendering", "AgendaCore", "Recurrence", "CivilTime",
      ],
      swiftSettings: house),
    .executableTarget(
      name: "agenda", dependencies: ["AgendaCommands", "AgendaPictures", "Processes"],
      swiftSettings: house),
    .executableTarget(
      name: "agenda-fetch", dependencies: ["CommandLineOptions", "Processes", "CCurl"],
      swiftSettings: house),

    .executableTarget(
      name: "Benchmarks",
      dependencies: ["AgendaReader", "AgendaCore", "Recurrence", "CivilTime"],
      path: "Tests/Benchmarks",
      exclude: [
        "baseline", "make-calendar", "importing", "make-pictures", "reading", "showing", "turns.py",
        "hostile",
      ],
      swiftSettings: house),

    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: house),
    .testTarget(
      name: "CivilTimeTests", dependencies: ["TestSupport", "CivilTime"], swiftSettings: house),
    .testTarget(
      name: "ProcessesTests", dependencies: ["TestSupport", "Processes"], swiftSettings: house),
    .testTarget(
      name: "RecurrenceTests", dependencies: ["TestSupport", "Recurrence", "CivilTime"],
      swiftSettings: house),
    .testTarget(
      name: "AgendaCoreTests",
      dependencies: ["TestSupport", "AgendaCore", "Recurrence", "CivilTime"],
      swiftSettings: house),
    .testTarget(
      name: "AgendaReaderTests",
      dependencies: ["TestSupport", "AgendaReader", "AgendaCore", "Recurrence", "CivilTime"],
      swiftSettings: house),
    .target(name: "CFaultyFiles", dependencies: ["CSQLite"], path: "Tests/CFaultyFiles"),
    .testTarget(
      name: "AgendaStoreTests",
      dependencies: [
        "CFaultyFiles", "CSQLite", "TestSupport",
        "AgendaCommands", "AgendaStore", "AgendaReader", "AgendaCore", "Recurrence", "CivilTime",
      ],
      swiftSettings: house),
    .testTarget(
      name: "AgendaRenderingTests",
      dependencies: ["TestSupport", "AgendaRendering", "AgendaCore", "Recurrence", "CivilTime"],
      swiftSettings: house),
    .testTarget(
      name: "AgendaPicturesTests", dependencies: ["TestSupport", "AgendaPictures", "AgendaCore"],
      swiftSettings: house),
    .testTarget(
      name: "CommandLineOptionsTests", dependencies: ["TestSupport", "CommandLineOptions"],
      swiftSettings: house),
    .testTarget(
      name: "AgendaCommandsTests",
      dependencies: [
        "TestSupport", "AgendaCommands", "CommandLineOptions", "AgendaCore", "CivilTime",
        "Processes",
      ],
      swiftSettings: house),
    .testTarget(
      name: "AgendaKitTests", dependencies: ["TestSupport", "AgendaKit"], swiftSettings: house),
    .testTarget(
      name: "EndToEndTests", dependencies: ["TestSupport", "agenda", "agenda-fetch"],
      swiftSettings: house),
  ],
  swiftLanguageModes: [.v6]
)
