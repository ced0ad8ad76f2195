// swift-tools-version: 6.0

import PackageDescription

/// Six small programs, each one file. The package depends on agenda by its path.
let names = [
  "AppointmentList", "SectionTitles", "ResultsController", "PhotoLocations", "StatusBar",
  "SharedFolder",
]

let package = Package(
  name: "Examples",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "agenda", path: "../..")],
  targets: names.map { name in
    .executableTarget(
      name: name,
      dependencies: [
        .product(name: "AgendaKit", package: "agenda"),
        .product(name: "AgendaKitFoundation", package: "agenda"),
      ])
  },
  swiftLanguageModes: [.v6]
)
