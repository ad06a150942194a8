#include "utils/export/ExportText.h"

using namespace instantrace;

void instantrace::appendXml(std::string &Out, std::string_view Clean) {
  for (char C : Clean) {
    switch (C) {
    case '&':
      Out.append("&amp;");
      break;
    case '<':
      Out.append("&lt;");
      break;
    case '>':
      Out.append("&gt;");
      break;
    case '"':
      Out.append("&quot;");
      break;
    default:
      Out.push_back(C);
    }
  }
}

void instantrace::appendQuoted(std::string &Out, std::string_view Clean) {
  Out.push_back('"');
  for (char C : Clean) {
    if (C == '"' || C == '\\')
      Out.push_back('\\');
    Out.push_back(C);
  }
  Out.push_back('"');
}
