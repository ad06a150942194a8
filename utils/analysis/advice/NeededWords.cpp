#include "utils/analysis/advice/NeededWords.h"

#include "utils/analysis/advice/DeclaredNames.h"

using namespace instantrace;

const UmbrellaPart *UmbrellaContents::cheapest(FileNumber File) const {
  for (const UmbrellaPart &P : Parts)
    if (P.Below.contains(File))
      return &P;
  return nullptr;
}

void UmbrellaContents::indexWords(HeaderFacts &H) {
  ByWord.clear();
  Operators.clear();
  for (FileNumber File = 0; File != H.fileCount(); ++File) {
    const SourceScan *Scan = Below.contains(File) ? H.scan(File) : nullptr;
    if (!Scan)
      continue;
    for (const SourceScan::Declaration &D : Scan->Declarations)
      ByWord[D.Word].push_back({File, &D});
    if (!H.isSystem(File))
      for (const SourceScan::Declaration &D : Scan->Operators)
        Operators.push_back({File, &D});
  }
}

void NeededWords::add(FileNumber File) {
  const SourceScan *Scan = H.scan(File);
  if (!Scan)
    return;
  const FileSet Own = ownNames(*Scan);
  for (const SourceScan::Mention &M : Scan->Mentions)
    if (!M.IsMember)
      ask(M.Word,
          M.IsStd                               ? Std
          : Own.contains(M.Word)                ? PlainType
          : M.IsQualified && !H.isInOwnScope(M) ? Named
          : H.usesForeignNamespace(*Scan)       ? Named
                                                : Plain,
          !M.NeedsDefinition);
  // What is made of what is asked for is asked for as well.
  while (!Open.empty()) {
    auto [Word, How] = Open.back();
    Open.pop_back();
    if (auto Declared = Umbrella.ByWord.find(Word);
        Declared != Umbrella.ByWord.end())
      for (const Declaring &D : Declared->second)
        askForParts(D, Word, How);
  }
}

void NeededWords::askForParts(const Declaring &D, uint32_t Word, uint16_t How) {
  const bool IsOwn = !H.isSystem(D.File);
  const bool IsDefined = isMeant(D, How);
  if (!(IsDefined && IsOwn) &&
      !(D.What->IsAlias && isMeant(D, How | How >> ByName)))
    return;
  const SourceScan &In = *H.scan(D.File);
  for (uint32_t I = D.What->FirstMention; I != D.What->EndMention; ++I) {
    const SourceScan::Mention &M = In.Mentions[I];
    // A macro may be of anything.
    const bool IsMacro = !D.What->IsType && In.isMacro(Word);
    if (!M.IsMember)
      ask(M.Word,
          M.IsStd || D.What->IsInStd                              ? Std
          : IsMacro                                               ? Named
          : M.IsQualified || !IsOwn || H.usesForeignNamespace(In) ? NamedType
                                                                  : PlainType,
          !IsDefined || !(M.NeedsDefinition || M.IsResult));
  }
}

std::vector<FileNumber> NeededWords::wanted(const FileSet &Reached) const {
  std::vector<FileNumber> Wanted;
  for (const auto &[Word, How] : Asked)
    addWanted(Umbrella.ByWord.at(Word), How, Reached, Wanted);
  for (const Declaring &D : Umbrella.Operators)
    if (!Reached.contains(D.File) && hasAskedType(D))
      Wanted.push_back(D.File);
  return Wanted;
}

void NeededWords::ask(uint32_t Word, uint16_t How, bool IsByName) {
  if (!Umbrella.ByWord.contains(Word))
    return;
  if (IsByName)
    How <<= ByName;
  uint16_t &Before = Asked[Word];
  if ((Before | How) == Before)
    return;
  Before |= How;
  Open.emplace_back(Word, Before);
}

/// Without a namespace, nobody names what a library has in one.
bool NeededWords::isMeant(const Declaring &D, uint16_t How) const {
  if (H.isSystem(D.File) &&
      (D.What->IsInNamespace || H.isOwnName(D.What->Word)))
    How &= NamedType | Named | Std;
  if (D.What->IsInNamespace && !D.What->IsInStd)
    How &= PlainType | NamedType | Plain | Named;
  if (!D.What->IsType)
    How &= Plain | Named | Std;
  return How % (1 << ByName) != 0;
}

/// A type needs its definition; a function, one of those that have its name,
/// for the others are about types that nobody names then.
void NeededWords::addWanted(const std::vector<Declaring> &All, uint16_t How,
                            const FileSet &Reached,
                            std::vector<FileNumber> &Wanted) const {
  const UmbrellaPart *Least = nullptr;
  FileNumber LeastFile = NoFile;
  bool IsReached = false, IsDefined = false;
  for (const Declaring &D : All) {
    const bool IsMeant = isMeant(D, How);
    if (!IsMeant && !isMeant(D, How >> ByName))
      continue;
    const bool IsDefinition = IsMeant && D.What->IsType && !D.What->IsForward &&
                              !(D.What->IsSpecialization && H.isSystem(D.File));
    IsDefined |= IsDefinition;
    if (Reached.contains(D.File)) {
      IsReached = true;
      continue;
    }
    if (IsDefinition)
      Wanted.push_back(D.File);
    const UmbrellaPart *P = Umbrella.cheapest(D.File);
    if (LeastFile == NoFile || (P && (!Least || P->Ns < Least->Ns))) {
      Least = P;
      LeastFile = D.File;
    }
  }
  if (!IsReached && !IsDefined && LeastFile != NoFile)
    Wanted.push_back(LeastFile);
}

bool NeededWords::hasAskedType(const Declaring &D) const {
  const SourceScan &In = *H.scan(D.File);
  for (uint32_t I = D.What->FirstMention; I != D.What->EndMention; ++I) {
    const uint32_t Word = In.Mentions[I].Word;
    if (!Asked.contains(Word))
      continue;
    for (const Declaring &Row : Umbrella.ByWord.at(Word))
      if (Row.What->IsType && !H.isSystem(Row.File))
        return true;
  }
  return false;
}
