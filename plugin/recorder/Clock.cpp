#include "plugin/recorder/Clock.h"

#include <fcntl.h>
#include <string_view>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace instantrace {

namespace {

/// What the kernel calls the counter that MachineTime reads.
#if defined(__aarch64__)
constexpr const char *Counter = "cntvct", *KernelSource = "arch_sys_counter";
#else
constexpr const char *Counter = "tsc", *KernelSource = "tsc";
#endif

/// Runs at one rate in all states of the processor.
bool hasInvariantCounter() {
#if defined(__aarch64__)
  return true; // the architecture has it so
#elif defined(__x86_64__)
  constexpr unsigned PowerManagement = 0x80000007, InvariantTsc = 1u << 8;
  unsigned A, B, C, D;
  return __get_cpuid(PowerManagement, &A, &B, &C, &D) && (D & InvariantTsc);
#else
  return false;
#endif
}

/// Empty: not known.
std::string kernelClockSource() {
  int File =
      ::open("/sys/devices/system/clocksource/clocksource0/current_clocksource",
             O_RDONLY | O_CLOEXEC);
  if (File < 0)
    return {};
  char Text[64];
  ssize_t Got = ::read(File, Text, sizeof(Text));
  ::close(File);
  std::string_view Line(Text, Got > 0 ? static_cast<size_t>(Got) : 0);
  return std::string(Line.substr(0, Line.find('\n')));
}

} // namespace

std::string describeClock(ClockChoice Choice) {
  if (Choice == ClockChoice::Monotonic)
    return "monotonic";
  if (!hasInvariantCounter())
    return "monotonic: this processor has no counter of constant rate";
  // The kernel watches the counter, and takes another source when it drifts or
  // differs between processors.
  std::string Source = kernelClockSource();
  if (Source.empty())
    return "monotonic: the kernel's clock source is not known";
  if (Source != KernelSource)
    return "monotonic: the kernel's clock source is " + Source;
  return Counter;
}

} // namespace instantrace
