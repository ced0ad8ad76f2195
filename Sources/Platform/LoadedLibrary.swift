internal import SystemLibrary

/// A library that this process loads while it runs.
package struct LoadedLibrary {
  private let handle: UnsafeMutableRawPointer

  /// Loads the first of these libraries that the system has.
  package init?(firstOf names: [String]) {
    guard let handle = names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else {
      return nil
    }
    self.handle = handle
  }

  /// A function of it. `type` must be its type in C; nothing checks that.
  package func function<Function>(_ name: String, _ type: Function.Type) -> Function? {
    dlsym(handle, name).map { unsafeBitCast($0, to: type) }
  }
}
