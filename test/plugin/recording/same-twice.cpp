// Batches go by counts and never by time: a compile has the same events, names and counts
// however busy the machine is, and wherever the buffer is.
// REQUIRES: callback
// RUN: rm -rf %t && %python %S/Inputs/same-twice.py %s %t %clang_instantrace -std=c++17 | FileCheck %s
// CHECK:      {{^[1-9][0-9][0-9][0-9]+}} events, {{[1-9][0-9][0-9]+}} counts
// CHECK-NEXT: {{^}}beside other work: events the same
// CHECK-NEXT: {{^}}beside other work: counts the same
// CHECK-NEXT: {{^}}private: events the same
// CHECK-NEXT: {{^}}private: counts the same
#include <functional>
#include <map>
#include <string>
#include <variant>
std::map<std::string, std::variant<int, std::string>> Values;
std::function<bool(const std::string &)> Has = [](const std::string &S) {
  return Values.count(S) != 0;
};
