// A collector that lives and does nothing costs a bounded time. Should it be
// stopped while it drains, events are lost and counted, and it finishes the
// trace when it goes on.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clangxx -DN=400 -c %s -o plain.o
// RUN: %python %S/Inputs/with-collector.py --stop-collector=20000 --limit=60 s %clang_instantrace -fplugin-arg-instantrace-buffer-size=64 -DN=400 -c %s -o a.o
// RUN: cmp a.o plain.o
// RUN: instantrace verify a.itrace
#include "Inputs/work.h"
