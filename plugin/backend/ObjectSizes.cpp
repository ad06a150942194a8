#include "plugin/backend/ObjectSizes.h"

#include "plugin/ClangCompat.h"
#include "plugin/backend/FunctionNames.h"

#include "clang/Frontend/CompilerInstance.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace instantrace {

namespace {

/// Clang does not tell anybody what its output is called until it has its final
/// name, which is after the last that a plugin hears. This is how a private
/// member is named in C++ without naming it: as an argument of an explicit
/// instantiation.
template <auto Member> struct OutputFilesOf {
  friend auto &outputFiles(CompilerInstance &Compiler) {
    return Compiler.*Member;
  }
};
auto &outputFiles(CompilerInstance &Compiler);
template struct OutputFilesOf<&CompilerInstance::OutputFiles>;

#if INSTANTRACE_HAS_VIRTUAL_OUTPUT

/// `a-1f2e3d4c.o.tmp` of `a.o` among the files that are open; `a.o` itself when
/// there is none.
std::string temporaryOf(StringRef Path) {
  namespace fs = llvm::sys::fs;
  namespace path = llvm::sys::path;
  llvm::SmallString<256> Directory;
  StringRef Parent = path::parent_path(Path);
  if (fs::real_path(Parent.empty() ? "." : Parent, Directory))
    return Path.str();
  std::string Prefix = (path::stem(Path) + "-").str();
  std::error_code Failure;
  for (fs::directory_iterator It("/proc/self/fd", Failure), End;
       !Failure && It != End; It.increment(Failure)) {
    llvm::SmallString<256> Target;
    if (fs::real_path(It->path(), Target))
      continue;
    StringRef Name = path::filename(Target);
    if (path::parent_path(Target) == Directory &&
        Name.take_front(Prefix.size()) == Prefix && Name.take_back(4) == ".tmp")
      return Target.str().str();
  }
  return Path.str();
}

template <class OutputFile> std::string pathOf(OutputFile &Output) {
  if (!Output.isOpen())
    return {};
  Output.getOS().flush();
  return temporaryOf(Output.getPath());
}

#else

template <class OutputFile> std::string pathOf(OutputFile &Output) {
  return Output.File ? Output.File->TmpName : Output.Filename;
}

#endif

bool isRegular(StringRef Path) {
  llvm::sys::fs::file_status Status;
  return !llvm::sys::fs::status(Path, Status) &&
         Status.type() == llvm::sys::fs::file_type::regular_file;
}

template <class T> bool take(llvm::Expected<T> E, T &Value) {
  if (!E) {
    llvm::consumeError(E.takeError());
    return false;
  }
  Value = std::move(*E);
  return true;
}

void addSizes(const llvm::object::ObjectFile &Object, ObjectSizes &Sizes) {
  for (const llvm::object::SectionRef &Section : Object.sections())
    if (Section.isText())
      Sizes.CodeBytes += Section.getSize();
  const auto *Elf = llvm::dyn_cast<llvm::object::ELFObjectFileBase>(&Object);
  if (!Elf)
    return; // other formats do not say how large a symbol is
  for (const llvm::object::ELFSymbolRef &Symbol : Elf->symbols()) {
    llvm::object::SymbolRef::Type Type{};
    StringRef Name;
    if (!take(Symbol.getType(), Type) ||
        Type != llvm::object::SymbolRef::ST_Function || Symbol.getSize() == 0 ||
        !take(Symbol.getName(), Name))
      continue;
    Sizes.Functions.emplace_back(linkageHash({Name.data(), Name.size()}),
                                 Symbol.getSize());
  }
}

} // namespace

ObjectSizes readObjectSizes(CompilerInstance &Compiler) {
  ObjectSizes Sizes;
  for (auto &Output : outputFiles(Compiler)) {
    std::string Path = pathOf(Output);
    if (!isRegular(Path))
      continue;
    auto Buffer = llvm::MemoryBuffer::getFile(Path, /*IsText=*/false,
                                              /*RequiresNullTerminator=*/false);
    if (!Buffer)
      continue;
    llvm::MemoryBufferRef Content = (*Buffer)->getMemBufferRef();
    if (llvm::identify_magic(Content.getBuffer()) !=
        llvm::file_magic::elf_relocatable)
      continue;
    std::unique_ptr<llvm::object::ObjectFile> Object;
    if (take(llvm::object::ObjectFile::createObjectFile(Content), Object))
      addSizes(*Object, Sizes);
  }
  return Sizes;
}

} // namespace instantrace
