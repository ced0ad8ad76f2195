internal import AgendaCore
internal import CommandLineOptions

/// How a result is to look.
struct Presentation {
  let format: Format
  /// The name of the locale, such as `de_DE.UTF-8`; `nil` where nobody asked for one.
  let localeName: String?
  /// The width of the terminal; `nil` where the result goes into a pipe or file.
  let columns: Int?
  let usesColor: Bool
  let showsZones: Bool
  let hasTableOfContents: Bool
  let printsNothingIfEmpty: Bool

  enum Format: String {
    case text, markdown, json, jsonl, tsv
  }

  init(_ invocation: Invocation) throws(CommandError) {
    let line = invocation.line
    let environment = invocation.environment
    format = line.value(of: Options.format).flatMap(Format.init) ?? .text
    localeName = line.value(of: Options.locale) ?? environment.localeName
    columns = environment.outputColumns()
    usesColor =
      switch line.value(of: Options.color) {
      case "always": true
      case "never": false
      default:
        columns != nil && environment.filled("NO_COLOR") == nil
          && environment.variable("TERM") != "dumb"
      }
    showsZones = line.has(Options.showZones)
    hasTableOfContents = line.has(Options.tableOfContents)
    printsNothingIfEmpty = line.has(Options.ifAny)
  }
}
