internal import AgendaCore
package import CivilTime

extension CalendarFile {
  /// The busy times of its VFREEBUSYs.
  package var busyTimes: [Range<Instant>] {
    others.filter { $0.name == "VFREEBUSY" }.flatMap {
      FreeBusyText(text.bytes.bytes($0.range), names: zones.names).spans
    }
  }

  /// The problems of its VFREEBUSYs.
  func freeBusyFindings() -> [Finding] {
    others.filter { $0.name == "VFREEBUSY" }.flatMap { component in
      let freeBusy = FreeBusyText(
        text.bytes.bytes(component.range), line: component.line, names: zones.names)
      return freeBusy.faults.map { fault in
        fault.finding.at(
          line: fault.line, component: component.name, uid: freeBusy.uid, property: "FREEBUSY")
      }
    }
  }
}
