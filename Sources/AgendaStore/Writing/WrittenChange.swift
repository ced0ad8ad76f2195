package import AgendaCore

/// A change by agenda itself to events of one source, and the files that it writes for them.
package struct WrittenChange: Sendable {
  /// The source: a folder, or the local calendar.
  package var location: String
  package var documents: [Document]
  package var files: [WrittenFile] = []

  /// A file of a folder, or a part of the local calendar.
  package struct Document: Sendable {
    /// Its content without the events. `nil` leaves that unchanged, as in the local calendar.
    package var content: ImportedDocument?
    package var name: String
    /// Whether it no longer exists.
    package var isRemoved = false
    /// Only events with these UIDs are compared; `nil` for the whole document.
    package var uids: Set<String>?
    /// All of its events, tasks and journals, or those with these UIDs, with their lines.
    package var components: [(record: ComponentRecord, line: Int)] = []

    package init(_ name: String, content: ImportedDocument? = nil) {
      self.name = name
      self.content = content
    }
  }

  package init(location: String, documents: [Document]) {
    self.location = location
    self.documents = documents
  }
}

/// A file of a folder before and after a change; `nil` means no file.
package struct WrittenFile: Hashable, Sendable {
  package var folder: String
  package var name: String
  package var previous: [UInt8]?
  package var written: [UInt8]?
  /// The permissions of the file if it is created, by the change or by its undo; `nil` for the usual
  /// ones. A file that is replaced keeps its own.
  package var permissions: UInt32?

  package init(
    folder: String, name: String, previous: [UInt8]?, written: [UInt8]?, permissions: UInt32?
  ) {
    self.permissions = permissions
    self.folder = folder
    self.name = name
    self.previous = previous
    self.written = written
  }
}

/// A component with the UID of another one.
package struct SiblingComponent: Sendable {
  package var event: Event
  package var text: [UInt8]
  /// The `ComponentDigest` of its text in the source, even if messages changed the text.
  package var sourceDigest: Int?

  package init(event: Event, text: [UInt8], sourceDigest: Int? = nil) {
    self.event = event
    self.text = text
    self.sourceDigest = sourceDigest
  }
}
