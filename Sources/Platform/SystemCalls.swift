// The C library of each system, for the modules that need a function of it that has no Swift form
// here. No other module imports these, so that the differences between them stay in one place.
#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Darwin)
  @_exported public import Darwin
#endif
