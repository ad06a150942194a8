// What LLVM is given, of each sort: ordinary functions, instantiations that are
// kept, inlined or dropped, closures with and without a number, constructors in
// two forms, thunks, an initializer.
struct Left {
  virtual ~Left() {}
  virtual int left() { return 1; }
};
struct Right {
  virtual ~Right() {}
  virtual int right() { return 2; }
};
template <class T> struct Both : Left, Right {
  T Value{};
  Both() { __asm__ volatile("" : : "r"(&Value)); }
  int left() override { return sizeof(T); }
  int right() override { return 3; }
};
template <class T> struct Member {
  Both<T> Inner; // the destructor is implicit
};
template <class T> __attribute__((noinline)) T kept(T A) {
  auto Add = [&](T B) __attribute__((noinline)) { return A + B; };
  return Add(A) * 2;
}
template <class T> T inlined(T A) { return A * 3; }
template <class F> __attribute__((noinline)) int call(F Function) {
  return Function(1);
}
static int ordinary(int A) {
  auto Twice = [](int B) __attribute__((noinline)) { return B * 2; };
  return Twice(A) + call([](int B) { return B + 1; }) +
         call([](int B) { return B + 2; });
}
int made();
int Initialized = made();

int user(int A) {
  Member<int> M;
  Left *L = &M.Inner;
  return kept(A) + kept<long>(A) + inlined(A) + ordinary(A) + L->left();
}
Left *make() { return new Both<char>; }
template class Both<double>;
