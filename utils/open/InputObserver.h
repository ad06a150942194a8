/// \file
/// What whoever waits for a read is told.
///
/// Flow: TraceInputs -> [InputObserver] -> warnings and progress, elsewhere
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace instantrace {

class InputObserver {
public:
  virtual ~InputObserver() = default;
  /// Something is missing from what is read. With the name of its file.
  virtual void warn(const std::string &Message) = 0;
  /// A file is damaged, and what is before the damage is used. Likewise.
  virtual void damaged(const std::string &Message) { warn(Message); }
  /// A file cannot be read, and others are used. Likewise.
  virtual void unreadable(const std::string &Message) { damaged(Message); }
  /// Traces of the session \p Folder, which has a session.json, are read.
  virtual void session(const std::string &Folder) { (void)Folder; }
  /// Where the build ran that the trace is of; empty: not known. On any thread.
  virtual std::string buildFolder(const std::string &Trace) const {
    (void)Trace;
    return {};
  }
  /// Of all files together; 0 when that is not known before they are read.
  virtual void begin(uint64_t TotalBytes) = 0;
  /// The file that is next.
  virtual void enter(const std::string &Name) = 0;
  /// Of all files together. Often, but not with every event.
  virtual void at(uint64_t DoneBytes) = 0;
};

/// Keeps what it is told, and shows nobody how far a read is.
class MessageList final : public InputObserver {
public:
  explicit MessageList(std::vector<std::string> &Into) : Into(Into) {}
  void warn(const std::string &Message) override { Into.push_back(Message); }
  void begin(uint64_t) override {}
  void enter(const std::string &) override {}
  void at(uint64_t) override {}

private:
  std::vector<std::string> &Into;
};

/// Keeps what is told of an input until its turn has come.
class KeptMessages final : public InputObserver {
public:
  void warn(const std::string &Message) override {
    Kept.emplace_back(false, Message);
  }
  void damaged(const std::string &Message) override {
    Kept.emplace_back(true, Message);
  }
  void begin(uint64_t) override {}
  void enter(const std::string &) override {}
  void at(uint64_t) override {}

  void tell(InputObserver &Seen) const {
    for (const auto &[IsDamage, Message] : Kept)
      IsDamage ? Seen.damaged(Message) : Seen.warn(Message);
  }

private:
  std::vector<std::pair<bool, std::string>> Kept;
};

} // namespace instantrace
