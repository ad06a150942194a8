// Preloaded: of the allocations that main() makes, of at least FAIL_BYTES, number FAIL_NUMBER (from 1) fails, once.
// With FAIL_LOG, their number is written there at the end. Who asked for the one that fails is said on stderr.
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

static size_t Least = (size_t)-1;
static int IsMain; // what libraries do before, nobody can answer for
static unsigned long Wanted;
static atomic_ulong Count;

static int fails(size_t Bytes) {
  if (!IsMain || Bytes < Least || atomic_fetch_add(&Count, 1) + 1 != Wanted)
    return 0;
  void *Callers[32];
  backtrace_symbols_fd(Callers, backtrace(Callers, 32), 2);
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t Bytes) { return fails(Bytes) ? 0 : __libc_malloc(Bytes); }
void *calloc(size_t N, size_t Bytes) { return fails(N * Bytes) ? 0 : __libc_calloc(N, Bytes); }
void *realloc(void *Old, size_t Bytes) { return fails(Bytes) ? 0 : __libc_realloc(Old, Bytes); }

// The first call of main(), which needs no effect here.
int mallopt(int Parameter, int Value) {
  (void)Parameter, (void)Value;
  IsMain = 1;
  return 1;
}

__attribute__((constructor)) static void begin(void) {
  Wanted = getenv("FAIL_NUMBER") ? strtoul(getenv("FAIL_NUMBER"), 0, 10) : 0;
  Least = getenv("FAIL_BYTES") ? strtoul(getenv("FAIL_BYTES"), 0, 10) : (size_t)-1;
}

__attribute__((destructor)) static void end(void) {
  unsigned long All = atomic_load(&Count);
  IsMain = 0;
  FILE *Log = getenv("FAIL_LOG") ? fopen(getenv("FAIL_LOG"), "w") : 0;
  if (!Log)
    return;
  fprintf(Log, "%lu\n", All);
  fclose(Log);
}
