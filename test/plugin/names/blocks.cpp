// Entities in a block are in the function around it.
// RUN: %python %S/Inputs/check-names.py %plugin %t %clangxx %s -fblocks -std=c++17 -w
// RUN: instantrace dump --no-phases %t.itrace | FileCheck %s
template <class T> int use(T) { return sizeof(T); }
int outer(long) {
  auto Block = ^int(char C) {
    struct Local {
      int Value;
    };
    return use(Local()) + use([](auto X) { return X; });
  };
  return use(Block);
}
// CHECK-DAG: begin TemplateInstantiation use<Local>
// CHECK-DAG: begin TemplateInstantiation use<int (^)(char)>
