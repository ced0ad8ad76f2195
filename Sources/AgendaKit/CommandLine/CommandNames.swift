package import AgendaReader
package import AgendaSources
package import AgendaStore

// Names for the commands, which use the modules below only through AgendaKit. They are not part of
// the interface: a command reads arguments of people, and words errors anew with its options.

/// A file, a folder, an address or standard input, as a command names it.
package typealias Source = AgendaSources.Source
/// A source in the store.
package typealias ImportedSource = AgendaStore.ImportedSource
/// What a check found in one source.
package typealias SourceCheck = AgendaSources.SourceCheck
/// What a person needs to know of a calendar before changing its entries.
package typealias CalendarState = AgendaSources.CalendarState
/// Which calendars are the user's, and which belong to others.
package typealias CalendarOwners = AgendaSources.CalendarOwners
/// What a person is asked about servers.
package typealias ServerQuestions = AgendaSources.ServerQuestions
/// What is wrong with a store.
package typealias StoreError = AgendaStore.StoreError
/// Why an event can't be written.
package typealias WritingError = AgendaSources.WritingError
/// Why an event does not allow a change.
package typealias InvalidEdit = AgendaSources.InvalidEdit
/// Why an invitation can't be answered.
package typealias ReplyError = AgendaSources.ReplyError
/// What a command did to one calendar of a source.
package typealias CommandEffect = AgendaSources.CommandEffect
/// The encoding of the text of a source.
package typealias TextEncoding = AgendaReader.TextEncoding
