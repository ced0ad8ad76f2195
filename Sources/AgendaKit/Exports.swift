// The interface of AgendaKit to other programs, name by name. Other names of the modules below may
// change.

// Events, and the agenda they make.
@_exported public import struct AgendaCore.Agenda
@_exported public import struct AgendaCore.AgendaChanges
@_exported public import struct AgendaCore.AgendaSection
@_exported public import struct AgendaCore.Alarm
@_exported public import struct AgendaCore.Attachment
@_exported public import struct AgendaCore.Attendee
@_exported public import struct AgendaCore.Change
@_exported public import struct AgendaCore.Condition
@_exported public import struct AgendaCore.Conflict
@_exported public import struct AgendaCore.Coordinates
@_exported public import struct AgendaCore.DueAlarm
@_exported public import struct AgendaCore.Entry
@_exported public import struct AgendaCore.EntryOrder
@_exported public import struct AgendaCore.EntryPath
@_exported public import struct AgendaCore.Event
@_exported public import struct AgendaCore.EventDetails
@_exported public import struct AgendaCore.EventEdit
@_exported public import struct AgendaCore.FetchSettings
@_exported public import struct AgendaCore.Finding
@_exported public import struct AgendaCore.FreeTime
@_exported public import struct AgendaCore.Occurrence
@_exported public import struct AgendaCore.OccurrenceID
@_exported public import struct AgendaCore.Person
@_exported public import struct AgendaCore.SectionID
@_exported public import struct AgendaCore.SectionLayout
@_exported public import struct AgendaCore.Selection
@_exported public import enum AgendaCore.SeriesScope
@_exported public import struct AgendaCore.SourceFinding
@_exported public import enum AgendaCore.SourceProgress
@_exported public import struct AgendaCore.SourceReport
@_exported public import struct AgendaCore.Subscription
@_exported public import struct AgendaReader.EventLine
// What an agenda looks like.
@_exported public import enum AgendaRendering.AgendaFormat
@_exported public import enum AgendaRendering.CalendarGrid
@_exported public import struct AgendaRendering.DateWording
@_exported public import struct AgendaRendering.LocaleData
@_exported public import enum AgendaRendering.LocaleError
// Sources, and the store that they are imported into.
@_exported public import enum AgendaSources.CalendarError
@_exported public import struct AgendaSources.CalendarSummary
@_exported public import struct AgendaSources.ServerConflict
@_exported public import struct AgendaSources.SourceChange
@_exported public import struct AgendaSources.SourceSummary
@_exported public import struct AgendaSources.StoreChanges
@_exported public import struct AgendaSources.UndoStep
// Time.
@_exported public import struct CivilTime.CivilDate
@_exported public import struct CivilTime.CivilDateTime
@_exported public import struct CivilTime.DateWindow
@_exported public import struct CivilTime.Instant
@_exported public import struct CivilTime.TimeOfDay
@_exported public import enum CivilTime.Weekday
@_exported public import class CivilTime.Zone
@_exported public import class CivilTime.ZoneDatabase
@_exported public import struct CivilTime.ZoneError
@_exported public import enum Phrases.DatePhrase
@_exported public import struct Phrases.DatePhraseError
// Rules.
@_exported public import struct Recurrence.EventDuration
@_exported public import enum Recurrence.EventTime
@_exported public import enum Recurrence.Extent
@_exported public import struct Recurrence.Rule
@_exported public import struct Recurrence.RuleError
@_exported public import struct Recurrence.RuleExpansion
