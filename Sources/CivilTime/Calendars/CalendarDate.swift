/// A date as a calendar other than the Gregorian one writes it.
public struct CalendarDate: Hashable, Sendable {
  public let calendar: CalendarSystem
  public let year: Int
  public let month: MonthName
  public let day: Int

  /// `nil` outside of the calendar's table.
  public init?(_ date: CivilDate, in calendar: CalendarSystem) {
    let number = Int(date.dayNumber)
    guard let year = calendar.year(containing: number), let place = year.place(of: number) else {
      return nil
    }
    self.calendar = calendar
    self.year = year.number
    month = year.months[place].name
    day = number - year.months[place].firstDay + 1
  }

  /// The date in the Gregorian calendar; `nil` if the calendar has no such date.
  public static func civil(
    year: Int, month: MonthName, day: Int, in calendar: CalendarSystem
  ) -> CivilDate? {
    guard let year = calendar.year(year), let place = year.place(of: month), day >= 1,
      day <= year.months[place].length
    else { return nil }
    return CivilDate(dayNumber: year.months[place].firstDay + day - 1)
  }
}

extension CalendarDate: CustomStringConvertible {
  /// `14 Nisan 5787`, `day 15 of month 8, 2026`.
  public var description: String {
    calendar.text(day: day, of: month) + (calendar.monthNames.isEmpty ? ", " : " ") + "\(year)"
  }
}

extension CalendarSystem {
  /// `Hebrew`.
  public var name: String {
    switch self {
    case .chinese: "Chinese"
    case .dangi: "Korean"
    case .hebrew: "Hebrew"
    case .islamicCivil: "Islamic"
    case .ummAlQura: "Umm al-Qura"
    case .ethiopic: "Ethiopic"
    case .coptic: "Coptic"
    case .indian: "Indian"
    case .persian: "Persian"
    }
  }

  /// `8 Adar I`, `day 15 of month 8`.
  package func text(day: Int, of month: MonthName) -> String {
    monthNames.isEmpty ? "day \(day) of \(name(of: month))" : "\(day) \(name(of: month))"
  }

  /// `Nisan`, `leap month 5`.
  public func name(of month: MonthName) -> String {
    if self == .hebrew, month == MonthName(5, isLeap: true) { return "Adar I" }
    let names = monthNames
    if !month.isLeap, names.indices.contains(month.number - 1) { return names[month.number - 1] }
    return month.isLeap ? "leap month \(month.number)" : "month \(month.number)"
  }

  fileprivate var monthNames: [String] {
    switch self {
    case .chinese, .dangi: []
    case .hebrew:
      [
        "Tishri", "Heshvan", "Kislev", "Tevet", "Shevat", "Adar", "Nisan", "Iyar", "Sivan",
        "Tammuz", "Av", "Elul",
      ]
    case .islamicCivil, .ummAlQura:
      [
        "Muharram", "Safar", "Rabi I", "Rabi II", "Jumada I", "Jumada II", "Rajab", "Shaban",
        "Ramadan", "Shawwal", "Dhu al-Qada", "Dhu al-Hijja",
      ]
    case .ethiopic:
      [
        "Meskerem", "Tekemt", "Hedar", "Tahsas", "Ter", "Yekatit", "Megabit", "Miazia", "Genbot",
        "Sene", "Hamle", "Nehasse", "Pagumen",
      ]
    case .coptic:
      [
        "Tout", "Baba", "Hator", "Kiahk", "Toba", "Amshir", "Baramhat", "Baramouda", "Bashans",
        "Paona", "Epep", "Mesra", "Nasie",
      ]
    case .indian:
      [
        "Chaitra", "Vaisakha", "Jyaistha", "Asadha", "Sravana", "Bhadra", "Asvina", "Kartika",
        "Agrahayana", "Pausa", "Magha", "Phalguna",
      ]
    case .persian:
      [
        "Farvardin", "Ordibehesht", "Khordad", "Tir", "Mordad", "Shahrivar", "Mehr", "Aban", "Azar",
        "Dey", "Bahman", "Esfand",
      ]
    }
  }
}
