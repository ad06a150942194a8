// An anonymous namespace is spelled out, in the name and in arguments.
// RUN: %clang_instantrace -fplugin-arg-instantrace-output=%t -fsyntax-only %s
// RUN: instantrace dump --no-phases %t | FileCheck %s
namespace {
struct Tag {};
template <class T> struct Hidden {
  T Value;
};
} // namespace
Hidden<Tag> Use;
// CHECK: begin TemplateInstantiation (anonymous namespace)::Hidden<(anonymous namespace)::Tag> {{.*}}.cpp:[[#@LINE-1]]
