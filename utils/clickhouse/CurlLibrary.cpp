#include "utils/clickhouse/CurlLibrary.h"

#include <dlfcn.h>
#include <string>

using namespace instantrace;

namespace {

// With OpenSSL, and as Debian has it with GnuTLS.
constexpr const char *FileNames[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};

Result<CurlLibrary> loadOnce() {
  void *Handle = nullptr;
  std::string FirstFailure;
  for (const char *Name : FileNames) {
    Handle = ::dlopen(Name, RTLD_NOW | RTLD_LOCAL);
    if (Handle)
      break;
    if (const char *Reason = ::dlerror(); Reason && FirstFailure.empty())
      FirstFailure = Reason;
  }
  if (!Handle)
    return Error{"libcurl is needed to ask a server and cannot be loaded: " +
                 FirstFailure + "; Debian has it in libcurl4"};
  CurlLibrary Loaded;
  const char *Missing = nullptr;
  auto find = [&](auto &Function, const char *Name) {
    Function = reinterpret_cast<std::remove_reference_t<decltype(Function)>>(
        ::dlsym(Handle, Name));
    if (!Function && !Missing)
      Missing = Name;
  };
  find(Loaded.EasyInit, "curl_easy_init");
  find(Loaded.EasyCleanup, "curl_easy_cleanup");
  find(Loaded.EasySetOption, "curl_easy_setopt");
  find(Loaded.EasyPerform, "curl_easy_perform");
  find(Loaded.EasyGetInfo, "curl_easy_getinfo");
  find(Loaded.EasyEscape, "curl_easy_escape");
  find(Loaded.EasyErrorText, "curl_easy_strerror");
  find(Loaded.Free, "curl_free");
  find(Loaded.ListAppend, "curl_slist_append");
  find(Loaded.ListFreeAll, "curl_slist_free_all");
  find(Loaded.MimeInit, "curl_mime_init");
  find(Loaded.MimeFree, "curl_mime_free");
  find(Loaded.MimeAddPart, "curl_mime_addpart");
  find(Loaded.MimeName, "curl_mime_name");
  find(Loaded.MimeFileName, "curl_mime_filename");
  find(Loaded.MimeData, "curl_mime_data");
  if (Missing)
    return Error{"libcurl: found one without " + std::string(Missing) +
                 ", expected version 7.85 or later"};
  return Loaded;
}

} // namespace

Result<const CurlLibrary *> CurlLibrary::load() {
  static const Result<CurlLibrary> Loaded = loadOnce();
  if (!Loaded)
    return Loaded.error();
  return &*Loaded;
}
