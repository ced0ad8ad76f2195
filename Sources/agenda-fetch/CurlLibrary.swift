internal import CCurl

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// libcurl's functions, looked up in the library of the system.
struct CurlLibrary {
  let easyInit: agenda_curl_easy_init
  let perform: agenda_curl_easy_perform
  let cleanup: agenda_curl_easy_cleanup
  let words: agenda_curl_easy_strerror
  let append: agenda_curl_slist_append
  let freeList: agenda_curl_slist_free_all
  /// Both are variadic and called by way of the shim.
  let setOption: UnsafeMutableRawPointer
  let getInformation: UnsafeMutableRawPointer
  /// `libcurl/7.88.1 OpenSSL/3.0.17 …`
  let version: String

  init() throws(FetchError) {
    #if canImport(Darwin)
      let names = ["/usr/lib/libcurl.4.dylib", "libcurl.4.dylib"]
    #else
      let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]
    #endif
    guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else {
      throw .noLibrary
    }
    func function<Function>(_ name: String, _ type: Function.Type) -> Function? {
      dlsym(library, name).map { unsafeBitCast($0, to: type) }
    }
    guard
      let globalInit = function("curl_global_init", agenda_curl_global_init.self),
      let easyInit = function("curl_easy_init", agenda_curl_easy_init.self),
      let perform = function("curl_easy_perform", agenda_curl_easy_perform.self),
      let cleanup = function("curl_easy_cleanup", agenda_curl_easy_cleanup.self),
      let words = function("curl_easy_strerror", agenda_curl_easy_strerror.self),
      let append = function("curl_slist_append", agenda_curl_slist_append.self),
      let freeList = function("curl_slist_free_all", agenda_curl_slist_free_all.self),
      let version = function("curl_version", agenda_curl_version.self),
      let setOption = dlsym(library, "curl_easy_setopt"),
      let getInformation = dlsym(library, "curl_easy_getinfo"),
      globalInit(Int(agenda_curl_global_all)) == 0
    else { throw .noLibrary }
    self.easyInit = easyInit
    self.perform = perform
    self.cleanup = cleanup
    self.words = words
    self.append = append
    self.freeList = freeList
    self.setOption = setOption
    self.getInformation = getInformation
    self.version = version().map { String(cString: $0) } ?? "libcurl"
  }
}
