#include <utility>

namespace ns {
template <class T> [[gnu::noinline]] T twice(T Value) { return Value + Value; }
} // namespace ns

template <int N> struct Chain : Chain<N - 1> {};
template <> struct Chain<0> {
  int Value = 1;
};

int main(int Count, char **) {
  std::pair<int, Chain<5>> Pair{ns::twice(Count), {}};
  return Pair.first + Pair.second.Value;
}
