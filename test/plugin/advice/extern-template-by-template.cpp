// Specializations of one template are one suggestion, of a class template as of a function
// template; another template is another one.
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t.1 -fsyntax-only %s
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t.2 -fsyntax-only %s
// RUN: instantrace advise -v --only=extern-template --min-share=0 -n 0 %t.1 %t.2 > %t.txt
// RUN: FileCheck %s < %t.txt && FileCheck %s --check-prefix=CLASS < %t.txt && FileCheck %s --check-prefix=FUNCTION < %t.txt
namespace lib {
template <class T> struct Box {
  template <class U> struct Lid { int outside() const; };
  int outside() const;
};
template <class T> int Box<T>::outside() const { return sizeof(Box<Box<T>>); }
template <class T> template <class U> int Box<T>::Lid<U>::outside() const { return sizeof(U); }
template <class T, int N> int twice(T Value);
template <class T, int N> int twice(T Value) { return N * sizeof(Value); }
} // namespace lib
int use(lib::Box<int> &A, lib::Box<char> &B, lib::Box<int>::Lid<char> &C, lib::Box<char>::Lid<int> &D) {
  return A.outside() + B.outside() + C.outside() + D.outside() + lib::twice<int, 1>(1) + lib::twice<char, 2>('a');
}
// CHECK: 3 suggestions for
// CLASS: Instantiate lib::Box<$> in one source file
// CLASS: 2 compiles with bodies of lib::Box<{{int|char}}>
// CLASS: 2 compiles with bodies of lib::Box<{{int|char}}>
// CLASS: 4 function bodies of all of them
// CLASS: extern template class lib::Box<{{int|char}}>;
// CLASS-NEXT: extern template class lib::Box<{{int|char}}>;
// FUNCTION: Instantiate lib::twice<$> in one source file
// FUNCTION: 2 compiles with bodies of lib::twice<
// FUNCTION: extern template decltype(lib::twice<[[ARGUMENTS:.*>]]) lib::twice<[[ARGUMENTS]];
