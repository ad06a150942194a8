/* Preloaded into a compiler: the call number FAIL_AT, from 1, that Instantrace
   makes or has made of what can fail for want of memory, of disk or of rights
   fails, once. All calls are written to FAIL_LOG, a line each: the function and
   a hash of who called whom, up to the fourth function of Instantrace's, and
   the symbol of who called the innermost of these.
   With FAIL_FROM=1 there is no memory any more after it, either. With FAIL_SIGNAL
   it does not fail but crashes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>
#include <unwind.h>

#define REAL(Name)                                                             \
  static __typeof__(&Name) Real;                                               \
  if (!Real)                                                                   \
    *(void **)&Real = dlsym(RTLD_NEXT, #Name)

static int IsArmed; /* the loader has been asked for */
static long Number, FailAt;
static int FailsFrom, Signal, Log = -1;
static __thread int IsInside __attribute__((tls_model("initial-exec")));

struct walk {
  unsigned Frames, Ours;
  uint32_t Hash, HashOfOurs;
  uintptr_t Caller;
};

static _Unwind_Reason_Code visit(struct _Unwind_Context *Frame, void *Into) {
  struct walk *W = Into;
  uintptr_t At = _Unwind_GetIP(Frame);
  struct dl_find_object Found;
  if (++W->Frames > 64 || _dl_find_object((void *)At, &Found) != 0)
    return _URC_NORMAL_STOP;
  const char *Name = Found.dlfo_link_map->l_name;
  W->Hash = (W->Hash ^ (uint32_t)(At - (uintptr_t)Found.dlfo_map_start)) * 16777619u;
  if (!Name || (!strstr(Name, "/instantrace-clang-") &&
                !strstr(Name, "/instantrace-entry-clang-") &&
                !strstr(Name, "/libinstantrace.so"))) {
    if (W->Ours && !W->Caller)
      W->Caller = At;
    return _URC_NO_REASON;
  }
  W->HashOfOurs = W->Hash;
  return ++W->Ours == 4 ? _URC_NORMAL_STOP : _URC_NO_REASON;
}

static int shallFail(const char *Function, int Error) {
  if (!IsArmed || IsInside)
    return 0;
  IsInside = 1;
  struct walk W = {0, 0, 2166136261u, 0, 0};
  _Unwind_Backtrace(visit, &W);
  int Fails = 0;
  if (W.HashOfOurs != 0) {
    ++Number;
    Fails = Number == FailAt ||
            (FailsFrom && FailAt && Number > FailAt && Error == ENOMEM);
    Dl_info Caller = {0};
    if (Log >= 0) {
      dladdr((void *)W.Caller, &Caller);
      dprintf(Log, "%s %08x %s\n", Function, W.HashOfOurs,
              Caller.dli_sname ? Caller.dli_sname : "-");
    }
  }
  IsInside = 0;
  if (Fails && Signal) {
    Fails = IsArmed = 0;
    raise(Signal);
  }
  return Fails;
}

static void arm(const char *Path) {
  if (IsArmed || !Path || !strstr(Path, "libinstantrace.so"))
    return;
  const char *At = getenv("FAIL_AT"), *File = getenv("FAIL_LOG");
  FailAt = At ? atol(At) : 0;
  FailsFrom = getenv("FAIL_FROM") != NULL;
  Signal = getenv("FAIL_SIGNAL") ? atoi(getenv("FAIL_SIGNAL")) : 0;
  if (File)
    Log = open(File, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  IsArmed = 1;
}

void *dlopen(const char *Path, int Flags) {
  REAL(dlopen);
  arm(Path);
  return Real(Path, Flags);
}

/* dlsym may allocate; these are there before it is needed. */
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

#define FAIL(Function, Error, Result)                                          \
  if (shallFail(Function, Error)) {                                                   \
    errno = Error;                                                             \
    return Result;                                                             \
  }

void *malloc(size_t Size) {
  FAIL("malloc", ENOMEM, NULL)
  return __libc_malloc(Size);
}
void *calloc(size_t Count, size_t Size) {
  FAIL("calloc", ENOMEM, NULL)
  return __libc_calloc(Count, Size);
}
void *realloc(void *Memory, size_t Size) {
  FAIL("realloc", ENOMEM, NULL)
  return __libc_realloc(Memory, Size);
}
void *aligned_alloc(size_t Alignment, size_t Size) {
  FAIL("aligned_alloc", ENOMEM, NULL)
  return __libc_memalign(Alignment, Size);
}
int posix_memalign(void **Memory, size_t Alignment, size_t Size) {
  if (shallFail("posix_memalign", ENOMEM))
    return ENOMEM;
  *Memory = __libc_memalign(Alignment, Size);
  return *Memory ? 0 : ENOMEM;
}
void *mmap(void *Address, size_t Size, int Protection, int Flags, int File,
           off_t Offset) {
  REAL(mmap);
  FAIL("mmap", ENOMEM, MAP_FAILED)
  return Real(Address, Size, Protection, Flags, File, Offset);
}
void *mmap64(void *, size_t, int, int, int, off_t)
    __attribute__((alias("mmap")));
int memfd_create(const char *Name, unsigned Flags) {
  REAL(memfd_create);
  FAIL("memfd_create", EMFILE, -1)
  return Real(Name, Flags);
}
int posix_fallocate(int File, off_t Offset, off_t Size) {
  REAL(posix_fallocate);
  if (shallFail("posix_fallocate", ENOSPC))
    return ENOSPC;
  return Real(File, Offset, Size);
}
int posix_fallocate64(int, off_t, off_t)
    __attribute__((alias("posix_fallocate")));
int ftruncate(int File, off_t Size) {
  REAL(ftruncate);
  FAIL("ftruncate", EIO, -1)
  return Real(File, Size);
}
int ftruncate64(int, off_t) __attribute__((alias("ftruncate")));

#define MODE_OF(Flags)                                                         \
  mode_t Mode = 0;                                                             \
  if (Flags & (O_CREAT | O_TMPFILE)) {                                         \
    va_list More;                                                              \
    va_start(More, Flags);                                                     \
    Mode = va_arg(More, mode_t);                                               \
    va_end(More);                                                              \
  }
int open(const char *Path, int Flags, ...) {
  REAL(open);
  MODE_OF(Flags)
  FAIL("open", EMFILE, -1)
  return Real(Path, Flags, Mode);
}
int open64(const char *, int, ...) __attribute__((alias("open")));
int openat(int Folder, const char *Path, int Flags, ...) {
  REAL(openat);
  MODE_OF(Flags)
  FAIL("openat", EMFILE, -1)
  return Real(Folder, Path, Flags, Mode);
}
int openat64(int, const char *, int, ...) __attribute__((alias("openat")));
FILE *fopen(const char *Path, const char *Mode) {
  REAL(fopen);
  FAIL("fopen", EMFILE, NULL)
  return Real(Path, Mode);
}
FILE *fopen64(const char *, const char *) __attribute__((alias("fopen")));
ssize_t write(int File, const void *Data, size_t Size) {
  REAL(write);
  FAIL("write", ENOSPC, -1)
  return Real(File, Data, Size);
}
ssize_t pwrite(int File, const void *Data, size_t Size, off_t Offset) {
  REAL(pwrite);
  FAIL("pwrite", ENOSPC, -1)
  return Real(File, Data, Size, Offset);
}
ssize_t pwrite64(int, const void *, size_t, off_t)
    __attribute__((alias("pwrite")));
ssize_t pwritev(int File, const struct iovec *Parts, int Count, off_t Offset) {
  REAL(pwritev);
  FAIL("pwritev", ENOSPC, -1)
  return Real(File, Parts, Count, Offset);
}
ssize_t pwritev64(int, const struct iovec *, int, off_t)
    __attribute__((alias("pwritev")));
ssize_t read(int File, void *Data, size_t Size) {
  REAL(read);
  FAIL("read", EIO, -1)
  return Real(File, Data, Size);
}
int rename(const char *From, const char *To) {
  REAL(rename);
  FAIL("rename", EACCES, -1)
  return Real(From, To);
}
int fstat(int File, struct stat *Status) {
  REAL(fstat);
  FAIL("fstat", EIO, -1)
  return Real(File, Status);
}
int flock(int File, int Operation) {
  REAL(flock);
  FAIL("flock", ENOLCK, -1)
  return Real(File, Operation);
}
char *getcwd(char *Into, size_t Size) {
  REAL(getcwd);
  FAIL("getcwd", ENOENT, NULL)
  return Real(Into, Size);
}
