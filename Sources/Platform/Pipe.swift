internal import SystemLibrary

/// The two ends of a pipe, which a program started elsewhere does not inherit.
struct Pipe {
  let reading: Int32
  let writing: Int32

  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reading, writing) = (ends[0], ends[1])
  }

  func close() {
    for end in [reading, writing] { closeDescriptor(end) }
  }
}

// Methods here have the names of these functions of the system.

func closeDescriptor(_ number: Int32) { close(number) }

func writeDescriptor(_ number: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(number, bytes, count)
}

func readDescriptor(_ number: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(number, bytes, count)
}
