/// The name of an element, with its namespace, that matters in the answers of CalDAV servers.
enum XMLName: UInt8, CaseIterable {
  case multistatus, response, href, propstat, prop, status
  case syncToken, validSyncToken, syncCollection, supportedReportSet
  case resourceType, collection, displayName, entityTag
  case currentUserPrincipal, unauthenticated
  case currentUserPrivilegeSet, privilege, all, write, writeContent, bind
  case calendar, calendarData, calendarHomeSet, calendarUserAddressSet
  case supportedCalendarComponentSet, component
  case noUIDConflict, uniqueObject
  case collectionTag, calendarColor, calendarOrder
  /// The attribute `name` without a namespace.
  case nameAttribute
  /// Any other element.
  case other

  /// As expat writes it: the namespace, a blank, and the name.
  private var text: StaticString {
    switch self {
    case .multistatus: "DAV: multistatus"
    case .response: "DAV: response"
    case .href: "DAV: href"
    case .propstat: "DAV: propstat"
    case .prop: "DAV: prop"
    case .status: "DAV: status"
    case .syncToken: "DAV: sync-token"
    case .validSyncToken: "DAV: valid-sync-token"
    case .syncCollection: "DAV: sync-collection"
    case .supportedReportSet: "DAV: supported-report-set"
    case .resourceType: "DAV: resourcetype"
    case .collection: "DAV: collection"
    case .displayName: "DAV: displayname"
    case .entityTag: "DAV: getetag"
    case .currentUserPrincipal: "DAV: current-user-principal"
    case .unauthenticated: "DAV: unauthenticated"
    case .currentUserPrivilegeSet: "DAV: current-user-privilege-set"
    case .privilege: "DAV: privilege"
    case .all: "DAV: all"
    case .write: "DAV: write"
    case .writeContent: "DAV: write-content"
    case .bind: "DAV: bind"
    case .calendar: "urn:ietf:params:xml:ns:caldav calendar"
    case .calendarData: "urn:ietf:params:xml:ns:caldav calendar-data"
    case .calendarHomeSet: "urn:ietf:params:xml:ns:caldav calendar-home-set"
    case .calendarUserAddressSet: "urn:ietf:params:xml:ns:caldav calendar-user-address-set"
    case .supportedCalendarComponentSet:
      "urn:ietf:params:xml:ns:caldav supported-calendar-component-set"
    case .component: "urn:ietf:params:xml:ns:caldav comp"
    case .noUIDConflict: "urn:ietf:params:xml:ns:caldav no-uid-conflict"
    case .uniqueObject: "urn:ietf:params:xml:ns:caldav unique-scheduling-object-resource"
    case .collectionTag: "http://calendarserver.org/ns/ getctag"
    case .calendarColor: "http://apple.com/ns/ical/ calendar-color"
    case .calendarOrder: "http://apple.com/ns/ical/ calendar-order"
    case .nameAttribute: "name"
    case .other: ""
    }
  }

  /// The names by their length, which nearly identifies them.
  private static let byLength: [[XMLName]] = {
    let longest = allCases.map(\.text.utf8CodeUnitCount).max() ?? 0
    return (0...longest).map { length in
      allCases.filter { $0.text.utf8CodeUnitCount == length }
    }
  }()

  init(_ text: UnsafePointer<CChar>) {
    let length = Self.length(of: text)
    guard length < Self.byLength.count else {
      self = .other
      return
    }
    let bytes = UnsafeRawBufferPointer(start: text, count: length)
    self =
      Self.byLength[length].first { name in
        bytes.elementsEqual(UnsafeBufferPointer(start: name.text.utf8Start, count: length))
      } ?? .other
  }

  static func length(of text: UnsafePointer<CChar>) -> Int {
    var end = text
    while end.pointee != 0 { end += 1 }
    return end - text
  }
}
