/* Ends or hinders a program at the Nth call that changes a file: for LD_PRELOAD.

   FAULT_AT     the number of the call, counted from 1
   FAULT_KIND   kill: SIGKILL before the call; full: ENOSPC for this write and all later ones;
                sync: EIO for this fsync of a folder (only these calls count)
   FAULT_COUNT  a file that gets the number of calls when the program ends */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static long calls;

static int fails(int writes) {
  const char *at = getenv("FAULT_AT"), *kind = getenv("FAULT_KIND");
  if (kind && strcmp(kind, "sync") == 0) return 0;
  calls += 1;
  if (!at || !kind || calls < atol(at)) return 0;
  if (strcmp(kind, "kill") == 0) {
    if (calls == atol(at)) kill(getpid(), SIGKILL);
    return 0;
  }
  if (!writes) return 0;
  errno = ENOSPC;
  return 1;
}

static int fails_to_sync(int fd) {
  const char *at = getenv("FAULT_AT"), *kind = getenv("FAULT_KIND");
  struct stat status;
  if (!at || !kind || strcmp(kind, "sync") != 0) return 0;
  if (fstat(fd, &status) != 0 || !S_ISDIR(status.st_mode)) return 0;
  calls += 1;
  errno = EIO;
  return calls == atol(at);
}

__attribute__((destructor)) static void report(void) {
  const char *path = getenv("FAULT_COUNT");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%ld\n", calls);
  fclose(file);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *bytes, size_t count) {
  if (fd > 2 && fails(1)) return -1;
  return NEXT(write)(fd, bytes, count);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
  if (fails(1)) return -1;
  return NEXT(pwrite)(fd, bytes, count, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
  if (fails(1)) return -1;
  return NEXT(pwrite64)(fd, bytes, count, at);
}

int fsync(int fd) {
  fails(0);
  if (fails_to_sync(fd)) return -1;
  return NEXT(fsync)(fd);
}

int fdatasync(int fd) {
  fails(0);
  return NEXT(fdatasync)(fd);
}

int renameat(int from, const char *old, int to, const char *new) {
  fails(0);
  return NEXT(renameat)(from, old, to, new);
}

int unlinkat(int folder, const char *name, int flags) {
  fails(0);
  return NEXT(unlinkat)(folder, name, flags);
}
