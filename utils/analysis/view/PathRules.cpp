#include "utils/analysis/view/PathRules.h"

#include <algorithm>
#include <array>
#include <vector>

using namespace instantrace;

namespace {

constexpr std::array OthersFolders = {
    std::string_view("third_party"), std::string_view("third-party"),
    std::string_view("thirdparty"),  std::string_view("3rdparty"),
    std::string_view("external"),    std::string_view("extern"),
    std::string_view("vendor"),      std::string_view("vendored"),
    std::string_view("_deps"),
};

bool isOthersFolder(std::string_view Component) {
  return std::find(OthersFolders.begin(), OthersFolders.end(), Component) !=
         OthersFolders.end();
}

/// `x86_64-linux-gnu`, `aarch64-unknown-linux-gnu`.
bool isTargetFolder(std::string_view Component) {
  return Component.find("-linux-") != Component.npos ||
         Component.ends_with("-linux") ||
         Component.find("-apple-") != Component.npos ||
         Component.ends_with("-mingw32");
}

struct Component {
  std::string_view Text;
  size_t End; // in the path, without the slash
};

std::vector<Component> componentsOf(std::string_view Path) {
  std::vector<Component> Components;
  for (size_t Begin = 0; Begin < Path.size();) {
    size_t End = std::min(Path.find('/', Begin), Path.size());
    if (End != Begin)
      Components.push_back({Path.substr(Begin, End - Begin), End});
    Begin = End + 1;
  }
  return Components;
}

} // namespace

std::string instantrace::normalPathOf(const Sequence &S, NameId Path) {
  if (!S.Names.contains(Path))
    return {};
  bool IsComposed = !S.Names.entry(Path).Markers.empty();
  return normalPathIn(
      S, S.Names.text(Path, IsComposed ? ComposedPathBytes : PathBytes));
}

std::string instantrace::normalPathIn(const Sequence &S,
                                      const std::string &Path) {
  const bool IsElsewhere = S.Session && !S.BuildFolder.empty() &&
                           S.Session->WorkingDirectory != S.BuildFolder;
  // `<built-in>` is in no folder.
  return IsElsewhere && !Path.starts_with('<')
             ? pathFrom(S.Session->WorkingDirectory, Path)
             : normalPath(Path);
}

std::string instantrace::placeText(const Sequence &S, const Location &L) {
  return pathEnd(normalPathOf(S, L.File), PlacePathBytes) +
         (L.LineNo == 0 ? "" : ":" + std::to_string(L.LineNo));
}

std::string instantrace::pathEnd(std::string Path, size_t MostBytes) {
  if (Path.size() > MostBytes)
    Path.replace(0, Path.size() - MostBytes, "…");
  return Path;
}

/// As std::filesystem has it, which takes many times as long: each header of a
/// standard library is named by a dozen of folders that it leaves again.
std::string instantrace::normalPath(std::string_view Path) {
  const bool IsAbsolute = Path.starts_with('/');
  std::string Normal(IsAbsolute ? "/" : "");
  Normal.reserve(Path.size());
  size_t Fixed = Normal.size(); // the root, or what leaves the folder
  for (size_t Begin = 0, End; Begin < Path.size(); Begin = End + 1) {
    End = std::min(Path.find('/', Begin), Path.size());
    std::string_view Folder = Path.substr(Begin, End - Begin);
    if (Folder.empty() || Folder == ".")
      continue;
    if (Folder == ".." && Normal.size() > Fixed) {
      size_t Slash = Normal.rfind('/');
      Normal.resize(Slash == Normal.npos ? 0 : std::max(Slash, Fixed));
      continue;
    }
    if (Folder == ".." && IsAbsolute)
      continue; // the root is in itself
    if (!Normal.empty() && Normal.back() != '/')
      Normal += '/';
    Normal += Folder;
    if (Folder == "..")
      Fixed = Normal.size();
  }
  return Normal.empty() && !Path.empty() ? "." : Normal;
}

std::string instantrace::pathFrom(const std::string &Folder,
                                  const std::string &Path) {
  return normalPath(
      Path.starts_with('/') || Folder.empty() ? Path : Folder + "/" + Path);
}

std::string instantrace::folderOf(std::string_view Normal) {
  size_t Slash = Normal.rfind('/');
  if (Slash == Normal.npos)
    return ".";
  return std::string(Normal.substr(0, std::max<size_t>(Slash, 1)));
}

bool instantrace::isWithin(std::string_view Normal, std::string_view Wanted) {
  if (Wanted.empty() || Wanted == "/")
    return Wanted == "/" && Normal.starts_with('/');
  auto EndsAt = [&](size_t End) {
    return End == Normal.size() || Normal[End] == '/';
  };
  if (Wanted.starts_with('/'))
    return Normal.starts_with(Wanted) && EndsAt(Wanted.size());
  for (size_t Offset = Normal.find(Wanted); Offset != Normal.npos;
       Offset = Normal.find(Wanted, Offset + 1))
    if ((Offset == 0 || Normal[Offset - 1] == '/') &&
        EndsAt(Offset + Wanted.size()))
      return true;
  return Wanted == "." && !Normal.starts_with('/');
}

uint32_t instantrace::commonParts(std::string_view A, std::string_view B) {
  uint32_t Count = 0;
  while (!A.empty() && !B.empty()) {
    size_t EndA = A.rfind('/'), EndB = B.rfind('/');
    std::string_view LastA = A.substr(EndA == A.npos ? 0 : EndA + 1);
    if (LastA.empty() || LastA != B.substr(EndB == B.npos ? 0 : EndB + 1))
      break;
    ++Count;
    A = A.substr(0, EndA == A.npos ? 0 : EndA);
    B = B.substr(0, EndB == B.npos ? 0 : EndB);
  }
  return Count;
}

std::string instantrace::libraryOf(std::string_view Normal) {
  std::vector<Component> Components = componentsOf(Normal);
  if (Components.empty())
    return {};
  for (size_t I = Components.size() - 1; I-- != 0;) {
    if (isOthersFolder(Components[I].Text))
      return I + 2 == Components.size() ? std::string()
                                        : std::string(Components[I + 1].Text);
    if (Components[I].Text != "include")
      continue;
    size_t Next = I + 1;
    while (Next + 1 != Components.size() &&
           isTargetFolder(Components[Next].Text))
      ++Next;
    return std::string(Next + 1 == Components.size()
                           ? Normal.substr(0, Components[I].End)
                           : Components[Next].Text);
  }
  return {};
}
