// swift-tools-version: 6.0

import Foundation
import PackageDescription

/// Warnings are errors in CI, by `-Xswiftc -warnings-as-errors`; existentials are written out.
let house: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// The programs of Docs/Examples, built here too so that the tests can run them.
let examples = [
  "AppointmentList", "SectionTitles", "ResultsController", "PhotoLocations", "StatusBar",
  "SharedFolder",
]

/// The tests, what they use, and the programs of Docs/Examples.
let tests: [Target] =
  [
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "AgendaKit", "AgendaSources", "AgendaReader", "AgendaCore", "Recurrence", "CivilTime",
        "Platform",
      ],
      path: "Tests/Benchmarks",
      exclude: [
        "baseline", "make-calendar", "make-folder", "importing", "writing", "make-pictures",
        "reading", "showing", "opening",
        "subscriptions", "turns.py", "hostile", "browsing", "terminals", "caldav",
      ],
      swiftSettings: house),

    .target(
      name: "TestSupport", dependencies: ["Platform"], path: "Tests/TestSupport",
      swiftSettings: house),
    .testTarget(
      name: "CivilTimeTests", dependencies: ["TestSupport", "CivilTime"], swiftSettings: house),
    .testTarget(
      name: "PlatformTests", dependencies: ["TestSupport", "Platform"], swiftSettings: house),
    .testTarget(
      name: "RecurrenceTests", dependencies: ["TestSupport", "Recurrence", "CivilTime"],
      swiftSettings: house),
    .testTarget(
      name: "PhrasesTests", dependencies: ["TestSupport", "Phrases", "Recurrence", "CivilTime"],
      swiftSettings: house),
    .testTarget(
      name: "AgendaCoreTests",
      dependencies: ["TestSupport", "AgendaCore", "Recurrence", "CivilTime"],
      swiftSettings: house),
    .testTarget(
      name: "AgendaReaderTests",
      dependencies: [
        "TestSupport", "AgendaSources", "ICalendar", "AgendaReader", "AgendaCore", "Recurrence",
        "CivilTime", "Platform",
      ],
      swiftSettings: house),
    .testTarget(
      name: "AgendaSourcesTests",
      dependencies: [
        "TestSupport", "AgendaSources", "AgendaStore", "AgendaReader", "AgendaCore", "Recurrence",
        "CivilTime", "FetchProtocol", "Platform",
      ],
      swiftSettings: house),
    .target(name: "CFaultyFiles", dependencies: ["CSQLite"], path: "Tests/CFaultyFiles"),
    .testTarget(
      name: "AgendaStoreTests",
      dependencies: [
        "CFaultyFiles", "CSQLite", "TestSupport",
        "AgendaSources", "AgendaStore", "AgendaReader", "AgendaCore", "Recurrence", "CivilTime",
      ],
      swiftSettings: house),
    .testTarget(
      name: "AgendaRenderingTests",
      dependencies: [
        "TestSupport", "AgendaRendering", "AgendaCore", "Phrases", "Recurrence", "CivilTime",
      ],
      swiftSettings: house),
    .testTarget(
      name: "AgendaPicturesTests", dependencies: ["TestSupport", "AgendaPictures", "AgendaCore"],
      swiftSettings: house),
    .testTarget(
      name: "CommandLineOptionsTests", dependencies: ["TestSupport", "CommandLineOptions"],
      swiftSettings: house),
    .testTarget(
      name: "AgendaBrowserTests",
      dependencies: [
        "TestSupport", "AgendaBrowser", "AgendaKit", "AgendaRendering", "AgendaCore", "CivilTime",
      ],
      swiftSettings: house),
    .testTarget(
      name: "AgendaCommandsTests",
      dependencies: [
        "TestSupport", "AgendaCommands", "CommandLineOptions", "AgendaKit", "AgendaSources",
        "AgendaStore", "AgendaReader", "AgendaCore", "CivilTime", "Platform",
      ],
      swiftSettings: house),
    .testTarget(
      name: "AgendaKitTests",
      dependencies: ["TestSupport", "AgendaKit", "AgendaKitFoundation", "AgendaCore"],
      swiftSettings: house),
    .testTarget(
      name: "AgendaKitFoundationTests",
      dependencies: ["TestSupport", "AgendaKit", "AgendaKitFoundation", "AgendaCore"],
      swiftSettings: house),
    .testTarget(
      name: "FetchProtocolTests", dependencies: ["TestSupport", "FetchProtocol"],
      swiftSettings: house),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "TestSupport", "FetchProtocol", "AgendaCommands", "AgendaKit", "CivilTime", "Platform",
        "agenda", "agenda-fetch",
      ]
        + examples.map { .init(stringLiteral: $0) },
      swiftSettings: house),
  ]
  + examples.map { name in
    .executableTarget(
      name: name, dependencies: ["AgendaKit", "AgendaKitFoundation"],
      path: "Docs/Examples/Sources/\(name)")
  }

/// The archive of the library has no tests and no examples.
let isWhole = FileManager.default.fileExists(atPath: Context.packageDirectory + "/Tests")

let package = Package(
  name: "agenda",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "agenda", targets: ["agenda"]),
    .executable(name: "agenda-fetch", targets: ["agenda-fetch"]),
    .library(name: "AgendaKit", targets: ["AgendaKit"]),
    .library(name: "AgendaKitFoundation", targets: ["AgendaKitFoundation"]),
  ],
  targets: [
    .systemLibrary(
      name: "CLibical", providers: [.apt(["libical-dev"]), .brew(["libical"])]),
    .systemLibrary(
      name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CExpat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CSystem"),

    .target(
      name: "SystemLibrary", dependencies: ["CSystem"], swiftSettings: house,
      linkerSettings: [
        .linkedLibrary("iconv", .when(platforms: [.macOS])),
        .linkedLibrary("resolv", .when(platforms: [.macOS])),
      ]),
    .target(name: "Platform", dependencies: ["SystemLibrary"], swiftSettings: house),
    .target(name: "CivilTime", dependencies: ["Platform"], swiftSettings: house),
    .target(name: "Recurrence", dependencies: ["CivilTime"], swiftSettings: house),
    .target(name: "Phrases", dependencies: ["Recurrence", "CivilTime"], swiftSettings: house),
    .target(
      name: "AgendaCore", dependencies: ["Recurrence", "CivilTime", "Platform"],
      swiftSettings: house),
    .target(name: "ICalendar", dependencies: ["Platform", "CLibical"], swiftSettings: house),
    .target(
      name: "AgendaReader",
      dependencies: ["ICalendar", "AgendaCore", "Recurrence", "CivilTime", "Platform"],
      swiftSettings: house),
    .target(
      name: "AgendaStore",
      dependencies: ["CivilTime", "Platform", "CSQLite"], swiftSettings: house),
    .target(
      name: "AgendaRendering", dependencies: ["AgendaCore", "Recurrence", "CivilTime"],
      // `WordTable.swift` is made from them.
      exclude: ["Words/Languages"], swiftSettings: house),
    // Loads libgd while it runs, in a separate process.
    .target(
      name: "AgendaPictures", dependencies: ["AgendaCore", "Platform"], swiftSettings: house),
    .target(
      name: "AgendaSources",
      dependencies: [
        "ICalendar", "AgendaReader", "AgendaStore", "AgendaPictures", "AgendaCore", "Recurrence",
        "CivilTime", "FetchProtocol", "Platform",
      ],
      swiftSettings: house),
    .target(name: "CommandLineOptions", swiftSettings: house),
    .target(
      name: "AgendaBrowser",
      dependencies: [
        "AgendaRendering", "AgendaCore", "Phrases", "CivilTime", "Platform",
      ],
      swiftSettings: house),
    .target(
      name: "AgendaCommands",
      dependencies: [
        "CommandLineOptions", "AgendaBrowser", "AgendaKit", "AgendaRendering", "AgendaCore",
        "Phrases", "Recurrence", "CivilTime", "Platform",
      ],
      swiftSettings: house),
    .target(
      name: "AgendaKit",
      dependencies: [
        "AgendaSources", "AgendaReader", "AgendaStore", "AgendaPictures", "AgendaRendering",
        "AgendaCore", "Phrases", "Recurrence", "CivilTime", "Platform",
      ],
      swiftSettings: house),
    // The only module of the library that uses Foundation.
    .target(
      name: "AgendaKitFoundation", dependencies: ["AgendaKit"], swiftSettings: house),
    .executableTarget(
      name: "agenda", dependencies: ["AgendaCommands", "AgendaPictures", "Platform"],
      swiftSettings: house),
    .target(name: "FetchProtocol", swiftSettings: house),
    .executableTarget(
      name: "agenda-fetch",
      dependencies: ["CommandLineOptions", "FetchProtocol", "Platform", "CCurl", "CExpat"],
      swiftSettings: house),
  ] + (isWhole ? tests : []),
  swiftLanguageModes: [.v6]
)
