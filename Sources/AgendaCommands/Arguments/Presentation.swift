internal import AgendaCore
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions

/// The settings for printing a result.
struct Presentation {
  let format: AgendaFormat
  /// The words for dates and times.
  let wording: DateWording
  /// The width of the terminal; `nil` if the result goes into a pipe or file.
  var columns: Int?
  var color: ColorDepth
  let showsZones: Bool
  /// A zone whose times are shown too.
  let secondZone: Zone?
  let showsIdentifiers: Bool
  let showsIndexPaths: Bool
  /// How text shows the links of entries.
  let links: TextStyle.Links
  let hasTableOfContents: Bool
  let printsNothingIfEmpty: Bool
  /// Whether a web page has only its months.
  let hasOnlyMonths: Bool
  /// Whether cells of a table that a spreadsheet would take for formulas are marked.
  let isSafe: Bool
  /// The folder for thumbnails.
  let mediaFolder: String?
  /// The recipients of a mail; empty for other output.
  let recipients: [MailRecipient]
  /// The subject of the mail, if it is given.
  let subject: String?
  /// The template for each entry, which replaces `format`.
  let template: EntryTemplate?
  /// The user's addresses in the configuration, if the result marks invitations that are not answered.
  let ownAddresses: [String]

  init(_ invocation: Invocation) throws(CommandError) {
    let line = invocation.line
    let environment = invocation.environment
    mediaFolder = line.value(of: Options.media)
    if let mediaFolder, mediaFolder.isEmpty {
      throw .wrongValue(Options.media, "expected the name of a folder, got an empty one")
    }
    // The `--mail` of a reply has no address.
    let takesAddress = line.command.option(named: Options.mail.name)?.value != nil
    let addresses = takesAddress ? line.values(of: Options.mail) : []
    recipients = try addresses.map { text throws(CommandError) in
      guard let recipient = MailRecipient(text.trimmingBlanks) else {
        throw .wrongValue(
          Options.mail,
          "expected an address like ana@example.com or Ana <ana@example.com>, "
            + "got \"\(SafeText.line(text))\"")
      }
      return recipient
    }
    subject = line.value(of: Options.subject)
    if subject != nil, recipients.isEmpty {
      throw .wrongUsage("--subject can only be used with --mail ADDRESS")
    }
    template = try line.value(of: Options.template).map(Self.template)
    format = line.value(of: Options.format).flatMap(AgendaFormat.init) ?? .text
    isSafe = line.has(Options.safe)
    if line.isTyped(Options.safe), format != .tsv, format != .csv {
      throw .wrongUsage("--safe can only be used with --format tsv or csv")
    }
    wording = DateWording(
      try Self.locale(named: line.value(of: Options.locale), environment: environment))
    columns = environment.outputColumns()
    color = Self.color(line.value(of: Options.color), environment: environment, columns: columns)
    showsZones = line.has(Options.showZones)
    secondZone = try Viewer.secondZone(invocation)
    if secondZone == nil, let field = template?.fieldOfSecondZone {
      throw .wrongValue(Options.template, "{\(field)} needs --also ZONE")
    }
    showsIdentifiers = line.has(Options.showIdentifiers)
    showsIndexPaths = line.has(Options.showIndexPaths)
    links = columns == nil ? .none : environment.knowsHyperlinks ? .hyperlinks : .words
    hasTableOfContents = line.has(Options.tableOfContents)
    hasOnlyMonths = line.has(Options.printedGrid) && format == .html
    printsNothingIfEmpty = line.has(Options.ifAny)
    let showsNotes =
      template == nil && (!recipients.isEmpty || [.text, .markdown, .html].contains(format))
    ownAddresses = showsNotes ? line.values(of: Options.ownAddress) : []
  }

  /// Whether a person looks at the result now, on a terminal.
  var isOnTerminal: Bool { columns != nil }

  /// Whether lists for people show ids: on request, and on a terminal with room for them.
  func listsIdentifiers(in width: Int?) -> Bool {
    showsIdentifiers || isOnTerminal && width.map { $0 >= TextStyle.narrow } ?? false
  }

  /// Whether the result is text for that person.
  var isForTerminal: Bool {
    isOnTerminal && format == .text && template == nil && recipients.isEmpty
  }

  /// Whether the result is text, which has a sentence for an empty result.
  var saysIfNothingIsFound: Bool {
    template == nil && recipients.isEmpty && [.text, .markdown].contains(format)
  }

  /// What a listing in this format writes of each entry.
  var entrySize: EntrySize {
    if let template {
      return EntrySize(
        template.listsDetails ? .all : .none, frame: template.frame, copies: template.copies)
    }
    return switch format {
    case .text: EntrySize(links == .none ? .none : .links, frame: 60)
    case .markdown: EntrySize(.links, frame: 60)
    case .html: EntrySize(.all, frame: 220)
    case .json, .jsonl: EntrySize(.all, frame: 420)
    case .tsv, .csv: EntrySize(frame: 160)
    }
  }

  private static func template(_ text: String) throws(CommandError) -> EntryTemplate {
    do throws(EntryTemplateError) {
      return try EntryTemplate(text)
    } catch {
      var reason = SafeText.line(error.description)
      if case .unknownField(let name) = error.problem {
        reason += wayOut(ofUnknownField: name, among: EntryTemplate.fieldNames)
      }
      throw .wrongValue(Options.template, reason)
    }
  }

  /// A locale in an option must be known. One in the environment may be unknown.
  private static func locale(
    named name: String?, environment: Environment
  ) throws(CommandError) -> LocaleData {
    guard let name else { return LocaleData.fromEnvironment(environment.variable) }
    do throws(LocaleError) {
      return try LocaleData(name)
    } catch {
      throw .wrongValue(Options.locale, "\(error)")
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
    return terminal.map(hasSixteenColors) ?? false ? .basic : .indexed
  }

  /// Whether a terminal has 16 colours or less, by the names in its terminfo entries. All others show
  /// 256 today, whatever they are called.
  private static func hasSixteenColors(_ terminal: String) -> Bool {
    ["linux", "ansi", "cygwin", "screen", "xterm-color", "xterm-16color"].contains(terminal)
      || terminal.hasPrefix("vt")
  }
}

extension Environment {
  /// Whether the terminal is known to show hyperlinks (OSC 8). Of those that are not known, some show
  /// the sequence as text.
  fileprivate var knowsHyperlinks: Bool {
    // Inside of a multiplexer, the other variables are about the terminal around it.
    guard let terminal = filled("TERM"), filled("TMUX") == nil, filled("STY") == nil,
      !["dumb", "linux", "screen", "tmux", "vt"].contains(where: terminal.hasPrefix)
    else { return false }
    if ["xterm-kitty", "xterm-ghostty", "alacritty", "contour", "foot", "wezterm"].contains(
      where: terminal.hasPrefix)
    {
      return true
    }
    if ["WezTerm", "ghostty", "iTerm.app", "vscode"].contains(filled("TERM_PROGRAM") ?? "") {
      return true
    }
    // Windows Terminal; GNOME and other terminals with VTE, which crashed at some links before 0.52.2.
    if filled("WT_SESSION") != nil { return true }
    return filled("VTE_VERSION").flatMap { Int($0) }.map { $0 >= 5202 } ?? false
  }
}

extension String {
  /// Without the blanks at either end, which a person cannot see.
  fileprivate var trimmingBlanks: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
