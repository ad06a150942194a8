// The footer counts the events that are recorded and the memoized hits, and
// holds what the process has used.
// The observer hears of no hits.
// REQUIRES: callback
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --format=textproto %t | FileCheck %s
// RUN: instantrace dump --format=textproto %t > %t.txt
// RUN: instantrace dump --header %t > %t.events
// RUN: %python %S/Inputs/footer-events.py %t.txt %t.events
template <class T> struct Box {
  T Value;
};
int First = sizeof(Box<int>), Second = sizeof(Box<int>);
//      CHECK: footer {
// CHECK-NEXT: exit_state: EXIT_STATE_SUCCESS
// CHECK-NEXT: end_time_ns: {{[1-9]}}
// CHECK-NEXT: peak_rss_bytes: {{[1-9]}}
//      CHECK: events_recorded: {{[1-9]}}
//  CHECK-NOT: events_dropped
//  CHECK-NOT: events_elided
//      CHECK: memoized_hits: {{[1-9]}}
