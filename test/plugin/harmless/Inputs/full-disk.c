/* A disk that is full for traces alone: preloaded into a compile, write() fails
   with ENOSPC on files whose path contains ".itrace" once FULL_DISK_AFTER bytes
   of them are written; with FULL_DISK_FIRST no space can be had for them
   either. Needs no privileges. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static size_t WrittenBytes;

static int isTrace(int Descriptor) {
  char Link[64], Path[4096];
  snprintf(Link, sizeof(Link), "/proc/self/fd/%d", Descriptor);
  ssize_t Length = readlink(Link, Path, sizeof(Path) - 1);
  Path[Length < 0 ? 0 : Length] = '\0';
  return strstr(Path, ".itrace") != NULL;
}

int posix_fallocate(int Descriptor, off_t Offset, off_t Size) {
  static int (*Next)(int, off_t, off_t);
  if (!Next)
    *(void **)&Next = dlsym(RTLD_NEXT, "posix_fallocate");
  if (getenv("FULL_DISK_FIRST") && isTrace(Descriptor))
    return ENOSPC;
  return Next(Descriptor, Offset, Size);
}

ssize_t pwritev(int Descriptor, const struct iovec *Parts, int Count,
                off_t At) {
  static ssize_t (*Next)(int, const struct iovec *, int, off_t);
  if (!Next)
    *(void **)&Next = dlsym(RTLD_NEXT, "pwritev");
  if (getenv("FULL_DISK_FIRST") && isTrace(Descriptor)) {
    errno = ENOSPC;
    return -1;
  }
  return Next(Descriptor, Parts, Count, At);
}

ssize_t write(int Descriptor, const void *Data, size_t Size) {
  static ssize_t (*Next)(int, const void *, size_t);
  if (!Next)
    *(void **)&Next = dlsym(RTLD_NEXT, "write");
  if (isTrace(Descriptor)) {
    const char *After = getenv("FULL_DISK_AFTER");
    if (WrittenBytes + Size > strtoul(After ? After : "0", NULL, 10)) {
      errno = ENOSPC;
      return -1;
    }
    WrittenBytes += Size;
  }
  return Next(Descriptor, Data, Size);
}
