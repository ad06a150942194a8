// Objects are the same byte for byte with the standard library's headers.
// RUN: %same_without_plugin %clangxx -std=c++17 -O0 -c %s -o a.o
// RUN: %same_without_plugin %clangxx -std=c++17 -O2 -g -c %s -o a.o
#include <functional>
#include <map>
#include <string>
std::map<std::string, std::function<int(int)>> Functions;
int call(const std::string &Name, int X) {
  Functions["twice"] = [](int Y) { return 2 * Y; };
  auto Found = Functions.find(Name);
  return Found == Functions.end() ? -1 : Found->second(X);
}
