// The space between two closing brackets stays when default arguments go.
// RUN: %python %S/Inputs/check-names.py %plugin %t %clangxx %s -std=c++98
template <class T> struct Allocator {};
template <class T, class A = Allocator<T> > struct Vector {};
template <class T> int use(T) { return 1; }
int A = use(Vector<Vector<int> >()) + use(Vector<int>());
