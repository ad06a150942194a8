"""Prints a program whose names are deep or long, without deep instantiation.

usage: deep-source.py alias|pointer|function|namespace|pack N

alias, pointer and function nest N types by way of N type aliases.
"""

import sys

STEPS = {"alias": "W<A%d>", "pointer": "A%d *", "function": "A%d (*)(int)"}


def main():
    Kind, Count = sys.argv[1], int(sys.argv[2])
    if Kind == "namespace":
        print("namespace %s {" % "::".join(["n"] * Count))
        print("template <class T> struct S {};\nS<int> X;\n}")
    elif Kind == "pack":
        print("template <class T, T... I> struct S {};")
        print("template <class T> int use(T *) { return 1; }")
        print("int X = use((__make_integer_seq<S, int, %d> *)nullptr);" % Count)
    else:
        print("template <class T> struct W {\n  T *P;\n};\nusing A0 = int;")
        for Level in range(Count):
            print("using A%d = %s;" % (Level + 1, STEPS[Kind] % Level))
        print("template <class T> int use() { return 1; }")
        print("int X = use<A%d>();" % Count)


main()
