/* A disk that is full for traces alone: preloaded into a compile, write() and
   its relatives fail with ENOSPC on files whose path contains ".itrace", once
   FULL_DISK_AFTER bytes of them are written. Needs no privileges. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static size_t WrittenBytes;

ssize_t write(int Descriptor, const void *Data, size_t Size) {
  static ssize_t (*Next)(int, const void *, size_t);
  if (!Next)
    *(void **)&Next = dlsym(RTLD_NEXT, "write");
  char Link[64], Path[4096];
  snprintf(Link, sizeof(Link), "/proc/self/fd/%d", Descriptor);
  ssize_t Length = readlink(Link, Path, sizeof(Path) - 1);
  Path[Length < 0 ? 0 : Length] = '\0';
  if (strstr(Path, ".itrace")) {
    const char *After = getenv("FULL_DISK_AFTER");
    if (WrittenBytes + Size > strtoul(After ? After : "0", NULL, 10)) {
      errno = ENOSPC;
      return -1;
    }
    WrittenBytes += Size;
  }
  return Next(Descriptor, Data, Size);
}
