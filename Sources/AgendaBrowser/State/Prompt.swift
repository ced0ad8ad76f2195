internal import AgendaCore
internal import CivilTime

/// What the browser asks in its last line.
package enum Prompt: Sendable {
  /// A line of text.
  case line(Line)
  /// One key.
  case question(Question)
  /// The fields of an entry.
  case form(Form)

  package struct Line: Sendable {
    enum Purpose: Sendable {
      case goTo
      case search
      case add
      case replyFile(BrowserTarget, BrowserReply, SeriesScope?)
    }

    let purpose: Purpose
    package var label: String
    package var editor: LineEditor
    /// What was understood so far.
    package var preview: String?
    var isMistake = false

    init(_ purpose: Purpose, label: String, text: String = "") {
      self.purpose = purpose
      self.label = label
      editor = LineEditor(text)
    }
  }

  package struct Question: Sendable {
    enum Purpose: Sendable {
      case scope(ScopedCommand)
      case removal(BrowserTarget, SeriesScope?)
      case answer(BrowserTarget, needsFile: Bool)
      case conflict(OpenConflict)
      case undoOfImport(near: CivilDate)
    }

    let purpose: Purpose
    package let text: String
  }

  /// A change that needs the scope of a series.
  enum ScopedCommand: Sendable {
    case edit(BrowserTarget, [FormField.Name: String])
    case editText(BrowserTarget)
    case move(BrowserTarget, days: Int, minutes: Int)
    case remove(BrowserTarget)
    case reply(BrowserTarget, BrowserReply, needsFile: Bool)

    var target: BrowserTarget {
      switch self {
      case .edit(let target, _), .editText(let target), .move(let target, _, _),
        .remove(let target), .reply(let target, _, _):
        target
      }
    }

    /// An answer is about one occurrence or the whole series.
    var isReply: Bool { if case .reply = self { true } else { false } }

    var usesEditor: Bool { if case .editText = self { true } else { false } }
  }

  package struct Form: Sendable {
    let target: BrowserTarget
    package let fields: [FormField]
    package var editors: [LineEditor]
    package var cursor = 0
    /// Why the fields cannot be saved.
    package var mistake: String?

    init(_ target: BrowserTarget, _ fields: [FormField]) {
      self.target = target
      self.fields = fields
      editors = fields.map { LineEditor($0.text) }
    }

    /// The fields whose text is another one now.
    var changes: [FormField.Name: String] {
      var changes: [FormField.Name: String] = [:]
      for (field, editor) in zip(fields, editors) where editor.text != field.text {
        changes[field.name] = editor.text
      }
      return changes
    }
  }
}
