/* Preloaded into a compile whose instructions are counted: each time that is asked
   for is one step after the one before, however fast the machine is. A record's time
   is what passed since the record before it, in as many bytes as that needs, and each
   byte takes instructions. EVEN_CLOCK_NS is another step; ten microseconds are about
   what passes between two events under callgrind. With EVEN_CLOCK_PART all clocks
   are the process's time on a processor, so many times as slow: as if the compile were not
   slowed, and the machine idle. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uint64_t NowNs = UINT64_C(1000000000), StepNs = 10000, Part = 0;

__attribute__((constructor)) static void start(void) {
  const char *Step = getenv("EVEN_CLOCK_NS");
  if (Step)
    StepNs = strtoull(Step, NULL, 10);
  const char *Slower = getenv("EVEN_CLOCK_PART");
  if (Slower)
    Part = strtoull(Slower, NULL, 10);
}

int clock_gettime(clockid_t Clock, struct timespec *Now) {
  (void)Clock;
  if (Part != 0) {
    if (syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, Now) != 0)
      return -1;
    NowNs = ((uint64_t)Now->tv_sec * 1000000000 + (uint64_t)Now->tv_nsec) / Part;
  } else {
    NowNs += StepNs;
  }
  Now->tv_sec = (time_t)(NowNs / 1000000000);
  Now->tv_nsec = (long)(NowNs % 1000000000);
  return 0;
}
