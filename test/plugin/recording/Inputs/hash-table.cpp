// A hash table of words that is made while compiling, with one bucket per word and probing.
struct Table { int Keys[512]{}; int Values[512]{}; int Probes = 0; };
constexpr unsigned hash(unsigned Key) { for (int I = 0; I < 16; ++I) Key = (Key ^ (Key >> 7)) * 16777619u; return Key; }
constexpr Table fill(int Count) { Table T; for (int I = 1; I <= Count; ++I) { unsigned At = hash(unsigned(I)) % 512; while (T.Keys[At] != 0) { At = (At + 1) % 512; ++T.Probes; } T.Keys[At] = I; T.Values[At] = I * I; } return T; }
constexpr int find(const Table &T, int Key) { unsigned At = hash(unsigned(Key)) % 512; while (T.Keys[At] != Key) At = (At + 1) % 512; return T.Values[At]; }
constexpr int sum(const Table &T, int Count) { int Sum = 0; for (int I = 1; I <= Count; ++I) Sum += find(T, I); return Sum; }

namespace words {
constexpr Table Full = fill(480);
static constexpr Table Half = fill(240);
struct Members {
  static constexpr int Sum = sum(Full, 450);
};
}
static_assert(sum(words::Half, 240) > 0, "all are found");
enum Found { Nothing, InHalf = sum(words::Half, 230) % 1000 + 1, InFull = sum(words::Full, 440) % 1000 + 2000 };
int use(int Index) {
  static constexpr Table Local = fill(300);
  return Local.Values[Index] + words::Members::Sum;
}
