import Foundation
import TestSupport

/// A store with calendars that are folders, and the built program to change them.
struct WrittenFolder {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  var path: String { scratch.url.path }

  /// A moment and a zone are pinned for commands that use them.
  func agenda(_ arguments: String..., environment: [String: String] = [:]) throws -> AgendaRun {
    try agenda(arguments, environment: environment)
  }

  func agenda(_ arguments: [String], environment: [String: String] = [:]) throws -> AgendaRun {
    let takesMoment = !["import", "refresh", "doctor", "changes"].contains(arguments[0])
    return try AgendaRun(
      arguments + (takesMoment ? AgendaRun.pinned : []),
      environment: ["AGENDA_STORE": "agenda.sqlite"].merging(environment) { $1 }, in: scratch.url)
  }

  func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: scratch.url.appendingPathComponent(folder).path
    ).sorted()
  }

  func contents(_ path: String) throws -> String {
    try String(contentsOf: scratch.url.appendingPathComponent(path), encoding: .utf8)
  }

  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      at: scratch.url.appendingPathComponent(name), withIntermediateDirectories: true)
  }

  /// The columns of a listing of the next two years.
  func rows(_ words: String) throws -> [[String: String]] {
    let run = try agenda(
      "show", "--tasks", "--include-cancelled", "--search", words, "-f", "tsv", "--years", "2")
    let lines = run.output.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    guard let header = lines.first else { return [] }
    return lines.dropFirst().map { Dictionary(zip(header, $0)) { first, _ in first } }
  }

  func starts(_ words: String) throws -> [String] {
    try rows(words).map { String(($0["start"] ?? "").prefix(16)) }
  }

  /// Whether an import of the folders finds nothing to do.
  var storeAgrees: Bool {
    get throws {
      let refresh = try agenda("refresh")
      let isChanged = ["added", "updated", "removed"].contains { refresh.output.contains($0) }
      return try refresh.status == 0 && !isChanged && agenda("doctor").status == 0
    }
  }
}
