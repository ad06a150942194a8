// Types of every class: declarators around arrays, functions and members.
// RUN: %python %S/Inputs/check-names.py %plugin %t %clangxx %s -std=c++17 -w
// RUN: instantrace dump --no-phases %t.itrace | FileCheck %s
struct Class;
template <class... T> int use() { return 1; }
// CHECK-DAG: begin TemplateInstantiation use<int[2], int[], const int[3], int[2][3]>
int A = use<int[2], int[], const int[3], int[2][3]>();
// CHECK-DAG: begin TemplateInstantiation use<int (*)[2], int (&)[2], int (&&)[], const char (*const)[4]>
int B = use<int (*)[2], int (&)[2], int (&&)[], const char (*const)[4]>();
// CHECK-DAG: begin TemplateInstantiation use<void (), int (char, ...), void (*)(), void (**)(int)>
int C = use<void(), int(char, ...), void (*)(), void (**)(int)>();
// CHECK-DAG: begin TemplateInstantiation use<void () const, void () &&, void () const volatile &, void () noexcept>
int D = use<void() const, void() &&, void() const volatile &, void() noexcept>();
// CHECK-DAG: begin TemplateInstantiation use<int Class::*, void (Class::*)(int) const, int (Class::*)[3]>
int E = use<int Class::*, void (Class::*)(int) const, int (Class::*)[3]>();
// CHECK-DAG: begin TemplateInstantiation use<int *(int), int (*(int))[2], void (*(*)(char))(int)>
int F = use<int *(int), int (*(int))[2], void (*(*)(char))(int)>();
// CHECK-DAG: begin TemplateInstantiation use<int *const, int *__restrict, int *const volatile *, const volatile int &>
int G = use<int *const, int *__restrict, int *const volatile *, const volatile int &>();
// CHECK-DAG: begin TemplateInstantiation use<int *const[2], int *const (*)[2], void (*const[2])()>
int H = use<int *const[2], int *const (*)[2], void (*const[2])()>();
// CHECK-DAG: begin TemplateInstantiation use<_Complex float, _Atomic(Class *), __attribute__((__vector_size__(4 * sizeof(float)))) float *>
typedef float Vector __attribute__((vector_size(16)));
int I = use<_Complex float, _Atomic(Class *), Vector *>();
// CHECK-DAG: begin TemplateInstantiation use<int Class::*Class::*, int (*Class::*)(int), const Class *(&)[1]>
int J = use<int Class::*Class::*, int (*Class::*)(int), const Class *(&)[1]>();
typedef int Rare __attribute__((ext_vector_type(4)));
// CHECK-DAG: begin TemplateInstantiation use<int __attribute__((ext_vector_type(4))), void () __attribute__((noreturn))>
typedef void Never() __attribute__((noreturn));
int K = use<Rare, Never>();
