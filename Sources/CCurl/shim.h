#ifndef AGENDA_CCURL_H
#define AGENDA_CCURL_H

// Its macros check the types of calls that name an option; the calls here have it in a variable.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

// Macros that Swift cannot read.
static const long agenda_curl_basic_or_digest = CURLAUTH_BASIC | CURLAUTH_DIGEST;
static const long agenda_curl_basic = CURLAUTH_BASIC;
static const long agenda_curl_digest = CURLAUTH_DIGEST;

// libcurl's variadic functions, which Swift cannot call, once for each type of argument.

static inline CURLcode agenda_curl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode agenda_curl_set_pointer(CURL *handle, CURLoption option,
                                               const void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode agenda_curl_set_receiver(CURL *handle, CURLoption option,
                                                curl_write_callback value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLMcode agenda_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

static inline long agenda_curl_long(CURL *handle, CURLINFO info) {
  long value = 0;
  curl_easy_getinfo(handle, info, &value);
  return value;
}

// NULL if it is missing; valid until the handle is used again.
static inline const char *agenda_curl_text(CURL *handle, CURLINFO info) {
  char *value = NULL;
  curl_easy_getinfo(handle, info, &value);
  return value;
}

// No other protocol, even if a mistake in the address check let one through.
static inline CURLcode agenda_curl_allow_http_only(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
  return curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  return curl_easy_setopt(handle, CURLOPT_PROTOCOLS, CURLPROTO_HTTP | CURLPROTO_HTTPS);
#endif
}

#endif
