// REQUIRES: templight-dump
// Constraints, without requires-expressions: on those -templight-dump crashes,
// because it names the entity of every event and theirs have none.
// RUN: %python %S/Inputs/compare-with-templight.py %clangxx %plugin %t %s -std=c++20
// RUN: %check_trace %t.itrace
template <class T> constexpr bool IsIntegral = false;
template <> constexpr bool IsIntegral<int> = true;
template <> constexpr bool IsIntegral<char> = true;
template <class T> concept Integral = IsIntegral<T>;
template <class T> concept Small = Integral<T> && sizeof(T) < 4;
template <class T, class U> concept SameSize = sizeof(T) == sizeof(U);
template <class T> int kind(T) { return 0; }
template <Integral T> int kind(T) { return 1; }
template <Small T> int kind(T) { return 2; }
template <class T> struct Box { int Value = 0; };
template <Integral T> struct Box<T> {
  int Value = 1;
  int half() const requires(sizeof(T) > 1) { return Value / 2; }
};
int either(Integral auto A, SameSize<int> auto B) { return A + int(B); }
template <class T> requires Small<T> || SameSize<T, double>
T chosen(T X) { return X; }
int use() {
  return kind(1.5) + kind(2) + kind('c') + Box<int>().half() +
         Box<float>().Value + either(3, 4.5f) + int(chosen(2.5));
}
