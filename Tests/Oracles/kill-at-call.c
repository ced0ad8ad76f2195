/* Ends or hinders a program at the Nth call of some kind: for LD_PRELOAD.

   FAULT_AT     the number of the call, counted from 1; without it calls are only counted
   FAULT_COUNT  a file that gets the number of calls when the program ends
   FAULT_KIND   what happens, and which calls count; without it those that change a file:

     calls that change a file
       kill         SIGKILL before the call
       full         ENOSPC for this write and all later ones
       error        EIO for this call
     writes to files
       short        writes half of the bytes
       interrupted  EINTR for this call
     others
       sync         EIO for this fsync of a folder (only these count)
       descriptors  EMFILE for this opening of a file
       unreadable   EIO for this reading of a file
       pieces       this reading of a file gives half of the bytes */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static long calls;

static int is(const char *kind) {
  const char *wanted = getenv("FAULT_KIND");
  return wanted && strcmp(wanted, kind) == 0;
}

/* Whether the call that is counted now is the one at which something happens. */
static int is_reached(void) {
  const char *at = getenv("FAULT_AT");
  return at && calls == atol(at);
}

static int is_file(int fd) {
  struct stat status;
  return fd > 2 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

/* A call that changes a file: whether it fails. */
static int fails(int writes) {
  const char *at = getenv("FAULT_AT");
  if (getenv("FAULT_KIND") && !is("kill") && !is("full") && !is("error")) return 0;
  calls += 1;
  if (is("kill") && is_reached()) kill(getpid(), SIGKILL);
  if (is("full") && at && calls >= atol(at) && writes) {
    errno = ENOSPC;
    return 1;
  }
  if (is("error") && is_reached()) {
    errno = EIO;
    return 1;
  }
  return 0;
}

/* A write to a file: how many of the bytes are written, or -1 for an error. */
static ssize_t written(int fd, size_t count) {
  if (fails(1)) return -1;
  if (!(is("short") || is("interrupted")) || !is_file(fd)) return count;
  calls += 1;
  if (!is_reached()) return count;
  if (is("short")) return count > 1 ? count / 2 : count;
  errno = EINTR;
  return -1;
}

/* The same for reading. */
static ssize_t read_count(int fd, size_t count) {
  if (!(is("unreadable") || is("pieces")) || !is_file(fd)) return count;
  calls += 1;
  if (!is_reached()) return count;
  if (is("pieces")) return count > 1 ? count / 2 : count;
  errno = EIO;
  return -1;
}

static int fails_to_sync(int fd) {
  struct stat status;
  if (!is("sync") || fstat(fd, &status) != 0 || !S_ISDIR(status.st_mode)) return 0;
  calls += 1;
  errno = EIO;
  return is_reached();
}

static int fails_to_open(void) {
  if (!is("descriptors")) return 0;
  calls += 1;
  errno = EMFILE;
  return is_reached();
}

__attribute__((destructor)) static void report(void) {
  const char *path = getenv("FAULT_COUNT");
  long counted = calls;
  unsetenv("FAULT_KIND");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%ld\n", counted);
  fclose(file);
}

ssize_t write(int fd, const void *bytes, size_t count) {
  ssize_t some = fd > 2 ? written(fd, count) : (ssize_t)count;
  return some < 0 ? -1 : NEXT(write)(fd, bytes, some);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
  ssize_t some = written(fd, count);
  return some < 0 ? -1 : NEXT(pwrite)(fd, bytes, some, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
  ssize_t some = written(fd, count);
  return some < 0 ? -1 : NEXT(pwrite64)(fd, bytes, some, at);
}

ssize_t read(int fd, void *bytes, size_t count) {
  ssize_t some = read_count(fd, count);
  return some < 0 ? -1 : NEXT(read)(fd, bytes, some);
}

ssize_t pread(int fd, void *bytes, size_t count, off_t at) {
  ssize_t some = read_count(fd, count);
  return some < 0 ? -1 : NEXT(pread)(fd, bytes, some, at);
}

ssize_t pread64(int fd, void *bytes, size_t count, off64_t at) {
  ssize_t some = read_count(fd, count);
  return some < 0 ? -1 : NEXT(pread64)(fd, bytes, some, at);
}

int fsync(int fd) {
  if (fails(0) || fails_to_sync(fd)) return -1;
  return NEXT(fsync)(fd);
}

int fdatasync(int fd) {
  if (fails(0)) return -1;
  return NEXT(fdatasync)(fd);
}

int ftruncate(int fd, off_t length) {
  if (fails(0)) return -1;
  return NEXT(ftruncate)(fd, length);
}

int ftruncate64(int fd, off64_t length) {
  if (fails(0)) return -1;
  return NEXT(ftruncate64)(fd, length);
}

int rename(const char *old, const char *new) {
  if (fails(0)) return -1;
  return NEXT(rename)(old, new);
}

int renameat(int from, const char *old, int to, const char *new) {
  if (fails(0)) return -1;
  return NEXT(renameat)(from, old, to, new);
}

int unlink(const char *name) {
  if (fails(0)) return -1;
  return NEXT(unlink)(name);
}

int unlinkat(int folder, const char *name, int flags) {
  if (fails(0)) return -1;
  return NEXT(unlinkat)(folder, name, flags);
}

/* The mode is read although it may be missing: then nobody looks at it. */
#define MODE(flags)                                    \
  va_list more;                                        \
  va_start(more, flags);                               \
  mode_t mode = va_arg(more, mode_t);                  \
  va_end(more)

int open(const char *path, int flags, ...) {
  MODE(flags);
  if (fails_to_open()) return -1;
  return NEXT(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE(flags);
  if (fails_to_open()) return -1;
  return NEXT(open64)(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  MODE(flags);
  if (fails_to_open()) return -1;
  return NEXT(openat)(folder, path, flags, mode);
}
