internal import CivilTime

/// Where a COUNT ends: periods are counted as wholes, and no more of them than until the calendar
/// and the steps of INTERVAL repeat.
extension DaySetPeriods {
  /// The `number`th occurrence from a civil second on, from 1; the second is DTSTART's, or the one
  /// after it. `nil` if the calendar ends before it.
  mutating func occurrence(_ number: Int, from lower: Int) -> Int? {
    if isEmpty { return nil }
    let weight = positions.isEmpty ? times.count : 1
    let rank = number - 1 + occurrences(before: lower)
    guard let (period, place) = find(rank / weight),
      let content = skip == .omit || positions.isEmpty
        ? own(of: period).element(at: place) : merged(around: period, place)
    else { return nil }
    if !positions.isEmpty { return content }
    return content * ClockTimes.secondsPerDay + Int(times[rank % weight])
  }

  /// How many occurrences of the first period lie before DTSTART, or are it.
  private mutating func occurrences(before lower: Int) -> Int {
    var early = contents(of: origin)
    if skip == .backward { early = Set(early).union(contents(of: origin + interval)).sorted() }
    if !positions.isEmpty { return early.partitioningIndex { $0 >= lower } }
    let day = floorDivide(lower, ClockTimes.secondsPerDay)
    let place = early.partitioningIndex { $0 >= day }
    var count = place * times.count
    if place < early.count, early[place] == day {
      let second = lower - day * ClockTimes.secondsPerDay
      count += times.partitioningIndex { Int($0) >= second }
    }
    return count
  }

  /// The period that holds the content of that rank, from 0 at the first period, and its place
  /// there.
  private mutating func find(_ rank: Int) -> (period: Int, place: Int)? {
    let cycle = plainWeek == nil ? self.cycle : 1
    let steps = cycle / greatestCommonDivisor(interval, cycle)
    /// The total number of occurrences up to and including each of the first periods.
    var sums: [Int] = []
    var period = origin
    while sums.count <= steps {
      guard period < endPeriod, work.spend(1) else { return nil }
      let before = sums.last ?? 0
      let sum = before + ownCount(of: period)
      if rank < sum { return (period, rank - before) }
      sums.append(sum)
      period += interval
    }
    // The first period has none before it that could have given a day of it.
    let perCycle = sums[steps] - sums[0]
    guard perCycle > 0 else { return nil }
    let (cycles, rest) = (rank - sums[0]).quotientAndRemainder(dividingBy: perCycle)
    guard cycles < endPeriod else { return nil }
    let step = sums.partitioningIndex { $0 - sums[0] > rest }
    let (passed, overflow) = (cycles * steps + step).multipliedReportingOverflow(by: interval)
    guard !overflow, passed < endPeriod - origin else { return nil }
    return (origin + passed, rest - (sums[step - 1] - sums[0]))
  }

  private mutating func ownCount(of period: Int) -> Int {
    skip == .omit ? contentCount(of: period) : own(of: period).count
  }

  /// The occurrences that the period before it does not have.
  private mutating func own(of period: Int) -> [Int] {
    let all = contents(of: period)
    if skip == .omit { return all }
    let earlier = Set(contents(of: period - interval))
    return all.filter { !earlier.contains($0) }
  }

  /// With SKIP and BYSETPOS, the times of a day that two periods share can come in any order.
  private mutating func merged(around period: Int, _ place: Int) -> Int? {
    let before = own(of: period - interval)
    let these = Set(own(of: period)).union(own(of: period + interval)).union(before).sorted()
    return these.element(at: place + before.count)
  }
}

extension Array {
  fileprivate func element(at index: Int) -> Element? {
    indices.contains(index) ? self[index] : nil
  }
}
