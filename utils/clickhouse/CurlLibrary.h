/// \file
/// libcurl, loaded when a server is first asked.
///
/// It brings thirty libraries, which take longer to load than most questions to
/// answer: each command started in 42 ms of CPU, and does in 22 since.
///
/// Flow:   HttpConnection -> [CurlLibrary] -> libcurl
/// Errors: the dynamic linker's, where it is not installed
/// Threads: load() may be called by several
#ifndef INSTANTRACE_UTILS_CLICKHOUSE_CURLLIBRARY_H
#define INSTANTRACE_UTILS_CLICKHOUSE_CURLLIBRARY_H

#include "runtime/base/Result.h"

#include <curl/curl.h>

namespace instantrace {

/// Its functions, under their names without `curl_`.
struct CurlLibrary {
  decltype(&curl_easy_init) easy_init;
  decltype(&curl_easy_cleanup) easy_cleanup;
  decltype(&curl_easy_setopt) easy_setopt;
  decltype(&curl_easy_perform) easy_perform;
  decltype(&curl_easy_getinfo) easy_getinfo;
  decltype(&curl_easy_escape) easy_escape;
  decltype(&curl_easy_strerror) easy_strerror;
  decltype(&curl_free) free;
  decltype(&curl_slist_append) slist_append;
  decltype(&curl_slist_free_all) slist_free_all;
  decltype(&curl_mime_init) mime_init;
  decltype(&curl_mime_free) mime_free;
  decltype(&curl_mime_addpart) mime_addpart;
  decltype(&curl_mime_name) mime_name;
  decltype(&curl_mime_filename) mime_filename;
  decltype(&curl_mime_data) mime_data;

  /// Stays until the process ends.
  static Result<const CurlLibrary *> load();
};

} // namespace instantrace

#endif
