// Classes in functions, with the function's parameters in their members' names.
// RUN: %python %S/Inputs/check-names.py %plugin %t %clangxx %s -std=c++17
// RUN: instantrace dump --no-phases %t.itrace | FileCheck %s
template <class T> int use(T X) { return sizeof(X); }
namespace ns {
template <class T> int function(T, const char *, ...) {
  struct Local {
    static int member(T) { return 1; }
  };
  return use(Local()) + Local::member(T());
}
} // namespace ns
int First = ns::function(1L, "");
// CHECK-DAG: begin TemplateInstantiation use<Local>
// CHECK-DAG: begin TemplateInstantiation ns::function(long, const char *, ...)::Local::member
