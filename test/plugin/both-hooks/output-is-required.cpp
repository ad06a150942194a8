// Without a name for its traces, the module that runs both hooks ends the
// compile.
// RUN: not %both_hooks -fsyntax-only %s 2>&1 | FileCheck %s
// CHECK: error: instantrace_hooks: output=FILE is missing
