// Killed after its collector, as all of a session are when a machine runs out of
// memory, a compile leaves what was drained: recover and clean find it in its
// folder, and leave it alone while the compile lives.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %python %S/Inputs/with-collector.py --kill-collector=20000 --kill-compile=20000 s %clang_instantrace -fplugin-arg-instantrace-buffer-size=64 -DN=400 -c %s -o a.o
// RUN: ls -A | FileCheck %s --check-prefix=LEFT
// RUN: instantrace clean --dry-run . | FileCheck %s --check-prefix=CLEAN
// RUN: %python -c "import fcntl, glob, subprocess; F = open(glob.glob('.a*')[0]); fcntl.flock(F, fcntl.LOCK_EX); subprocess.run(['instantrace', 'recover', '--remove', '.'])" | FileCheck %s --check-prefix=RUNNING
// RUN: instantrace recover --remove . | FileCheck %s --match-full-lines -DDIR=%t
// RUN: instantrace verify a.itrace | FileCheck %s --check-prefix=VERIFY
// RUN: ls -A | FileCheck %s --check-prefix=AFTER --implicit-check-not=.partial
#include "Inputs/work.h"
// LEFT:    .a.itrace.{{[0-9-]+}}.partial
// CLEAN:   .a.itrace.{{[0-9-]+}}.partial
// RUNNING: .a.itrace.{{[0-9-]+}}.partial: skipped: {{.*}}running
// CHECK:   [[DIR]]/a.itrace: recovered {{[0-9,]+}} events, {{.*}}; the compiler was killed
// VERIFY:  interrupted
// AFTER:   a.itrace
