#include "utils/render/SarifText.h"

#include "utils/analysis/view/PathRules.h"
#include "utils/render/JsonText.h"
#include "utils/render/UriText.h"

#include <algorithm>
#include <charconv>

using namespace instantrace;

namespace {

constexpr std::string_view RootId = "PROJECT";

class SarifWriter {
public:
  SarifWriter(std::string &Text, const ProjectFolders &Project,
              const std::string &WorkingDirectory)
      : Text(Text), WorkingDirectory(WorkingDirectory),
        Root(Project.Root.empty() ? Project.Base : Project.Root) {
    if (!Root.empty())
      Root = normalPath(Root);
    if (!Root.starts_with('/')) // a URI cannot be relative to it
      Root.clear();
    else if (!Root.ends_with('/'))
      Root.push_back('/');
  }

  void rule(JsonObject &Rule, const SarifRule &R) {
    Rule.text("id", R.Id);
    message(Rule, "shortDescription", R.About);
    message(Rule, "fullDescription", R.About);
    message(Rule, "help",
            R.About + " More is in " + R.Document +
                " of Instantrace's documents.");
    Rule.name("defaultConfiguration");
    JsonObject(Text).text("level", "note");
  }
  void result(JsonObject &Result, const SarifResult &R) {
    Result.text("ruleId", R.Rule);
    Result.text("level", "note");
    message(Result, "message", R.Message);
    if (R.Path.empty())
      return;
    std::vector<const SarifResult *> Places{&R};
    Result.objects("locations", Places, [this](JsonObject &Location, auto *P) {
      Location.name("physicalLocation");
      JsonObject Physical(Text);
      Physical.name("artifactLocation");
      file(P->Path);
      // GitHub takes no result without a line.
      Physical.name("region");
      JsonObject(Text).number("startLine", std::max(P->LineNo, 1U));
    });
  }
  void roots(JsonObject &Run) {
    if (Root.empty())
      return;
    Run.name("originalUriBaseIds");
    JsonObject Ids(Text);
    Ids.name(RootId);
    JsonObject(Text).text("uri", "file://" + uriPath(Root));
  }

private:
  void message(JsonObject &Parent, std::string_view Name,
               const std::string &Value) {
    // "[text](target)" would be a link, and a name is no markup.
    std::string Plain = Value;
    for (size_t I = 0; (I = Plain.find("](", I)) != Plain.npos; I += 3)
      Plain.insert(I + 1, " ");
    Parent.name(Name);
    JsonObject(Text).text("text", Plain);
  }
  void file(const std::string &Path) {
    const std::string Full = pathFrom(WorkingDirectory, Path);
    const bool IsInside = !Root.empty() && Full.starts_with(Root);
    JsonObject File(Text);
    File.text("uri", IsInside
                         ? uriPath(Full.substr(Root.size()))
                         : (Full[0] == '/' ? "file://" : "") + uriPath(Full));
    if (IsInside)
      File.text("uriBaseId", RootId);
  }

  std::string &Text;
  const std::string &WorkingDirectory;
  std::string Root;
};

} // namespace

void instantrace::writeSarif(Output &Out, const ProjectFolders &Project,
                             const std::string &WorkingDirectory,
                             std::string_view Analysis,
                             const std::vector<SarifRule> &Rules,
                             const std::vector<SarifResult> &Results) {
  std::string Text;
  {
    SarifWriter Writer(Text, Project, WorkingDirectory);
    JsonObject Log(Text);
    Log.text("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    Log.text("version", "2.1.0");
    const bool OneRun[] = {true};
    Log.objects("runs", OneRun, [&](JsonObject &Run, bool) {
      Run.name("tool");
      {
        JsonObject Tool(Text);
        Tool.name("driver");
        JsonObject Driver(Text);
        Driver.text("name", "instantrace");
        Driver.text("semanticVersion", INSTANTRACE_VERSION);
        Driver.objects("rules", Rules,
                       [&](JsonObject &Rule, const SarifRule &R) {
                         Writer.rule(Rule, R);
                       });
      }
      Run.name("automationDetails");
      JsonObject(Text).text("id", "instantrace/" + std::string(Analysis) + "/");
      Writer.roots(Run);
      Run.objects("results", Results,
                  [&](JsonObject &Result, const SarifResult &R) {
                    Writer.result(Result, R);
                  });
    });
  }
  Out.append(Text + "\n");
}

void instantrace::setSarifPlace(SarifResult &Result, const std::string &Place) {
  const size_t Colon = Place.rfind(':');
  const char *End = Place.data() + Place.size();
  uint32_t LineNo = 0;
  const bool HasLine =
      Colon != Place.npos && Colon + 1 != Place.size() &&
      std::from_chars(Place.data() + Colon + 1, End, LineNo).ptr == End;
  Result.Path = HasLine ? Place.substr(0, Colon) : Place;
  Result.LineNo = HasLine ? LineNo : 0;
}
