/// Everything that agenda prints in one language, except the text of a calendar.
///
/// There is one table per language, in the file with its name. Nothing in a table is optional, so a
/// missing word does not compile. `LocaleData` has the formats of dates and times.
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

  init(
    language: String, isRightToLeft: Bool = false, lists: Lists, durations: Durations,
    entries: Entries, statuses: Statuses, groups: Groups, labels: Labels, details: Details,
    keywords: Keywords, changes: Changes, time: Time, explanation: Explanation, browser: Browser,
    rules: Rules
  ) {
    self.language = language
    self.isRightToLeft = isRightToLeft
    self.lists = lists
    self.durations = durations
    self.entries = entries
    self.statuses = statuses
    self.groups = groups
    self.labels = labels
    self.details = details
    self.keywords = keywords
    self.changes = changes
    self.time = time
    self.explanation = explanation
    self.rules = rules
    self.browser = browser
  }
}

extension Words {
  /// `A, B and C` and `A, B or C`; from CLDR.
  package struct Lists: Sendable {
    /// Between parts that do not make a list: `10:00, takes place again`.
    package let comma: String
    /// Between a name and its value: `location: Room 2`. It includes its spaces, because French has
    /// two.
    package let colon: String
    /// Between parts that have commas.
    package let semicolon: String
    package let and: ListPattern
    package let or: ListPattern
  }

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

  /// Short lengths: `2 d 3 h`. From CLDR, but English is shorter than there.
  package struct Durations: Sendable {
    package let days: Plural
    package let hours: Plural
    package let minutes: Plural
    package let seconds: Plural
    /// Between hours and minutes.
    package let separator: String
  }

  /// Words of an agenda.
  package struct Entries: Sendable {
    package let allDay: String
    /// `day 2 of 3`
    package let dayOfDays: Phrase2
    /// `until Sun 22 Nov`
    package let until: Phrase1
    /// Replaces a missing title; shown in brackets.
    package let noTitle: String
    /// A sentence, for a window of one day.
    package let nothingOn: Phrase1
    /// A sentence, for a window of several days.
    package let nothingBetween: Phrase2
    /// A sentence, for a search.
    package let nothingFound: String
    /// After the name of a day, as are the next three.
    let noEntries: String
    /// Entries that have started are left out.
    let nothingMore: String
    /// Entries that do not match are left out.
    let nothingThatMatches: String
    /// Both are left out.
    let nothingMoreThatMatches: String
    package let count: Plural
    /// At the end of a list that was cut: `and 37 more`.
    package let more: Plural
    /// `first at 09:30`
    package let firstAt: Phrase1
    /// The number of a week in short: `KW 47`, `第47週`.
    package let week: Phrase1
    /// Of the day, in a heat map.
    package let busyHours: Plural
    package let now: String
    /// The title of a page.
    package let agenda: String
    /// The text of a link to the page of an event.
    package let link: String
    /// The text of a link to a video conference.
    package let join: String
    package let overdue: String
    /// The time until an entry begins: `in 25 min`
    package let inTime: Phrase1
    /// After the number of the entries of today: `next in 25 min`
    let nextIn: Phrase1
    /// Of an entry that takes place while another one does.
    package let overlaps: String
    /// Of a task: `due Sun 22 Nov`
    package let due: Phrase1
  }

  /// STATUS of entries, PARTSTAT of people, in small letters.
  package struct Statuses: Sendable {
    package let confirmed: String
    package let tentative: String
    package let cancelled: String
    package let needsAction: String
    package let inProcess: String
    package let completed: String
    package let draft: String
    package let final: String
    package let accepted: String
    package let declined: String
    package let delegated: String
    /// A person who has not answered.
    package let notAnswered: String
  }

  /// The titles of sections whose entries lack the key of the grouping.
  package struct Groups: Sendable {
    package let noCalendar: String
    package let noCategory: String
    package let noLocation: String
    package let noStatus: String
    package let noTitle: String
    package let noDate: String
    package let allEntries: String
  }

  /// The label of a fact about an entry.
  package struct Labels: Sendable {
    package let title: String
    package let description: String
    package let calendar: String
    package let location: String
    package let coordinates: String
    package let status: String
    package let start: String
    package let end: String
    package let due: String
    package let done: String
    package let categories: String
    package let repeats: String
    /// The zone and time in the source.
    package let writtenIn: String
    package let link: String
    package let join: String
    package let organizer: String
    package let attendees: String
    package let attachments: String
    package let alarms: String
    /// CLASS: public or private.
    package let classification: String
    package let priority: String
    /// TRANSP.
    package let availability: String
    package let color: String
    package let created: String
    package let modified: String
    /// The occurrences that follow.
    package let next: String
    package let source: String
    package let otherProperties: String
    /// A line of the source.
    package let writtenAs: String
    package let timeZone: String
    package let shownIn: String
    package let clockChange: String
    package let rule: String
    /// EXRULE.
    package let exceptRule: String
    package let firstOccurrence: String
    /// RDATE.
    package let addedDates: String
    /// The number of the occurrence in its series.
    package let number: String
    package let override: String
    package let otherOverrides: String
    /// EXDATE.
    package let excluded: String
  }

  /// Facts about one entry.
  package struct Details: Sendable {
    /// TRANSP:TRANSPARENT.
    package let takesNoTime: String
    package let bytes: Plural
    /// The time of an alarm.
    package let atStart: String
    package let atEnd: String
    package let beforeStart: Phrase1
    package let afterStart: Phrase1
    package let beforeEnd: Phrase1
    package let afterEnd: Phrase1
    /// Of an alarm: `again 3 times`
    package let again: Plural
    /// Of a person; shown in brackets.
    package let noName: String
  }

  /// Values from lists of RFC 5545, in small letters.
  package struct Keywords: Sendable {
    // ACTION of an alarm (3.8.6.1).
    package let display: String
    package let audio: String
    package let email: String
    // CLASS (3.8.1.3).
    package let isPublic: String
    package let isPrivate: String
    package let isConfidential: String
    // CUTYPE of an attendee (3.2.3).
    package let group: String
    package let resource: String
    package let room: String
  }

  /// What imports changed.
  package struct Changes: Sendable {
    package let added: String
    package let moved: String
    package let changed: String
    package let cancelled: String
    package let removed: String
    package let nothingChanged: String
    /// Of a source that moved: its previous calendar, and the number of its entries.
    package let fromCalendar: Phrase2
    package let noTime: String
    /// After the date of the first occurrence that changed.
    package let andFollowing: String
    package let takesPlaceAgain: String
    /// Of a series that was added or removed.
    package let overrides: Plural
    package let noLongerOn: Phrase1
    package let againOn: Phrase1
    /// The other properties that changed.
    package let also: Phrase1
  }

  /// Free time, overlaps, alarms, time zones.
  package struct Time: Sendable {
    package let noFreeTime: String
    package let nothingOverlaps: String
    package let noOpenTasks: String
    package let noCompletedTasks: String
    /// Within a length: `10 min`.
    package let noAlarms: Phrase1
    /// Of a zone, compared with another: `1 h ahead`.
    package let ahead: Phrase1
    package let behind: Phrase1
    package let sameTime: String
    /// The date from which something applies.
    package let from: Phrase1
  }

  /// Explains the time of an entry.
  package struct Explanation: Sendable {
    package let allDayZone: String
    /// The TZID, and the zone in which the time is read.
    package let unknownZone: Phrase2
    package let noZone: Phrase1
    package let utc: Phrase1
    package let constantOffset: Phrase1
    /// The zone, the version of tzdata, its folder.
    package let databaseRules: Phrase3
    package let ruleOfTZ: Phrase1
    package let rulesOfFile: Phrase1
    package let writtenAs: Phrase1
    package let zoneOfCalendar: String
    /// The date and time, the zone, the time that is shown.
    package let skippedTime: Phrase3
    /// The date and time, the zone.
    package let repeatedTime: Phrase2
    /// The zone, its offset at the first occurrence, its offset at this one.
    package let changedSinceFirst: Phrase3
    /// The offset before, the offset after, the length of the entry.
    package let changesDuring: Phrase3
    package let once: String
    package let missingSeries: String
    package let moreThan: Phrase1
    /// The time that the rule or the event has.
    package let movedFrom: Phrase1
    package let changedInPlace: String
    package let appliesToFollowing: String
    /// The option without which it is hidden.
    package let isHidden: Phrase1
  }
}
