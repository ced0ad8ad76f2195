import CFaultyFiles

/// What can go wrong with a file while an import writes.
enum FileFault: Int32, CaseIterable {
  case failedWrite = 1
  case shortWrite, fullDisk, failedSync

  /// Puts the layer that fails between SQLite and the files.
  static func prepare() -> Bool { agenda_faulty_install() == 0 }

  /// Fails at the write or sync of that number, and at all that follow, of this thread.
  func begin(at number: Int) { agenda_faulty_begin(rawValue, Int32(number)) }

  /// Ends the faults; returns whether one happened.
  static func end() -> Bool { agenda_faulty_end() != 0 }
}
