// Bodies defined outside their class in two compiles are advised to be
// instantiated once; with the declaration that is advised, there are none left.
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t.1 -fsyntax-only %s
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t.2 -fsyntax-only %s
// RUN: instantrace advise -v --only=extern-template --min-share=0 %t.1 %t.2 | FileCheck %s
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t.1 -fsyntax-only -DADVISED %s
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t.2 -fsyntax-only -DADVISED %s
// RUN: instantrace advise -v --only=extern-template --min-share=0 %t.1 %t.2 | FileCheck %s --check-prefix=DONE
template <class T> struct Box {
  T Value;
  int inside() const { return sizeof(T); }
  int outside() const;
};
template <class T> int Box<T>::outside() const {
  return sizeof(Box<Box<T>>);
}
#ifdef ADVISED
extern template struct Box<int>;
#endif
int use(Box<int> &B) { return B.inside() + B.outside(); }
// CHECK: 1 suggestion for
// CHECK: Instantiate Box<int> in one source file
// CHECK: 1 function body in the compile of {{.*}}extern-template.cpp
// CHECK: 2 further bodies that are inline
// CHECK: extern template class Box<int>;
// DONE: No suggestion above 0 %
