"""Prints a program whose names are deep or long, without deep instantiation.

usage: deep-source.py alias|pointer|function|leaf|namespace|local|lambda|pack N

alias, pointer and function nest N types by way of N type aliases; leaf nests N
pointers around a type that is not decomposed. local nests N classes in each
other's functions, lambda as many lambdas.
"""

import sys

STEPS = {"alias": "W<A%d>", "pointer": "A%d *", "leaf": "A%d *", "function": "A%d (*)(int)"}
USE = "template <class T> int use(T *) { return 1; }"


def main():
    Kind, Count = sys.argv[1], int(sys.argv[2])
    if Kind == "namespace":
        print("namespace %s {" % "::".join(["n"] * Count))
        print("template <class T> struct S {};\nS<int> X;\n}")
    elif Kind == "pack":
        print("template <class T, T... I> struct S {};")
        print(USE)
        print("int X = use((__make_integer_seq<S, int, %d> *)nullptr);" % Count)
    elif Kind == "local":
        print(USE)
        for Level in range(Count):
            print("struct L%d { static int member() {" % Level)
        print("return use((L%d *)nullptr);" % (Count - 1))
        print("} };" + "\nreturn L%d::member(); } };" * (Count - 1) % tuple(range(Count - 1, 0, -1)))
        print("int X = L0::member();")
    elif Kind == "lambda":
        print(USE)
        print("int X = " + "[] { return " * Count + "[] { auto L = [] {}; return use(&L); }()" + "; }()" * Count + ";")
    else:
        print("template <class T> struct W {\n  T *P;\n};")
        print("typedef %s;" % ("__attribute__((ms_abi)) void A0(int)" if Kind == "leaf" else "int A0"))
        for Level in range(Count):
            print("using A%d = %s;" % (Level + 1, STEPS[Kind] % Level))
        print("template <class T> int use() { return 1; }")
        print("int X = use<A%d>();" % Count)


main()
