"""Writes a source whose names and arguments have each length that a short name is cut at.

usage: lengths.py > SOURCE
"""
Lines = ["using Size = decltype(sizeof(0));"]
Uses = []
for Length in range(1, 48, 2):
    Class = ("C%d" % Length).ljust(max(Length, 3), "c")
    Lines.append("struct A%s { };" % Class)
    Lines.append("template <class... T> struct T%s {\n"
                 "  template <class U> static void *operator new[](Size, U) { return 0; } };" % Class)
    for Count in 1, 3, 9:
        Arguments = ", ".join(["int", "A" + Class, "const A%s &" % Class, "bool"][I % 4] for I in range(Count))
        Uses.append("T%s<%s>::operator new[](1, 2);" % (Class, Arguments))
print("\n".join(Lines))
print("void use() {\n%s\n}" % "\n".join(Uses))
