package import AgendaReader

extension CalendarReader {
  /// Reads an .ics file. If the file does not name its calendar, the calendar has the file's name
  /// without `.ics`.
  package func readFile(at path: String) throws(ReaderError) -> CalendarFile {
    let source = try SourceBytes(contentsOf: path, limit: options.mostBytes)
    return try read(source, name: Source.calendarName(ofFile: path))
  }

  /// Reads standard input to its end.
  package func readStandardInput(_ descriptor: Int32 = 0) throws(ReaderError) -> CalendarFile {
    let source = try SourceBytes(standardInput: descriptor, limit: options.mostBytes)
    return try read(source, name: "standard input")
  }
}
