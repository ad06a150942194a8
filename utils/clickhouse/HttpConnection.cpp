#include "utils/clickhouse/HttpConnection.h"

#include <curl/curl.h>

#include <algorithm>

using namespace instantrace;

namespace {

constexpr int64_t ConnectSeconds = 10;
constexpr size_t MostReplyBytes = size_t(1) << 30;

struct FreeList {
  void operator()(curl_slist *List) const { curl_slist_free_all(List); }
};
struct FreeForm {
  void operator()(curl_mime *Form) const { curl_mime_free(Form); }
};
using HeaderList = std::unique_ptr<curl_slist, FreeList>;

void addHeader(HeaderList &To, const std::string &Line) {
  // Null, when there is no memory, leaves the list as it was.
  if (curl_slist *Longer = curl_slist_append(To.get(), Line.c_str())) {
    (void)To.release();
    To.reset(Longer);
  }
}

size_t takeBytes(char *Bytes, size_t, size_t Count, void *Into) {
  auto &Text = *static_cast<std::string *>(Into);
  if (Count > MostReplyBytes - Text.size())
    return 0;
  Text.append(Bytes, Count);
  return Count;
}

} // namespace

struct HttpConnection::Handles {
  CURL *Curl = nullptr;
  std::string Address;
  HeaderList Access; // user and password

  ~Handles() { curl_easy_cleanup(Curl); }
};

HttpConnection::HttpConnection(std::unique_ptr<Handles> Own)
    : Own(std::move(Own)) {}
HttpConnection::HttpConnection(HttpConnection &&) noexcept = default;
HttpConnection &HttpConnection::operator=(HttpConnection &&) noexcept = default;
HttpConnection::~HttpConnection() = default;

Result<HttpConnection> HttpConnection::open(const ServerAddress &To,
                                            const ServerAccess &By) {
  auto Made = std::make_unique<Handles>();
  Made->Curl = curl_easy_init();
  if (!Made->Curl)
    return Error{"libcurl cannot be started"};
  CURL *C = Made->Curl;
  Made->Address = std::string(To.IsEncrypted ? "https" : "http") + "://" +
                  To.Host + ":" + std::to_string(To.Port) + "/";
  if (!By.User.empty())
    addHeader(Made->Access, "X-ClickHouse-User: " + By.User);
  if (!By.Password.empty())
    addHeader(Made->Access, "X-ClickHouse-Key: " + By.Password);
  // We send a body at once rather than ask whether it is wanted.
  addHeader(Made->Access, "Expect:");
  curl_easy_setopt(C, CURLOPT_PROTOCOLS_STR, To.IsEncrypted ? "https" : "http");
  curl_easy_setopt(C, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(C, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(C, CURLOPT_HTTP_VERSION,
                   static_cast<long>(CURL_HTTP_VERSION_1_1));
  curl_easy_setopt(
      C, CURLOPT_CONNECTTIMEOUT,
      static_cast<long>(std::min<int64_t>(ConnectSeconds, By.SilenceS)));
  curl_easy_setopt(C, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(C, CURLOPT_LOW_SPEED_TIME, static_cast<long>(By.SilenceS));
  curl_easy_setopt(C, CURLOPT_WRITEFUNCTION, takeBytes);
  if (!By.AuthorityFile.empty())
    curl_easy_setopt(C, CURLOPT_CAINFO, By.AuthorityFile.c_str());
  return HttpConnection(std::move(Made));
}

HttpReply HttpConnection::send(const HttpRequest &Request) {
  HttpReply Reply;
  CURL *C = Own->Curl;
  std::string Address = Own->Address;
  char Separator = '?';
  for (const auto &[Name, Value] : Request.Parameters) {
    char *Encoded =
        curl_easy_escape(C, Value.c_str(), static_cast<int>(Value.size()));
    Address += Separator + Name + "=" + (Encoded ? Encoded : "");
    curl_free(Encoded);
    Separator = '&';
  }
  HeaderList Headers;
  for (const curl_slist *Each = Own->Access.get(); Each; Each = Each->next)
    addHeader(Headers, Each->data);
  if (Request.IsGzip)
    addHeader(Headers, "Content-Encoding: gzip");
  std::unique_ptr<curl_mime, FreeForm> Form;
  if (!Request.File.first.empty()) {
    Form.reset(curl_mime_init(C));
    curl_mimepart *Part = curl_mime_addpart(Form.get());
    curl_mime_name(Part, Request.File.first.c_str());
    curl_mime_filename(Part, Request.File.first.c_str());
    curl_mime_data(Part, Request.File.second.data(),
                   Request.File.second.size());
    curl_easy_setopt(C, CURLOPT_MIMEPOST, Form.get());
  } else {
    curl_easy_setopt(C, CURLOPT_MIMEPOST, nullptr);
    curl_easy_setopt(C, CURLOPT_POST, 1L);
    curl_easy_setopt(C, CURLOPT_POSTFIELDS, Request.Body.data());
    curl_easy_setopt(C, CURLOPT_POSTFIELDSIZE_LARGE,
                     static_cast<curl_off_t>(Request.Body.size()));
  }
  curl_easy_setopt(C, CURLOPT_URL, Address.c_str());
  curl_easy_setopt(C, CURLOPT_HTTPHEADER, Headers.get());
  curl_easy_setopt(C, CURLOPT_WRITEDATA, &Reply.Body);
  char Message[CURL_ERROR_SIZE] = "";
  curl_easy_setopt(C, CURLOPT_ERRORBUFFER, Message);
  CURLcode Code = curl_easy_perform(C);
  curl_easy_setopt(C, CURLOPT_ERRORBUFFER, nullptr);
  curl_easy_setopt(C, CURLOPT_MIMEPOST, nullptr);
  long Status = 0;
  curl_easy_getinfo(C, CURLINFO_RESPONSE_CODE, &Status);
  Reply.Status = Status;
  long SentBytes = 0;
  curl_easy_getinfo(C, CURLINFO_REQUEST_SIZE, &SentBytes);
  Reply.WasSent = SentBytes != 0;
  if (Code == CURLE_WRITE_ERROR)
    Reply.Failure = "an answer of more than 1 GiB";
  else if (Code != CURLE_OK)
    Reply.Failure = *Message ? Message : curl_easy_strerror(Code);
  return Reply;
}
