// Objects are the same byte for byte: inline and unnamed namespaces, virtual
// classes, static data members, explicit instantiation.
// RUN: %same_without_plugin %clangxx -std=c++17 -O0 -c %s -o a.o
// RUN: %same_without_plugin %clangxx -std=c++17 -O2 -g -c %s -o a.o
// RUN: %same_without_plugin %clangxx -std=c++17 -O2 -g -gsplit-dwarf -c %s -o a.o
// RUN: %same_without_plugin %clangxx -std=c++17 -O1 -S -emit-llvm %s -o a.ll
// RUN: %same_without_plugin %clangxx -std=c++17 -O1 -S -g %s -o a.s
namespace library {
inline namespace v2 {
template <class T> class Base {
public:
  virtual ~Base() = default;
  virtual T value() const = 0;
  static int Live;
  static inline T Last{};
};
template <class T> int Base<T>::Live = 0;
namespace {
template <class T> class Derived final : public virtual Base<T> {
public:
  explicit Derived(T V) : Value(V) { ++Base<T>::Live; }
  T value() const override { return Base<T>::Last = Value; }

private:
  T Value;
};
} // namespace
} // namespace v2
template class v2::Base<short>;
extern template class v2::Base<long>;
} // namespace library
template <class T> T take(const library::Base<T> &B) noexcept(sizeof(T) > 2) {
  try {
    return B.value();
  } catch (int) {
    return T();
  }
}
int use() {
  library::Derived<int> A(3);
  library::Derived<char> B('c');
  thread_local library::Derived<long> C(take(A));
  return take(A) + take(B) + int(take(C)) + library::Base<int>::Live;
}
