internal import AgendaCore
internal import CivilTime

/// Which components of a store have alarms, by how far from an occurrence these can go off.
struct AlarmReaches: Hashable {
  /// Components whose alarms go off within so many seconds of an occurrence, each list by id.
  private(set) var lists: [List]
  /// Components with alarms at moments of their own: from when to when.
  private(set) var fixed: [Fixed] = []

  struct List: Hashable {
    var seconds: Int
    var components: [Int] = []
  }

  struct Fixed: Hashable {
    var component: Int
    var begin: Int
    var end: Int
  }

  /// Most alarms go off within the hour, some a day or a week before; the last list holds the rest.
  private static let steps = [3_600, 26 * 3_600, 8 * 24 * 3_600]

  init() {
    lists = Self.steps.map { List(seconds: $0) } + [List(seconds: 0)]
  }

  var count: Int { lists.reduce(fixed.count) { $0 + $1.components.count } }

  /// Components come by id.
  mutating func add(_ component: Int, _ alarms: Reach) {
    if let seconds = alarms.seconds {
      let place = Self.steps.firstIndex { seconds <= $0 } ?? Self.steps.count
      lists[place].components.append(component)
      lists[place].seconds = max(lists[place].seconds, seconds)
    }
    for span in alarms.fixed {
      fixed.append(
        Fixed(
          component: component, begin: span.lowerBound.secondsSinceEpoch,
          end: span.upperBound.secondsSinceEpoch))
    }
  }

  /// What the alarms of one component say.
  struct Reach {
    var seconds: Int?
    var fixed: [ClosedRange<Instant>]

    init(_ alarms: [Alarm]) {
      seconds = DueAlarm.reach(of: alarms).map { max($0.before, $0.after) }
      fixed = alarms.compactMap(DueAlarm.span(ofFixed:))
    }
  }
}

// MARK: Kept beside the store

extension AlarmReaches {
  /// Changes when the bytes come to mean something else.
  private static let form = 1

  private static func head(_ state: StoreState) -> [UInt8] {
    var writer = PackedBytesWriter()
    writer.add(form)
    for number in state.numbers { writer.add(number) }
    return writer.bytes
  }

  func bytes(_ state: StoreState, key: StoreKey) -> [UInt8] {
    var writer = PackedBytesWriter()
    for list in lists {
      writer.add(list.seconds)
      writer.add(list.components.count)
      var last = 0
      for component in list.components {
        writer.add(component - last)
        last = component
      }
    }
    writer.add(fixed.count)
    for one in fixed {
      writer.add(one.component)
      writer.add(one.begin)
      writer.add(one.end)
    }
    return KeptBytes.sealed(Self.head(state) + writer.bytes, key)
  }

  /// `nil` where the bytes are of another state, or not what agenda wrote.
  init?(_ bytes: [UInt8], _ state: StoreState, key: StoreKey) {
    let head = Self.head(state)
    guard let end = KeptBytes.end(of: bytes, beginningWith: head, key) else { return nil }
    self.init()
    var reader = PackedBytesReader(bytes, from: head.count)
    for place in lists.indices {
      guard let seconds = reader.number(), let count = reader.number(), count >= 0, count <= end
      else { return nil }
      lists[place].seconds = seconds
      lists[place].components.reserveCapacity(count)
      var last = 0
      for _ in 0..<count {
        guard let step = reader.number() else { return nil }
        last &+= step
        lists[place].components.append(last)
      }
    }
    guard let count = reader.number(), count >= 0, count <= end else { return nil }
    for _ in 0..<count {
      guard let component = reader.number(), let begin = reader.number(),
        let last = reader.number()
      else { return nil }
      fixed.append(Fixed(component: component, begin: begin, end: last))
    }
  }
}
