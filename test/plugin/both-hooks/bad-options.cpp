// The module that runs both hooks ends the compile when it has no name for its
// traces, or probes that are no number.
// REQUIRES: callback
// RUN: not %both_hooks -fsyntax-only %s 2>&1 | FileCheck %s
// RUN: not %both_hooks -fplugin-arg-instantrace_hooks-output=%t -fplugin-arg-instantrace_hooks-probes=few -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=PROBES
// CHECK: error: instantrace_hooks: output=FILE is missing
// PROBES: error: instantrace_hooks: probes=MASK is no number
