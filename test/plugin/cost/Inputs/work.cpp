// What utils/bench/cost_gate.py counts instructions of: a little of everything
// that is recorded, and with -DMORE_... much more of one of them. Events fill less
// than 60 kB, also where they are slow and times are long: beyond that there is
// one more batch of memoized hits.
#define TIMES4(...) __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__
#define TIMES16(...) TIMES4(TIMES4(__VA_ARGS__))
#define TIMES64(...) TIMES16(TIMES4(__VA_ARGS__))
#define TIMES256(...) TIMES64(TIMES4(__VA_ARGS__))
// USE(N), USE(N + 1), ...
#define EACH4(USE, N) USE(N) USE(N + 1) USE(N + 2) USE(N + 3)
#define EACH16(USE, N)                                                         \
  EACH4(USE, N) EACH4(USE, N + 4) EACH4(USE, N + 8) EACH4(USE, N + 12)
#define EACH64(USE, N)                                                         \
  EACH16(USE, N) EACH16(USE, N + 16) EACH16(USE, N + 32) EACH16(USE, N + 48)

template <int N> struct Number {
  using Type = int;
};
template <class T> int sizeInBytes(T) { return sizeof(T); }

// Memoized hits: the same specialization is asked for again and again.
int hits() {
  TIMES16(sizeof(Number<1>);)
#ifdef MORE_HITS
  // Many in a statement, which costs something, too; as does each of the 8 tokens of one.
  TIMES16(TIMES256(sizeof(Number<1>) + sizeof(Number<1>) +) 0;)
#endif
  return 0;
}

// Events: few entities and few places, many intervals one in another.
template <int N> struct Caller {
  static int call() {
    typename Number<N>::Type Value = N;
    return TIMES256(sizeInBytes(Value) +) 0;
  }
};
int events() {
  int Sum = 0;
#define CALL(N) Sum += Caller<N>::call();
  CALL(0)
#ifdef MORE_EVENTS
  EACH16(CALL, 1)
#endif
  return Sum;
}

// Entities: classes, functions, variables and aliases, with arguments of their
// own and shared ones, each asked for at a place of its own.
namespace library {
template <class... T> struct List {
  template <class U> struct With {
    U First;
    int size() const { return sizeof...(T); }
  };
};
template <class T, class U = List<T, int>> struct Pair {
  T First;
  U Second;
};
template <class T> int Size = sizeof(T);
template <class T> using Next = typename List<T, char>::template With<T>;
template <class T, class U> int add(const T &, U Value) { return sizeof(U); }
} // namespace library
template <int N> int meet() {
  using library::List;
  library::Pair<Number<N>> P;
  library::Next<Number<N>> Q;
  return library::add(P, &Q) + Q.size() + library::Size<List<Number<N>>>;
}
int entities() {
  int Sum = 0;
#define MEET(N) Sum += meet<N>();
  EACH4(MEET, 2)
#ifdef MORE_ENTITIES
  EACH64(MEET, 6)
  EACH64(MEET, 70)
#endif
  return Sum;
}

// Files: what they include and instantiate is written by cost_gate.py.
#include "few-files.h"
#ifdef MORE_FILES
#include "more-files.h"
#endif
