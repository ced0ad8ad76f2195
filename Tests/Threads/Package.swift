// swift-tools-version: 6.0

import PackageDescription

/// A program that uses AgendaKit from several tasks at once. `.ci/prove --size hour threads` runs it
/// under the thread sanitizer.
let package = Package(
  name: "Threads",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "agenda", path: "../..")],
  targets: [
    .executableTarget(
      name: "Threads",
      dependencies: [
        .product(name: "AgendaKit", package: "agenda"),
        .product(name: "AgendaKitFoundation", package: "agenda"),
      ],
      path: ".", sources: ["main.swift"])
  ],
  swiftLanguageModes: [.v6]
)
