package import AgendaReader
package import AgendaSources
package import AgendaStore

// Names for the commands, which use the modules below only through AgendaKit. They are not part of
// the interface.

/// A file, a folder, an address or standard input, as a command names it.
package typealias Source = AgendaSources.Source
/// What a check found in one source.
package typealias SourceCheck = AgendaSources.SourceCheck
/// An event that was changed here and on its server.
package typealias ServerConflict = AgendaSources.ServerConflict
/// What a person is asked about servers.
package typealias ServerQuestions = AgendaSources.ServerQuestions
/// The lines of a component.
package typealias ComponentLines = AgendaReader.ComponentLines
/// What is wrong with a store.
package typealias StoreError = AgendaStore.StoreError
