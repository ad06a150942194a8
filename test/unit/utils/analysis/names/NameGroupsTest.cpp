/// \file
/// Scopes of names, and what is a class and what a namespace.
#include "utils/analysis/names/NameGroups.h"

#include "runtime/strings/NameTokens.h"
#include "test/unit/support/TraceBuilder.h"

#include <gtest/gtest.h>

using namespace instantrace;
using namespace instantrace::test;

namespace {

/// The text before each scope's `::`, outermost first, with `|` between them.
std::string scopesOf(const std::string &Name) {
  std::string Scopes;
  for (size_t End : scopeEnds(Name, [](size_t) { return false; }))
    Scopes += (Scopes.empty() ? "" : "|") + Name.substr(0, End - 2);
  return Scopes;
}

TEST(NameGroupsTest, ScopesAreOutsideBracketsAndLiterals) {
  EXPECT_EQ(scopesOf("f"), "");
  EXPECT_EQ(scopesOf("a::b::c"), "a|a::b");
  EXPECT_EQ(scopesOf("a<b::c>::d"), "a<b::c>");
  EXPECT_EQ(scopesOf("a::f(b::c)::d"), "a|a::f(b::c)");
  EXPECT_EQ(scopesOf("a<\"::>\", '<'>::b"), "a<\"::>\", '<'>");
  EXPECT_EQ(scopesOf("a<(1 > 2)>::b"), "a<(1 > 2)>");
  EXPECT_EQ(scopesOf("(lambda at b.cpp:3:4)::operator()"),
            "(lambda at b.cpp:3:4)");
}

TEST(NameGroupsTest, OperatorsAreNoBrackets) {
  EXPECT_EQ(scopesOf("a::operator<<b::c>"), "a");
  EXPECT_EQ(scopesOf("a::operator<<<b::c>"), "a");
  EXPECT_EQ(scopesOf("a::operator<<(b::c)::d"), "a|a::operator<<(b::c)");
  EXPECT_EQ(scopesOf("a::operator<=><b::c>"), "a");
  EXPECT_EQ(scopesOf("a<b>::operator>"), "a<b>");
  EXPECT_EQ(scopesOf("a<b>::operator->"), "a<b>");
  EXPECT_EQ(scopesOf("a::operator\"\"_b"), "a");
}

TEST(NameGroupsTest, AConversionsTypeIsItsName) {
  EXPECT_EQ(scopesOf("a::operator b::c"), "a");
  EXPECT_EQ(scopesOf("a::operator b::c()::d"), "a|a::operator b::c()");
  EXPECT_EQ(scopesOf("a::operator new"), "a");
  EXPECT_EQ(scopesOf("operator_::b"), "operator_");
}

TEST(NameGroupsTest, UnclosedBracketsAndQuotesEnd) {
  EXPECT_EQ(scopesOf("a::b<c::d"), "a");
  EXPECT_EQ(scopesOf("a::\"c::d"), "a|a::\"c");
  EXPECT_EQ(scopesOf(")>a::b"), ")>a");
  EXPECT_EQ(scopesOf("::a"), "");
  // Linear, however many quotes there are that close nothing.
  std::string Quotes = "\"";
  for (int I = 0; I != 1 << 20; ++I)
    Quotes += "\\\"";
  EXPECT_EQ(scopesOf(Quotes + "a::b"), Quotes + "a");
}

TEST(NameGroupsTest, MarkersThatOpenArgumentsHideScopes) {
  std::string Name("\0b::c>::d", 9);
  auto Ends = [&](bool IsHead) {
    return scopeEnds(Name, [IsHead](size_t) { return IsHead; });
  };
  EXPECT_EQ(Ends(true), std::vector<size_t>{8});
  EXPECT_EQ(Ends(false), (std::vector<size_t>{4, 8}));
}

/// Groups of the entities of a trace, as text.
class Groups {
public:
  Groups(const TraceBuilder &B) : T(test::read(B.bytes())) {}

  std::string group(NameGrouping Grouping, uint32_t Entity,
                    uint32_t Sequence = 0) {
    NameGroups Groups(T, Grouping);
    const Dictionary &Names = T.Sequences[Sequence].Names;
    NameGroup Group =
        Groups.groupOf(Sequence, T.Sequences[Sequence].Entities[Entity - 1]);
    std::string Text(Group.Fixed);
    Names.expandPrefix(Group.Name, NameStyle{true}, Text, 1 << 20);
    EXPECT_EQ(Group.Key, Dictionary::keyOf(Text));
    return Text;
  }
  std::string classOf(uint32_t Entity) {
    return group(NameGrouping::Class, Entity);
  }
  std::string namespaceOf(uint32_t Entity) {
    return group(NameGrouping::Namespace, Entity);
  }

private:
  Trace T;
};

TEST(NameGroupsTest, AScopeIsANamespaceUnlessTheTraceSaysOtherwise) {
  TraceBuilder B;
  B.names({"a::b::f", "a::C", "a::C::g", "a::D::D", "a::D::h", "a::E::~E",
           "a::E::i", "a::F::operator=", "a::F::j"});
  B.entities({{1, 1, proto::ENTITY_FUNCTION},
              {2, 2, proto::ENTITY_CLASS},
              {3, 3, proto::ENTITY_FUNCTION},
              {4, 4, proto::ENTITY_FUNCTION},
              {5, 5, proto::ENTITY_FUNCTION},
              {6, 6, proto::ENTITY_FUNCTION},
              {7, 7, proto::ENTITY_FUNCTION},
              {8, 8, proto::ENTITY_FUNCTION},
              {9, 9, proto::ENTITY_FUNCTION}});
  Groups G(B);
  EXPECT_EQ(G.classOf(1), "(no class)");
  EXPECT_EQ(G.namespaceOf(1), "a::b");
  EXPECT_EQ(G.classOf(2), "a::C");
  EXPECT_EQ(G.namespaceOf(2), "a");
  for (uint32_t Entity : {3, 5, 7, 9}) {
    EXPECT_EQ(G.namespaceOf(Entity), "a");
    EXPECT_EQ(G.classOf(Entity), std::string("a::") + "CDEF"[(Entity - 3) / 2]);
  }
}

TEST(NameGroupsTest, ATemplatesNameIsNoNamespace) {
  TraceBuilder B;
  B.names({"a::Box<int>", "a::Box::(anonymous)", "a::f::(anonymous)"});
  B.entities({{1, 1, proto::ENTITY_CLASS},
              {2, 2, proto::ENTITY_TEMPLATE_PARAMETER},
              {3, 3, proto::ENTITY_TEMPLATE_PARAMETER}});
  Groups G(B);
  EXPECT_EQ(G.namespaceOf(2), "a");
  EXPECT_EQ(G.classOf(2), "a::Box");
  EXPECT_EQ(G.namespaceOf(3), "a");
  EXPECT_EQ(G.classOf(3), "(no class)");
}

TEST(NameGroupsTest, WhatIsInAClassOrFunctionIsNoNamespace) {
  TraceBuilder B;
  B.names({"a::B<int>::Inner::f", "a::g(int)::Local::f", "a::B<int>::f()::g"});
  B.entities({{1, 1, proto::ENTITY_FUNCTION},
              {2, 2, proto::ENTITY_FUNCTION},
              {3, 3, proto::ENTITY_FUNCTION}});
  Groups G(B);
  EXPECT_EQ(G.classOf(1), "a::B<int>::Inner");
  EXPECT_EQ(G.classOf(2), "a::g(int)::Local");
  EXPECT_EQ(G.classOf(3), "a::B<int>");
  for (uint32_t Entity : {1, 2, 3})
    EXPECT_EQ(G.namespaceOf(Entity), "a");
}

TEST(NameGroupsTest, AnUnnamedParameterIsWhereItsOwnerIs) {
  TraceBuilder B;
  B.names({"unnamed template type parameter 0 of ", "a::Box<int>"});
  auto *Entry = B.Trace.mutable_packet(2)->mutable_dictionary()->add_entry();
  Entry->set_marked_name(std::string(2, '\0'));
  Entry->add_marker_ids(1);
  Entry->add_marker_ids(2);
  B.entities({{3, 3, proto::ENTITY_TEMPLATE_PARAMETER}});
  EXPECT_EQ(Groups(B).namespaceOf(1), "a");
}

TEST(NameGroupsTest, AnUnnamedParametersTextIsNoScope) {
  TraceBuilder B;
  B.names({"unnamed template type parameter 0 of a::Box<int>"});
  B.entities({{1, 1, proto::ENTITY_TEMPLATE_PARAMETER}});
  EXPECT_EQ(Groups(B).namespaceOf(1), "(global namespace)");
}

// Clang puts the parameters of aliases and of template template parameters
// there.
TEST(NameGroupsTest, ANamespaceMayHaveTemplateParameters) {
  TraceBuilder B;
  B.names({"a::T", "a::f"});
  B.entities({{1, 1, proto::ENTITY_TEMPLATE_PARAMETER},
              {2, 2, proto::ENTITY_FUNCTION}});
  Groups G(B);
  EXPECT_EQ(G.namespaceOf(1), "a");
  EXPECT_EQ(G.namespaceOf(2), "a");
}

/// a::a::a:: ... f, an entry for each.
TEST(NameGroupsTest, DeepScopesNeedNoStack) {
  constexpr uint32_t Depth = 100000;
  TraceBuilder B;
  B.names({"a::"});
  auto *Batch = B.Trace.mutable_packet(2)->mutable_dictionary();
  for (uint32_t I = 1; I != Depth; ++I) {
    auto *Entry = Batch->add_entry();
    Entry->set_marked_name(std::string("\0a::", 4));
    Entry->add_marker_ids(I);
  }
  auto *Entry = Batch->add_entry();
  Entry->set_marked_name(std::string("\0f", 2));
  Entry->add_marker_ids(Depth);
  B.entities({{Depth + 1, Depth + 1, proto::ENTITY_FUNCTION}});
  std::string Namespace = Groups(B).namespaceOf(1);
  EXPECT_EQ(Namespace.substr(0, 6), "a::a::");
}

} // namespace
