#include "utils/render/Output.h"

#include "utils/render/Pager.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

using namespace instantrace;

void Output::write(std::string_view Text) {
  if (Beside)
    Beside->makeRoom();
  if (File == stdout)
    startPager(Text);
  if (!Failure && std::fwrite(Text.data(), 1, Text.size(), File) != Text.size())
    Failure = errno;
  if (isPagerGone() && FlushedBytes > MostUnreadBytes) {
    waitForPager();
    std::_Exit(EXIT_SUCCESS); // nobody reads the rest of a stream
  }
}

bool Output::isPagerGone() const {
  return File == stdout && Failure == EPIPE && isPaging();
}

Result<int> Output::finish() {
  flush();
  if (!Failure && std::fflush(File) != 0)
    Failure = errno;
  if (Failure && !isPagerGone())
    return Error{std::string("cannot write the output: ") +
                 std::strerror(Failure)};
  return 0;
}

Result<int> Output::finishAfter(std::vector<Error> Failures) {
  Result<int> Written = finish();
  if (!Written)
    Failures.push_back(Written.error());
  if (Failures.empty())
    return Written;
  Error First = std::move(Failures.front());
  First.Others.assign(Failures.begin() + 1, Failures.end());
  return First;
}
