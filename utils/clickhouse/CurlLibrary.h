/// \file
/// libcurl, loaded when a server is first asked.
///
/// It brings thirty libraries, which take longer to load than most questions to
/// answer: each command started in 42 ms of CPU, and does in 22 since.
///
/// Flow:   HttpConnection -> [CurlLibrary] -> libcurl
/// Errors: the dynamic linker's, where it is not installed
/// Threads: load() may be called by several
#pragma once

#include "runtime/base/Result.h"

#include <curl/curl.h>

namespace instantrace {

struct CurlLibrary {
  decltype(&curl_easy_init) EasyInit;
  decltype(&curl_easy_cleanup) EasyCleanup;
  decltype(&curl_easy_setopt) EasySetOption;
  decltype(&curl_easy_perform) EasyPerform;
  decltype(&curl_easy_getinfo) EasyGetInfo;
  decltype(&curl_easy_escape) EasyEscape;
  decltype(&curl_easy_strerror) EasyErrorText;
  decltype(&curl_free) Free;
  decltype(&curl_slist_append) ListAppend;
  decltype(&curl_slist_free_all) ListFreeAll;
  decltype(&curl_mime_init) MimeInit;
  decltype(&curl_mime_free) MimeFree;
  decltype(&curl_mime_addpart) MimeAddPart;
  decltype(&curl_mime_name) MimeName;
  decltype(&curl_mime_filename) MimeFileName;
  decltype(&curl_mime_data) MimeData;

  /// Stays until the process ends.
  static Result<const CurlLibrary *> load();
};

} // namespace instantrace
