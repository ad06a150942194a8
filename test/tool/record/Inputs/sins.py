"""A project of six units, or fewer, with one sin of each kind: a header that brings what nobody uses,
a map of variants that every unit makes, a recursion of 800, and a slow constant."""

import os

FILES = {
    "sys/heavy.h": "".join("struct Heavy%d { int add(int I) { return I + %d; } };\n" % (I, I) for I in range(5000)),
    "all.h": "#pragma once\n#include <heavy.h>\n#include <string>\n",
    "table.h": '#pragma once\n#include "all.h"\n#include <map>\n#include <variant>\n'
    "using Value = std::variant<bool, long, double, std::string>;\n"
    "template <class V> struct Table { std::map<std::string, V> All; void put(std::string Key, V Value); };\n"
    "template <class V> void Table<V>::put(std::string Key, V Value) {\n"
    "  All.insert_or_assign(std::move(Key), std::move(Value));\n}\n",
    "steps.h": "#pragma once\ntemplate <int N> struct Steps {\n  static constexpr int Sum = N + Steps<N - 1>::Sum;\n};\n"
    "template <> struct Steps<0> { static constexpr int Sum = 0; };\n",
}
UNIT = ('#include "table.h"\n#include "steps.h"\nvoid fill%d(Table<Value> &Values) { Values.put("key", Value{%dL}); }\n'
        "int steps%d() { return Steps<800>::Sum; }\n")
SLOW = ("constexpr int primes(int Below) {\n  int Found = 0;\n  for (int I = 2; I < Below; ++I) {\n    bool Is = true;\n"
        "    for (int J = 2; J * J <= I; ++J) if (I % J == 0) { Is = false; break; }\n    Found += Is;\n  }\n  return Found;\n}\n"
        "constexpr int Count = primes(14000);\n")


def plant(Folder, Clang, Count=6):
    """Writes it with a build.sh, which has to run there. The last unit has the slow constant."""
    os.makedirs(os.path.join(Folder, "sys"), exist_ok=True)
    Files = dict(FILES)
    Units = ["unit%d.cpp" % I for I in range(Count)]
    for I, Unit in enumerate(Units):
        Files[Unit] = UNIT % (I, I, I) + (SLOW if I == Count - 1 else "")
    Files["build.sh"] = "".join("%s -std=c++17 -w -isystem sys -c %s -o %s.o || exit 1\n" % (Clang, U, U) for U in Units)
    for Name, Text in Files.items():
        with open(os.path.join(Folder, Name), "w") as File:
            File.write(Text)
