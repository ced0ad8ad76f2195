// All that a program sees which imports AgendaKit, name by name. What the modules below offer each
// other beyond it is no promise.

// Events, and the agenda they make.
@_exported public import struct AgendaCore.Agenda
@_exported public import struct AgendaCore.Alarm
@_exported public import struct AgendaCore.Attachment
@_exported public import struct AgendaCore.Attendee
@_exported public import struct AgendaCore.Condition
@_exported public import struct AgendaCore.ConditionError
@_exported public import struct AgendaCore.Conflict
@_exported public import struct AgendaCore.Coordinates
@_exported public import struct AgendaCore.DueAlarm
@_exported public import struct AgendaCore.Entry
@_exported public import struct AgendaCore.Event
@_exported public import struct AgendaCore.EventDetails
@_exported public import struct AgendaCore.EventEdit
@_exported public import struct AgendaCore.EventIdentity
@_exported public import struct AgendaCore.EventReference
@_exported public import struct AgendaCore.EventVersion
@_exported public import struct AgendaCore.Finding
@_exported public import struct AgendaCore.FreeTime
@_exported public import struct AgendaCore.IndexPath
@_exported public import struct AgendaCore.Occurrence
@_exported public import struct AgendaCore.OccurrenceID
@_exported public import struct AgendaCore.Person
@_exported public import struct AgendaCore.Section
@_exported public import enum AgendaCore.SectionKey
@_exported public import enum AgendaCore.SectionValue
@_exported public import protocol AgendaCore.SectionWording
@_exported public import struct AgendaCore.Selection
@_exported public import struct AgendaCore.Series
@_exported public import enum AgendaCore.SeriesScope
@_exported public import struct AgendaCore.SourceFinding
@_exported public import struct AgendaCore.SourceReport
@_exported public import struct AgendaCore.Thumbnail
// Its faces.
@_exported public import enum AgendaRendering.AgendaFormat
@_exported public import struct AgendaRendering.DateWording
@_exported public import struct AgendaRendering.LocaleData
@_exported public import enum AgendaRendering.LocaleError
@_exported public import struct AgendaRendering.RuleInWords
// Time.
@_exported public import struct CivilTime.CivilDate
@_exported public import struct CivilTime.CivilDateTime
@_exported public import enum CivilTime.DatePhrase
@_exported public import enum CivilTime.DatePhraseError
@_exported public import struct CivilTime.DateWindow
@_exported public import struct CivilTime.ISOWeek
@_exported public import struct CivilTime.Instant
@_exported public import enum CivilTime.LocalZone
@_exported public import struct CivilTime.TimeOfDay
@_exported public import enum CivilTime.Weekday
@_exported public import class CivilTime.Zone
@_exported public import class CivilTime.ZoneDatabase
@_exported public import enum CivilTime.ZoneError
// Rules.
@_exported public import struct Recurrence.EventDuration
@_exported public import enum Recurrence.EventTime
@_exported public import enum Recurrence.Extent
@_exported public import struct Recurrence.Rule
@_exported public import struct Recurrence.RuleError
@_exported public import struct Recurrence.RuleExpansion
