/* Preloaded: a file system without flock(). */
#include <errno.h>

int flock(int File, int Operation) {
  (void)File;
  (void)Operation;
  errno = ENOLCK;
  return -1;
}
