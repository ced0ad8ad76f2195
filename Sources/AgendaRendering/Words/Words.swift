/// Everything that agenda prints in one language, except the text of a calendar.
///
/// Each language has a file in `Languages`; `en.txt` says what each text is about. A property here has
/// the name of its text. `LocaleData` has the formats of dates and times.
///
/// It is a class because everything that writes shares a table, and no table ever changes.
package final class Words: Sendable {
  /// `en`, `zh-Hant`
  package let language: String
  package let isRightToLeft: Bool
  package let lists: Lists
  package let durations: Durations
  package let entries: Entries
  package let statuses: Statuses
  package let groups: Groups
  package let labels: Labels
  package let details: Details
  package let keywords: Keywords
  package let changes: Changes
  package let time: Time
  package let explanation: Explanation
  package let rules: Rules
  package let browser: Browser

  init(_ table: WordTable.Language) {
    let texts = Texts.groups(of: table)
    let own = texts[""] ?? Texts()
    language = table.name
    isRightToLeft = own("direction") == "right"
    lists = Lists(texts: texts["lists"] ?? own)
    durations = Durations(texts: texts["durations"] ?? own)
    entries = Entries(texts: texts["entries"] ?? own)
    statuses = Statuses(texts: texts["statuses"] ?? own)
    groups = Groups(texts: texts["groups"] ?? own)
    labels = Labels(texts: texts["labels"] ?? own)
    details = Details(texts: texts["details"] ?? own)
    keywords = Keywords(texts: texts["keywords"] ?? own)
    changes = Changes(texts: texts["changes"] ?? own)
    time = Time(texts: texts["time"] ?? own)
    explanation = Explanation(texts: texts["explanation"] ?? own)
    rules = Rules(texts: texts["rules"] ?? own)
    browser = Browser(texts: texts["browser"] ?? own)
  }
}

extension Words {
  /// How a list is put together.
  package struct ListPattern: Hashable, Sendable {
    /// Two items that are the whole list.
    let pair: Phrase2
    /// The items before, and the next item.
    let middle: Phrase2
    /// The items before, and the last item of three or more.
    let last: Phrase2

    package func callAsFunction(_ items: [String]) -> String {
      guard let first = items.first, let final = items.last, items.count > 1 else {
        return items.first ?? ""
      }
      if items.count == 2 { return pair(first, final) }
      return last(items[1..<(items.count - 1)].reduce(first) { middle($0, $1) }, final)
    }
  }

  package struct Lists: Sendable {
    let texts: Texts

    package var comma: String { texts() }
    package var colon: String { texts() }
    package var semicolon: String { texts() }
    package var and: ListPattern {
      ListPattern(pair: texts("and.pair"), middle: texts("and.middle"), last: texts("and.last"))
    }
    package var or: ListPattern {
      ListPattern(pair: texts("or.pair"), middle: texts("or.middle"), last: texts("or.last"))
    }
  }

  package struct Durations: Sendable {
    let texts: Texts

    package var days: Plural { texts() }
    package var hours: Plural { texts() }
    package var minutes: Plural { texts() }
    package var seconds: Plural { texts() }
    package var separator: String { texts() }
  }

  package struct Entries: Sendable {
    let texts: Texts

    package var allDay: String { texts() }
    package var dayOfDays: Phrase2 { texts() }
    package var until: Phrase1 { texts() }
    package var noTitle: String { texts() }
    package var nothingOn: Phrase1 { texts() }
    package var nothingBetween: Phrase2 { texts() }
    package var nothingFound: String { texts() }
    var noEntries: String { texts() }
    var nothingMore: String { texts() }
    var nothingThatMatches: String { texts() }
    var nothingMoreThatMatches: String { texts() }
    package var count: Plural { texts() }
    package var more: Plural { texts() }
    package var firstAt: Phrase1 { texts() }
    package var week: Phrase1 { texts() }
    package var busyHours: Plural { texts() }
    package var now: String { texts() }
    package var agenda: String { texts() }
    package var link: String { texts() }
    package var join: String { texts() }
    package var overdue: String { texts() }
    package var inTime: Phrase1 { texts() }
    var nextIn: Phrase1 { texts() }
    package var overlaps: String { texts() }
    package var due: Phrase1 { texts() }
  }

  package struct Statuses: Sendable {
    let texts: Texts

    package var confirmed: String { texts() }
    package var tentative: String { texts() }
    package var cancelled: String { texts() }
    package var needsAction: String { texts() }
    package var inProcess: String { texts() }
    package var completed: String { texts() }
    package var draft: String { texts() }
    package var final: String { texts() }
    package var accepted: String { texts() }
    package var declined: String { texts() }
    package var delegated: String { texts() }
    package var notAnswered: String { texts() }
  }

  package struct Groups: Sendable {
    let texts: Texts

    package var noCalendar: String { texts() }
    package var noCategory: String { texts() }
    package var noLocation: String { texts() }
    package var noStatus: String { texts() }
    package var noTitle: String { texts() }
    package var noDate: String { texts() }
    package var allEntries: String { texts() }
  }

  package struct Labels: Sendable {
    let texts: Texts

    package var title: String { texts() }
    package var description: String { texts() }
    package var calendar: String { texts() }
    package var location: String { texts() }
    package var coordinates: String { texts() }
    package var status: String { texts() }
    package var start: String { texts() }
    package var end: String { texts() }
    package var due: String { texts() }
    package var done: String { texts() }
    package var categories: String { texts() }
    package var repeats: String { texts() }
    package var writtenIn: String { texts() }
    package var link: String { texts() }
    package var join: String { texts() }
    package var organizer: String { texts() }
    package var attendees: String { texts() }
    package var attachments: String { texts() }
    package var alarms: String { texts() }
    package var classification: String { texts() }
    package var priority: String { texts() }
    package var availability: String { texts() }
    package var color: String { texts() }
    package var created: String { texts() }
    package var modified: String { texts() }
    package var next: String { texts() }
    package var source: String { texts() }
    package var otherProperties: String { texts() }
    package var writtenAs: String { texts() }
    package var timeZone: String { texts() }
    package var shownIn: String { texts() }
    package var clockChange: String { texts() }
    package var rule: String { texts() }
    package var exceptRule: String { texts() }
    package var firstOccurrence: String { texts() }
    package var addedDates: String { texts() }
    package var number: String { texts() }
    package var override: String { texts() }
    package var otherOverrides: String { texts() }
    package var excluded: String { texts() }
  }

  package struct Details: Sendable {
    let texts: Texts

    package var takesNoTime: String { texts() }
    package var bytes: Plural { texts() }
    package var atStart: String { texts() }
    package var atEnd: String { texts() }
    package var beforeStart: Phrase1 { texts() }
    package var afterStart: Phrase1 { texts() }
    package var beforeEnd: Phrase1 { texts() }
    package var afterEnd: Phrase1 { texts() }
    package var again: Plural { texts() }
    package var noName: String { texts() }
  }

  package struct Keywords: Sendable {
    let texts: Texts

    package var display: String { texts() }
    package var audio: String { texts() }
    package var email: String { texts() }
    package var isPublic: String { texts() }
    package var isPrivate: String { texts() }
    package var isConfidential: String { texts() }
    package var group: String { texts() }
    package var resource: String { texts() }
    package var room: String { texts() }
  }

  package struct Changes: Sendable {
    let texts: Texts

    package var added: String { texts() }
    package var moved: String { texts() }
    package var changed: String { texts() }
    package var cancelled: String { texts() }
    package var removed: String { texts() }
    package var nothingChanged: String { texts() }
    package var fromCalendar: Phrase2 { texts() }
    package var noTime: String { texts() }
    package var andFollowing: String { texts() }
    package var takesPlaceAgain: String { texts() }
    package var overrides: Plural { texts() }
    package var noLongerOn: Phrase1 { texts() }
    package var againOn: Phrase1 { texts() }
    package var also: Phrase1 { texts() }
  }

  package struct Time: Sendable {
    let texts: Texts

    package var noFreeTime: String { texts() }
    package var nothingOverlaps: String { texts() }
    package var noOpenTasks: String { texts() }
    package var noCompletedTasks: String { texts() }
    package var noAlarms: Phrase1 { texts() }
    package var ahead: Phrase1 { texts() }
    package var behind: Phrase1 { texts() }
    package var sameTime: String { texts() }
    package var from: Phrase1 { texts() }
  }

  package struct Explanation: Sendable {
    let texts: Texts

    package var allDayZone: String { texts() }
    package var unknownZone: Phrase2 { texts() }
    package var noZone: Phrase1 { texts() }
    package var utc: Phrase1 { texts() }
    package var constantOffset: Phrase1 { texts() }
    package var databaseRules: Phrase3 { texts() }
    package var ruleOfTZ: Phrase1 { texts() }
    package var rulesOfFile: Phrase1 { texts() }
    package var writtenAs: Phrase1 { texts() }
    package var zoneOfCalendar: String { texts() }
    package var skippedTime: Phrase3 { texts() }
    package var repeatedTime: Phrase2 { texts() }
    package var changedSinceFirst: Phrase3 { texts() }
    package var changesDuring: Phrase3 { texts() }
    package var once: String { texts() }
    package var missingSeries: String { texts() }
    package var moreThan: Phrase1 { texts() }
    package var movedFrom: Phrase1 { texts() }
    package var changedInPlace: String { texts() }
    package var appliesToFollowing: String { texts() }
    package var isHidden: Phrase1 { texts() }
  }

  package struct Browser: Sendable {
    let texts: Texts

    package var entries: String { texts() }
    package var days: String { texts() }
    package var months: String { texts() }
    package var pages: String { texts() }
    package var ends: String { texts() }
    package var views: String { texts() }
    package var goTo: String { texts() }
    package var details: String { texts() }
    package var close: String { texts() }
    package var search: String { texts() }
    package var searches: String { texts() }
    package var calendars: String { texts() }
    package var onOff: String { texts() }
    package var add: String { texts() }
    package var otherCalendar: String { texts() }
    package var edit: String { texts() }
    package var editor: String { texts() }
    package var remove: String { texts() }
    package var quarters: String { texts() }
    package var dayShifts: String { texts() }
    package var done: String { texts() }
    package var reply: String { texts() }
    package var explain: String { texts() }
    package var open: String { texts() }
    package var undo: String { texts() }
    package var undoAndRedo: String { texts() }
    package var refresh: String { texts() }
    package var settle: String { texts() }
    package var help: String { texts() }
    package var quit: String { texts() }
    package var scopeQuestion: String { texts() }
    package var replyScopeQuestion: String { texts() }
    package var removalQuestion: Phrase1 { texts() }
    package var replyQuestion: String { texts() }
    package var replyFile: String { texts() }
    package var unsent: String { texts() }
    package var conflict: String { texts() }
    package var conflictQuestion: String { texts() }
    package var noConflict: String { texts() }
    package var openConflicts: Phrase2 { texts() }
    package var mine: String { texts() }
    package var theirs: String { texts() }
    package var formHint: String { texts() }
    package var length: String { texts() }
    package var nothingLater: String { texts() }
    package var nothingEarlier: String { texts() }
    package var noEntry: String { texts() }
    package var noTask: String { texts() }
    package var onlyShown: Phrase1 { texts() }
    package var nothingDone: String { texts() }
    package var loading: String { texts() }
  }
}
