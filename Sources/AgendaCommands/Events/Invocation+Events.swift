internal import AgendaCore
internal import CivilTime
internal import CommandLineOptions

extension Invocation {
  /// The events of the sources, or of the store where none is named.
  func events(of sources: [String], window: DateWindow?) throws -> any EventProvider {
    if sources.isEmpty { return try storeEvents() }
    return try FileEvents(
      sources: sources, window: window, encoding: line.value(of: Options.encoding),
      messages: messages)
  }

  private func storeEvents() throws -> any EventProvider {
    throw CommandError.failed("the store cannot be read yet: name a source")
  }
}
