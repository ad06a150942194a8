// Numbers that are sorted while compiling, in several ways.
template <int N> struct Numbers { int Of[N]{}; };
template <int N> constexpr Numbers<N> scattered() { Numbers<N> Made; unsigned Next = 12345; for (int I = 0; I < N; ++I) { Next = Next * 1103515245u + 12345u; Made.Of[I] = int(Next >> 16 & 1023); } return Made; }
template <int N> constexpr Numbers<N> inserted(Numbers<N> Given) { for (int I = 1; I < N; ++I) for (int J = I; J > 0 && Given.Of[J - 1] > Given.Of[J]; --J) { int Other = Given.Of[J]; Given.Of[J] = Given.Of[J - 1]; Given.Of[J - 1] = Other; } return Given; }
template <int N> constexpr Numbers<N> selected(Numbers<N> Given) { for (int I = 0; I < N; ++I) { int Least = I; for (int J = I + 1; J < N; ++J) if (Given.Of[J] < Given.Of[Least]) Least = J; int Other = Given.Of[I]; Given.Of[I] = Given.Of[Least]; Given.Of[Least] = Other; } return Given; }

constexpr auto Inserted = inserted(scattered<220>());
constexpr auto Selected = selected(scattered<260>());
extern const Numbers<240> Exported;
constexpr Numbers<240> Exported = inserted(scattered<240>());
int Dynamic = selected(scattered<200>()).Of[7];
static_assert(inserted(scattered<180>()).Of[0] <= selected(scattered<180>()).Of[179], "in order");
constexpr int Lambda = [] { int Sum = 0; for (int I = 0; I < 60000; ++I) Sum += Selected.Of[I % 260] & 1; return Sum; }();
int Bounded[selected(scattered<190>()).Of[189] + 1];
