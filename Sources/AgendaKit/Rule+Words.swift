public import AgendaRendering
public import Recurrence

extension Rule {
  /// The rule in words: `every month on the second Tuesday`.
  ///
  /// - Parameters:
  ///   - start: The start of the event, from which a rule has what it does not say itself: its weekday, for
  ///     example.
  ///   - wording: The language.
  /// - Returns: The words.
  public func inWords(
    start: EventTime? = nil, wording: DateWording = DateWording(.plain)
  ) -> String {
    RuleInWords(self, start: start, wording: wording).description
  }
}
