/// The random number that a store mixes into every digest, so that an attacker cannot prepare texts
/// whose digests collide.
package struct StoreKey: Hashable, Sendable {
  package let number: UInt64

  init(number: UInt64) {
    self.number = number
  }

  init(of connection: Connection) throws(StoreError) {
    guard let number = try connection.integer("SELECT key FROM store WHERE id = 1") else {
      throw .damaged(path: connection.path, what: "its key is missing")
    }
    self.number = UInt64(bitPattern: Int64(number))
  }
}
