template <int N> struct Step { typename Step<N - 1>::type M; using type = int; };
template <> struct Step<0> { using type = int; };
template <int N> struct Fill { Step<N> S; };
Fill<40> F;
#include "late.h"
