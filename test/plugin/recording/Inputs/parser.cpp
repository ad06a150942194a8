// Arithmetic that is parsed and computed while compiling, by recursive descent.
struct Parser { const char *At; int Steps; };
constexpr int expression(Parser &P);
constexpr int atom(Parser &P) { ++P.Steps; int Value = 0; if (*P.At == '(') { ++P.At; Value = expression(P); ++P.At; return Value; } while (*P.At >= '0' && *P.At <= '9') Value = Value * 10 + (*P.At++ - '0'); return Value; }
constexpr int term(Parser &P) { int Value = atom(P); while (*P.At == '*') { ++P.At; Value = Value * atom(P) % 1000; } return Value; }
constexpr int expression(Parser &P) { int Value = term(P); while (*P.At == '+') { ++P.At; Value += term(P); } return Value; }
constexpr int parse(const char *Text, int Times) { int Sum = 0; for (int I = 0; I < Times; ++I) { Parser P{Text, 0}; Sum += expression(P); } return Sum; }

constexpr int Once = parse("(1+2)*3+(4*(5+6))+7*8*9+(10+11*(12+13))", 200);
constexpr int Twice = parse("((1+2)*(3+4)+(5+6)*(7+8))*((9+10)+(11*12))", 300), Thrice = parse("1+2+3+4+5+6+7+8+9+10+11+12+13+14+15", 250);
template <int Value> struct Number { static int value() { return Value; } };
int use() { return Number<parse("(1+2)*(3+(4*5+6*(7+8)))", 400)>::value(); }
int choose(int Input) {
  if constexpr (parse("2*(3+4)*5+6", 500) > 0)
    return Input;
  switch (Input) {
  case parse("(8*9)+10", 600): return 1;
  }
  int Computed = parse("11+12*(13+14)", 350);
  return Computed;
}
