// Numbers, characters, truth values and null pointers as arguments.
// RUN: %python %S/Inputs/check-names.py %plugin %t %clangxx %s -std=c++17
// RUN: instantrace dump --no-phases %t.itrace | FileCheck %s
template <auto... V> struct Values {};
template <int N> struct Int {};
template <char C> struct Char {};
template <bool B> struct Bool {};
template <unsigned long long N> struct Wide {};
template <int *P> struct Pointer {};
template <class T> int use(T) { return 1; }
// CHECK-DAG: begin TemplateInstantiation use<Int<-7>>
int A = use(Int<-7>());
// CHECK-DAG: begin TemplateInstantiation use<Char<'\n'>>
int B = use(Char<'\n'>());
// CHECK-DAG: begin TemplateInstantiation use<Char<'\''>>
int B2 = use(Char<'\''>());
// CHECK-DAG: begin TemplateInstantiation use<Char<'>'>>
int B3 = use(Char<'>'>());
// CHECK-DAG: begin TemplateInstantiation use<Bool<true>>
int C = use(Bool<true>());
// CHECK-DAG: begin TemplateInstantiation use<Wide<18446744073709551615{{(ULL)?}}>>
int D = use(Wide<~0ULL>());
// CHECK-DAG: begin TemplateInstantiation use<Pointer<nullptr>>
int E = use(Pointer<nullptr>());
// CHECK-DAG: begin TemplateInstantiation use<Values<{{.*}}1, {{.*}}'a', {{.*}}nullptr>>
int F = use(Values<1, 'a', nullptr>());
