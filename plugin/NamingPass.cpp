#include "plugin/NamingPass.h"

#include "plugin/LocationResolver.h"
#include "plugin/Options.h"
#include "plugin/QuietDiagnostics.h"
#include "plugin/backend/BackendRecorder.h"
#include "plugin/hooks/PhaseTracker.h"
#include "plugin/names/NameBuilder.h"
#include "plugin/names/NameCheck.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Serialization/ASTReader.h"
#include "llvm/Support/FileSystem.h"

#include <utility>

using namespace clang;

namespace instantrace {

namespace {

const Decl *declaration(const Entity &E) {
  return static_cast<const Decl *>(E.declaration());
}

} // namespace

NamingPass::NamingPass(CompilerInstance &Compiler, const Options &Opts,
                       std::string Subject, const EntityTable &Entities,
                       const LocationTable &Locations, TraceWriter &Writer)
    : Compiler(Compiler), Opts(Opts), Subject(std::move(Subject)),
      Entities(Entities), Locations(Locations), Writer(Writer) {}

NamingPass::~NamingPass() = default;

void NamingPass::prepare() {
  if (Names)
    return;
  // Names come last: after a crash in here, its handler prepares once more.
  Resolver = std::make_unique<LocationResolver>(
      Compiler.getSourceManager(), Compiler.getLangOpts(), Strings);
  auto Builder = std::make_unique<NameBuilder>(Compiler.getASTContext(),
                                               Strings, Opts.HasParameters);
  if (!Opts.CheckNames.empty())
    Check = std::make_unique<NameCheck>(*Builder, Strings);
  ParsedNames = std::make_unique<NameBuilder>(Compiler.getASTContext(), Strings,
                                              Opts.HasParameters);
  StringId About = Strings.intern(Subject);
  Names = std::move(Builder);
  Strings.map(StringId::metadata(), About);
}

/// Clang looks for a header of a PCH or module when it first needs a place in
/// it, and reports once that it is gone or has changed. If we need one before,
/// nobody sees the error. So all are looked for without a report; where one is
/// gone or has changed, that is forgotten, and we need no place.
void NamingPass::checkInputs() {
  IntrusiveRefCntPtr<ASTReader> Reader = Compiler.getASTReader();
  if (!Reader)
    return;
  auto IsUsable = [](const serialization::InputFile &Input) {
    return !Input.isNotFound() && !Input.isOutOfDate();
  };
  serialization::ModuleManager &Modules = Reader->getModuleManager();
  for (; CheckedModules < Modules.size(); ++CheckedModules) {
    serialization::ModuleFile &File = Modules[CheckedModules];
    const std::vector<serialization::InputFile> Before = File.InputFilesLoaded;
    Reader->visitInputFiles(File, /*IncludeSystem=*/true, /*Complain=*/false,
                            [](const serialization::InputFile &, bool) {});
    if (llvm::all_of(File.InputFilesLoaded, IsUsable))
      continue;
    Resolver->neverLoad();
    for (size_t I = 0; I != Before.size(); ++I)
      if (!IsUsable(File.InputFilesLoaded[I]))
        File.InputFilesLoaded[I] = Before[I];
  }
}

uint32_t NamingPass::declarationLocation(SourceLocation Location) {
  uint32_t Raw = Location.getRawEncoding();
  return Raw == 0 ? 0 : Declarations.idOf(Raw);
}

EntityRow NamingPass::describe(const Entity &E, StringId &Name,
                               NameBuilder *Early) {
  EntityRow Row;
  if (E.isFile()) {
    Name = Strings.intern(filePath(E.Key).str());
    Row.Name = Row.TemplateSet = Strings.ordinal(Name);
    Row.Kind = EntityKind::File;
    return Row;
  }
  if (E.Origin == EntityOrigin::Function) {
    Name = Strings.intern(functionName(E.Key));
    Row.Name = Row.TemplateSet = Strings.ordinal(Name);
    Row.Kind = EntityKind::Function;
    return Row;
  }
  const Decl *D = declaration(E);
  Row.Kind = entityKind(*D);
  Row.Declaration = Early ? 0 : declarationLocation(D->getLocation());
  if (const auto *Named = dyn_cast<NamedDecl>(D)) {
    NameBuilder &Builder = Early               ? *Early
                           : E.isDeclaration() ? *Names
                                               : *ParsedNames;
    NameBuilder::Names Pair = Builder.namesOnce(*Named);
    Name = Pair.Name;
    Row.TemplateSet = Strings.ordinal(Pair.TemplateSet);
    if (Check && !Early && E.isDeclaration())
      Check->named(*Named);
  } else {
    Name = Strings.intern("");
    Row.TemplateSet = Strings.ordinal(Name);
  }
  Row.Name = Strings.ordinal(Name);
  return Row;
}

std::vector<EntityRow> NamingPass::describeEntities() {
  uint32_t Count = Entities.idCount() - Written.Entities;
  uint32_t FirstId = Written.Entities + 1;
  std::vector<EntityRow> Rows;
  std::vector<StringId> NamesInOrder;
  Rows.reserve(Count);
  auto declAt = [&](size_t I) {
    return declaration(Entities.withId(FirstId + static_cast<uint32_t>(I)));
  };
  for (uint32_t I = 0; I != Count; ++I) {
    Names->prefetch(I, Count, declAt);
    StringId Name;
    Rows.push_back(describe(Entities.withId(FirstId + I), Name));
    if (Check)
      NamesInOrder.push_back(Name);
  }
  if (Check)
    mapNames(NamesInOrder);
  return Rows;
}

void NamingPass::mapNames(llvm::ArrayRef<StringId> NamesInOrder) {
  llvm::ArrayRef<StringId> Rest =
      NamesInOrder.drop_front(MappedEntities - Written.Entities);
  while (!Rest.empty()) {
    size_t Run = 1;
    while (Run != Rest.size() && Rest[Run] == Rest.front())
      ++Run;
    Strings.mapRange(StringId{uint64_t(MappedEntities) + 1}, Run, Rest.front());
    MappedEntities += static_cast<uint32_t>(Run);
    Rest = Rest.drop_front(Run);
  }
}

bool NamingPass::writeLocations(const LocationRows &Places) {
  std::vector<InclusionRow> Inclusions(Resolver->inclusions().begin() +
                                           Written.Inclusions,
                                       Resolver->inclusions().end());
  if (!Writer.writeDictionary(Strings))
    return false;
  Written.Inclusions += static_cast<uint32_t>(
      Writer.writeInclusions(Written.Inclusions + 1, Inclusions));
  if (Written.Inclusions != Resolver->inclusions().size())
    return false;
  Written.Locations += static_cast<uint32_t>(
      Writer.writeLocations(Written.Locations + 1, Places));
  return Written.Locations == Locations.size();
}

void NamingPass::runLocations() {
  prepare();
  QuietDiagnostics Quiet(Compiler.getDiagnostics());
  checkInputs();
  writeLocations(Resolver->resolve(Locations.after(Written.Locations)));
}

void NamingPass::runEarly(
    llvm::ArrayRef<uint32_t> Ids,
    llvm::function_ref<void(uint32_t, const EntityRow &)> Take) {
  prepare();
  if (Check)
    return; // it compares what run() names
  QuietDiagnostics Quiet(Compiler.getDiagnostics());
  checkInputs();
  if (!EarlyNames)
    EarlyNames = std::make_unique<NameBuilder>(Compiler.getASTContext(),
                                               Strings, Opts.HasParameters);
  std::vector<std::pair<uint32_t, EntityRow>> Rows;
  StringId Name;
  for (uint32_t Id : Ids)
    if (Id > Written.Entities && EarlyIds.insert(Id))
      Rows.emplace_back(Id,
                        describe(Entities.withId(Id), Name, EarlyNames.get()));
  if (writeLocations(Resolver->resolve(Locations.after(Written.Locations))))
    for (const auto &[Id, Row] : Rows)
      Take(Id, Row);
}

void NamingPass::run() {
  prepare();
  EarlyIds.clear();
  QuietDiagnostics Quiet(Compiler.getDiagnostics());
  checkInputs();
  std::vector<EntityRow> Rows = describeEntities();
  LocationRows Places = Resolver->resolve(Locations.after(Written.Locations));
  LocationRows DeclaredAt =
      Resolver->resolve(Declarations.after(Written.Declarations));
  Resolver->addOtherInclusions(EnteredFiles);
  // What the sink does not take is written with the next batch.
  if (!writeLocations(Places))
    return;
  Written.Declarations += static_cast<uint32_t>(
      Writer.writeDeclarationLocations(Written.Declarations + 1, DeclaredAt));
  if (Written.Declarations == Declarations.size())
    Written.Entities +=
        static_cast<uint32_t>(Writer.writeEntities(Written.Entities + 1, Rows));
}

void NamingPass::forgetDeclarations() {
  EarlyNames.reset();
  for (std::unique_ptr<NameBuilder> *Each : {&Names, &ParsedNames})
    if (*Each)
      *Each = std::make_unique<NameBuilder>(Compiler.getASTContext(), Strings,
                                            Opts.HasParameters);
}

void NamingPass::writeCheck() {
  if (!Check)
    return;
  std::error_code Failure;
  llvm::raw_fd_ostream OS(Opts.CheckNames, Failure,
                          llvm::sys::fs::OF_Text | llvm::sys::fs::OF_Append);
  if (Failure)
    return printWarning(Opts.CheckNames + ": " + Failure.message());
  // An entity's name is mapped for its id.
  for (uint32_t Id = 1; Id <= Entities.idCount(); ++Id)
    if (const auto *Named =
            dyn_cast_or_null<NamedDecl>(declaration(Entities.withId(Id)));
        Named && Entities.withId(Id).isDeclaration())
      Check->compare(*Named, Strings.resolve(StringId{Id}), OS);
  Check->writeStatistics(OS);
  OS.close();
  if (!OS.has_error())
    return;
  // A stream that ends with one ends the compiler.
  printWarning(Opts.CheckNames + ": " + OS.error().message());
  OS.clear_error();
}

} // namespace instantrace
