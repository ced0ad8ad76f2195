/// What a month is called in its year: its number, and whether it is the leap month that follows
/// the regular month of that number.
///
/// In the Hebrew calendar Adar I is `5L`, and Adar and Adar II are both 6 (RFC 7529 4.2).
public struct MonthName: Hashable, Sendable, CustomStringConvertible {
  public let number: Int
  public let isLeap: Bool

  public init(_ number: Int, isLeap: Bool = false) {
    self.number = number
    self.isLeap = isLeap
  }

  /// `5`, `5L`.
  public var description: String { "\(number)\(isLeap ? "L" : "")" }
}

/// A month of a certain year.
package struct CalendarMonth: Hashable, Sendable {
  package let name: MonthName
  /// Days from 1970-01-01.
  package let firstDay: Int
  package let length: Int

  package var endDay: Int { firstDay + length }
}

/// A year of a calendar, with its months in order.
package struct CalendarYear: Hashable, Sendable {
  package let number: Int
  /// How many months of the calendar lie before it, counted from wherever the calendar counts.
  package let firstMonth: Int
  package let months: [CalendarMonth]

  package var firstDay: Int { months.first?.firstDay ?? 0 }
  package var endDay: Int { months.last?.endDay ?? 0 }
  package var length: Int { endDay - firstDay }
  package var endMonth: Int { firstMonth + months.count }

  package func contains(_ day: Int) -> Bool { day >= firstDay && day < endDay }

  /// The place of the month that holds the day, which has to lie in the year.
  package func place(of day: Int) -> Int? {
    contains(day) ? months.lastIndex { $0.firstDay <= day } : nil
  }

  package func place(of name: MonthName) -> Int? { months.firstIndex { $0.name == name } }
}
