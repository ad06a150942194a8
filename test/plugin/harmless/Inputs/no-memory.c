/* Preloaded into a compiler: nothing as large as the largest buffer is mapped. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>

void *mmap(void *Address, size_t Length, int Protection, int Flags, int File,
           off_t Offset) {
  static void *(*Real)(void *, size_t, int, int, int, off_t);
  if (!Real)
    Real = dlsym(RTLD_NEXT, "mmap");
  if (Length > (size_t)64 << 20 && Length < (size_t)66 << 20) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return Real(Address, Length, Protection, Flags, File, Offset);
}
