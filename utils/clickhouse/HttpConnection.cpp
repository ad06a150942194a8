#include "utils/clickhouse/HttpConnection.h"

#include "utils/clickhouse/CurlLibrary.h"

#include <algorithm>

using namespace instantrace;

namespace {

constexpr int64_t ConnectSeconds = 10;
/// How long a request may take, in times that a server may be silent.
constexpr int64_t SilencesPerRequest = 4;
constexpr size_t MostReplyBytes = size_t(1) << 30;

using HeaderList =
    std::unique_ptr<curl_slist, decltype(CurlLibrary::ListFreeAll)>;
using HttpForm = std::unique_ptr<curl_mime, decltype(CurlLibrary::MimeFree)>;

void addHeader(const CurlLibrary &Curl, HeaderList &List,
               const std::string &Line) {
  curl_slist *Shorter = List.release();
  curl_slist *Longer = Curl.ListAppend(Shorter, Line.c_str());
  // Null, when there is no memory, leaves the list as it was.
  List.reset(Longer ? Longer : Shorter);
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
  explicit Handles(const CurlLibrary &Curl)
      : Curl(Curl), Access(nullptr, Curl.ListFreeAll) {}
  ~Handles() { Curl.EasyCleanup(Easy); }

  const CurlLibrary &Curl;
  CURL *Easy = nullptr;
  std::string Address;
  HeaderList Access; // user and password
};

HttpConnection::HttpConnection(std::unique_ptr<Handles> Own)
    : Own(std::move(Own)) {}
HttpConnection::HttpConnection(HttpConnection &&) noexcept = default;
HttpConnection &HttpConnection::operator=(HttpConnection &&) noexcept = default;
HttpConnection::~HttpConnection() = default;

Result<HttpConnection> HttpConnection::open(const ServerAddress &Address,
                                            const ServerAccess &Account) {
  INSTANTRACE_TRY_ASSIGN(const CurlLibrary *Loaded, CurlLibrary::load());
  const CurlLibrary &Curl = *Loaded;
  auto Made = std::make_unique<Handles>(Curl);
  Made->Easy = Curl.EasyInit();
  if (!Made->Easy)
    return Error{"libcurl cannot be started"};
  CURL *C = Made->Easy;
  Made->Address = std::string(Address.IsEncrypted ? "https" : "http") + "://" +
                  Address.Host + ":" + std::to_string(Address.Port) + "/";
  if (!Account.User.empty())
    addHeader(Curl, Made->Access, "X-ClickHouse-User: " + Account.User);
  if (!Account.Password.empty())
    addHeader(Curl, Made->Access, "X-ClickHouse-Key: " + Account.Password);
  // We send a body at once rather than ask whether it is wanted.
  addHeader(Curl, Made->Access, "Expect:");
  Curl.EasySetOption(C, CURLOPT_PROTOCOLS_STR,
                     Address.IsEncrypted ? "https" : "http");
  Curl.EasySetOption(C, CURLOPT_NOSIGNAL, 1L);
  Curl.EasySetOption(C, CURLOPT_FOLLOWLOCATION, 0L);
  Curl.EasySetOption(C, CURLOPT_HTTP_VERSION,
                     static_cast<long>(CURL_HTTP_VERSION_1_1));
  Curl.EasySetOption(
      C, CURLOPT_CONNECTTIMEOUT,
      static_cast<long>(std::min<int64_t>(ConnectSeconds, Account.SilenceS)));
  Curl.EasySetOption(C, CURLOPT_LOW_SPEED_LIMIT, 1L);
  Curl.EasySetOption(C, CURLOPT_LOW_SPEED_TIME,
                     static_cast<long>(Account.SilenceS));
  Curl.EasySetOption(C, CURLOPT_TIMEOUT,
                     static_cast<long>(SilencesPerRequest * Account.SilenceS));
  Curl.EasySetOption(C, CURLOPT_WRITEFUNCTION, takeBytes);
  if (!Account.AuthorityFile.empty())
    Curl.EasySetOption(C, CURLOPT_CAINFO, Account.AuthorityFile.c_str());
  return HttpConnection(std::move(Made));
}

HttpReply HttpConnection::send(const HttpRequest &Request) {
  HttpReply Reply;
  const CurlLibrary &Curl = Own->Curl;
  CURL *C = Own->Easy;
  std::string Address = Own->Address;
  char Separator = '?';
  for (const auto &[Name, Value] : Request.Parameters) {
    char *Encoded =
        Curl.EasyEscape(C, Value.c_str(), static_cast<int>(Value.size()));
    Address += Separator + Name + "=" + (Encoded ? Encoded : "");
    Curl.Free(Encoded);
    Separator = '&';
  }
  HeaderList Headers(nullptr, Curl.ListFreeAll);
  for (const curl_slist *Each = Own->Access.get(); Each; Each = Each->next)
    addHeader(Curl, Headers, Each->data);
  if (Request.IsGzip)
    addHeader(Curl, Headers, "Content-Encoding: gzip");
  HttpForm Form(nullptr, Curl.MimeFree);
  if (!Request.File.first.empty()) {
    Form.reset(Curl.MimeInit(C));
    curl_mimepart *Part = Curl.MimeAddPart(Form.get());
    Curl.MimeName(Part, Request.File.first.c_str());
    Curl.MimeFileName(Part, Request.File.first.c_str());
    Curl.MimeData(Part, Request.File.second.data(), Request.File.second.size());
    Curl.EasySetOption(C, CURLOPT_MIMEPOST, Form.get());
  } else {
    Curl.EasySetOption(C, CURLOPT_MIMEPOST, nullptr);
    Curl.EasySetOption(C, CURLOPT_POST, 1L);
    Curl.EasySetOption(C, CURLOPT_POSTFIELDS, Request.Body.data());
    Curl.EasySetOption(C, CURLOPT_POSTFIELDSIZE_LARGE,
                       static_cast<curl_off_t>(Request.Body.size()));
  }
  Curl.EasySetOption(C, CURLOPT_URL, Address.c_str());
  Curl.EasySetOption(C, CURLOPT_HTTPHEADER, Headers.get());
  Curl.EasySetOption(C, CURLOPT_WRITEDATA, &Reply.Body);
  char Message[CURL_ERROR_SIZE] = "";
  Curl.EasySetOption(C, CURLOPT_ERRORBUFFER, Message);
  CURLcode Code = Curl.EasyPerform(C);
  Curl.EasySetOption(C, CURLOPT_ERRORBUFFER, nullptr);
  Curl.EasySetOption(C, CURLOPT_MIMEPOST, nullptr);
  long Status = 0;
  Curl.EasyGetInfo(C, CURLINFO_RESPONSE_CODE, &Status);
  Reply.Status = Status;
  if (Code == CURLE_WRITE_ERROR)
    Reply.Failure = "an answer of more than 1 GiB";
  else if (Code != CURLE_OK)
    Reply.Failure = *Message ? Message : Curl.EasyErrorText(Code);
  return Reply;
}
