// The module that runs both hooks ends the compile when it has no name for its
// traces, or notices that are no number.
// REQUIRES: callback
// RUN: not %both_hooks -fsyntax-only %s 2>&1 | FileCheck %s
// RUN: not %both_hooks -fplugin-arg-instantrace_hooks-output=%t -fplugin-arg-instantrace_hooks-notices=few -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=NOTICES
// CHECK: error: instantrace_hooks: output=FILE is missing
// NOTICES: error: instantrace_hooks: notices=MASK is no number
