internal import AgendaCore
internal import AgendaRendering
internal import CommandLineOptions

/// How a result is to look.
struct Presentation {
  let format: AgendaFormat
  /// The words for dates and times.
  let wording: DateWording
  /// The width of the terminal; `nil` where the result goes into a pipe or file.
  let columns: Int?
  let color: ColorDepth
  let showsZones: Bool
  let showsIdentifiers: Bool
  let hasTableOfContents: Bool
  let printsNothingIfEmpty: Bool
  /// Where thumbnails go.
  let mediaFolder: String?

  init(_ invocation: Invocation) throws(CommandError) {
    let line = invocation.line
    let environment = invocation.environment
    mediaFolder = line.value(of: Options.media)
    if let mediaFolder, mediaFolder.isEmpty {
      throw .wrongUsage("--media: the name of a folder is missing")
    }
    format = line.value(of: Options.format).flatMap(AgendaFormat.init) ?? .text
    wording = DateWording(
      try Self.locale(named: line.value(of: Options.locale), environment: environment))
    columns = environment.outputColumns()
    color = Self.color(line.value(of: Options.color), environment: environment, columns: columns)
    showsZones = line.has(Options.showZones)
    showsIdentifiers = line.has(Options.showIdentifiers)
    hasTableOfContents = line.has(Options.tableOfContents)
    printsNothingIfEmpty = line.has(Options.ifAny)
  }

  /// A locale that was asked for must be known; one of the environment may be anything.
  private static func locale(
    named name: String?, environment: Environment
  ) throws(CommandError) -> LocaleData {
    guard let name else { return LocaleData.fromEnvironment(environment.variable) }
    do throws(LocaleError) {
      return try LocaleData(name)
    } catch {
      throw .wrongUsage("--locale: \(error)")
    }
  }

  private static func color(
    _ when: String?, environment: Environment, columns: Int?
  ) -> ColorDepth {
    let terminal = environment.filled("TERM")
    switch when {
    case "always": break
    case "never": return .none
    default:
      guard columns != nil, environment.filled("NO_COLOR") == nil, let terminal,
        terminal != "dumb"
      else { return .none }
    }
    if ["truecolor", "24bit"].contains(environment.filled("COLORTERM") ?? "") { return .full }
    return .indexed
  }
}
