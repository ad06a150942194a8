// Work that the user asks of std::vector is charged to the user's lines, also
// that of function bodies at the end of the file, and none to <vector>'s.
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace summary --by=user-frame -n 0 %t | FileCheck %s --implicit-check-not="/vector:" --implicit-check-not="{{stl_vector|vector.tcc}}"
#include <vector>
struct OfUser {};
void use() {
  std::vector<OfUser> Users;
  Users.push_back(OfUser());
}
// CHECK-DAG: {{.*}}user-frame.cpp:5{{$}}
// CHECK-DAG: {{.*}}user-frame.cpp:8{{$}}
// CHECK-DAG: {{.*}}user-frame.cpp:9{{$}}
