#ifndef AGENDA_CCURL_H
#define AGENDA_CCURL_H

#include <stddef.h>
#include <stdint.h>

// What is used of libcurl's binary interface, which has been the same since libcurl.so.4 of 2006.
// The library is looked up at run time and its header is not needed to build: Debian and macOS
// have the library on every machine, the header on few.

enum agenda_curl_code {
  agenda_curl_ok = 0,
  agenda_curl_unsupported_protocol = 1,
  agenda_curl_no_host = 6,
  agenda_curl_no_connection = 7,
  agenda_curl_partial_file = 18,
  agenda_curl_http_error = 22,
  agenda_curl_write_error = 23,
  agenda_curl_out_of_memory = 27,
  agenda_curl_timeout = 28,
  agenda_curl_too_many_redirects = 47,
  agenda_curl_nothing = 52,
  agenda_curl_too_large = 63,
};

enum agenda_curl_option {
  agenda_curl_timeout_option = 13,
  agenda_curl_fail_on_error = 45,
  agenda_curl_netrc = 51,
  agenda_curl_follow_location = 52,
  agenda_curl_most_redirects = 68,
  agenda_curl_connect_timeout = 78,
  agenda_curl_no_signal = 99,
  // Numbers of protocols, which newer versions take as names too.
  agenda_curl_protocols = 181,
  agenda_curl_redirect_protocols = 182,
  agenda_curl_write_data = 10001,
  agenda_curl_url = 10002,
  agenda_curl_error_buffer = 10010,
  agenda_curl_user_agent = 10018,
  agenda_curl_headers = 10023,
  agenda_curl_header_data = 10029,
  agenda_curl_accept_encoding = 10102,
  agenda_curl_write_function = 20011,
  agenda_curl_header_function = 20079,
  agenda_curl_most_bytes = 30117,
};

enum {
  agenda_curl_protocol_http = 1,
  agenda_curl_protocol_https = 2,
  agenda_curl_netrc_optional = 1,
  agenda_curl_global_all = 3,
  agenda_curl_error_size = 256,
  agenda_curl_response_code = 0x200002,
};

typedef int (*agenda_curl_global_init)(long flags);
typedef void *(*agenda_curl_easy_init)(void);
typedef int (*agenda_curl_easy_perform)(void *handle);
typedef void (*agenda_curl_easy_cleanup)(void *handle);
typedef const char *(*agenda_curl_easy_strerror)(int code);
typedef void *(*agenda_curl_slist_append)(void *list, const char *text);
typedef void (*agenda_curl_slist_free_all)(void *list);
typedef const char *(*agenda_curl_version)(void);

// Variadic functions, which Swift cannot call.

static inline int agenda_curl_set_long(void *setopt, void *handle, int option, long value) {
  return ((int (*)(void *, int, ...))setopt)(handle, option, value);
}

static inline int agenda_curl_set_size(void *setopt, void *handle, int option, int64_t value) {
  return ((int (*)(void *, int, ...))setopt)(handle, option, value);
}

static inline int agenda_curl_set_pointer(void *setopt, void *handle, int option,
                                          const void *value) {
  return ((int (*)(void *, int, ...))setopt)(handle, option, value);
}

typedef size_t (*agenda_curl_receive)(char *bytes, size_t size, size_t count, void *context);

static inline int agenda_curl_set_function(void *setopt, void *handle, int option,
                                           agenda_curl_receive value) {
  return ((int (*)(void *, int, ...))setopt)(handle, option, value);
}

static inline long agenda_curl_status(void *getinfo, void *handle) {
  long status = 0;
  ((int (*)(void *, int, ...))getinfo)(handle, agenda_curl_response_code, &status);
  return status;
}

#endif
