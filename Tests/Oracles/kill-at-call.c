/* Ends or hinders a program at the Nth call of some kind, or records what it does to files: for LD_PRELOAD.

   FAULT_AT       the number of the call, counted from 1; without it calls are only counted
   FAULT_COUNT    a file that gets the number of calls when the program ends
   FAULT_PROGRAM  the name of the only program that this is about; without it all are
   FAULT_KIND     what happens, and which calls count; without it those that change a file:

     calls that change a file
       kill         SIGKILL before the call
       full         ENOSPC for this write and all later ones
       error        EIO for this call
     writes to files
       short        writes half of the bytes
       interrupted  EINTR for this call
     calls that open a socket, connect it, write to it or read from it
       net-kill         SIGKILL before the call
       net-error        ECONNRESET or another error for this call
       net-short        half of the bytes are written or read
       net-interrupted  EINTR for this writing or reading
     allocations of the library whose file name begins with FAULT_LIBRARY
       memory       this allocation gives NULL
     others
       sync         EIO for this fsync of a folder (only these count)
       descriptors  EMFILE for this opening of a file
       unreadable   EIO for this reading of a file
       pieces       this reading of a file gives half of the bytes
       record       FAULT_LOG gets what happens to files below the folder FAULT_ROOT

   A record of the log is a line of fields between tabs, and the bytes whose number is its fourth field:

     W inode offset length           bytes are written
     T inode size 0                  a file gets another size
     S inode 0 0                     a file or folder is written to the disk
     C inode 0 0 path                a file is created
     D inode 0 0 path                a folder is created
     R inode 0 0 path new            a file is renamed
     U 0 0 0 path                    a file is removed
     N 0 0 length                    bytes are written to a socket */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static long calls;
/* Whether the environment was read, and something happens in this program. */
static int is_active;
static const char *kind;
static long at;
static const char *count_path;
static const char *root;
static int record_log = -1;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static int is(const char *name) { return kind && strcmp(kind, name) == 0; }

static int next_call(void) { return __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) == at; }

/* A file of this layer, without its own functions. */
static int open_own(const char *path, int flags) {
  return syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0600);
}

static void write_count(void) {
  char text[32];
  int length = snprintf(text, sizeof text, "%ld\n", calls);
  int file = count_path ? open_own(count_path, O_TRUNC) : -1;
  if (file < 0) return;
  syscall(SYS_write, file, text, length);
  syscall(SYS_close, file);
}

static int is_file(int fd) {
  struct stat status;
  return fd > 2 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

static int is_socket(int fd) {
  struct stat status;
  return fstat(fd, &status) == 0 && S_ISSOCK(status.st_mode);
}

/* Allocations */

static struct {
  uintptr_t start, end;
} library_code;
static int counts_memory;

static int find_library(struct dl_phdr_info *info, size_t size, void *name) {
  const char *slash = strrchr(info->dlpi_name, '/');
  if (!slash || strncmp(slash + 1, name, strlen(name)) != 0) return 0;
  for (int number = 0; number < info->dlpi_phnum; number++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[number];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    library_code.start = info->dlpi_addr + part->p_vaddr;
    library_code.end = library_code.start + part->p_memsz;
  }
  return 1;
}

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

/* Whether the allocation that returns to this address fails. */
static int lacks_memory(void *caller) {
  uintptr_t address = (uintptr_t)caller;
  return counts_memory && address >= library_code.start && address < library_code.end && next_call();
}

void *malloc(size_t size) {
  if (lacks_memory(__builtin_return_address(0))) {
    errno = ENOMEM;
    return NULL;
  }
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  if (lacks_memory(__builtin_return_address(0))) {
    errno = ENOMEM;
    return NULL;
  }
  return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  if (lacks_memory(__builtin_return_address(0))) {
    errno = ENOMEM;
    return NULL;
  }
  return __libc_realloc(old, size);
}

char *strdup(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = lacks_memory(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
  if (copy) memcpy(copy, text, size);
  else errno = ENOMEM;
  return copy;
}

/* The beginning and the end */

__attribute__((constructor)) static void begin(void) {
  const char *program = getenv("FAULT_PROGRAM");
  if (program && strcmp(program, program_invocation_short_name) != 0) return;
  kind = getenv("FAULT_KIND");
  count_path = getenv("FAULT_COUNT");
  const char *number = getenv("FAULT_AT");
  at = number ? atol(number) : 0;
  const char *library = getenv("FAULT_LIBRARY");
  if (is("memory") && library) {
    dl_iterate_phdr(find_library, (void *)library);
    counts_memory = 1;
  }
  const char *path = getenv("FAULT_LOG");
  root = getenv("FAULT_ROOT");
  if (is("record") && path && root) record_log = open_own(path, O_APPEND);
  is_active = 1;
}

__attribute__((destructor)) static void report(void) {
  write_count();
}

/* The log */

static int is_recording(void) { return is_active && record_log >= 0; }

static void lock(void) {
  if (is_recording()) pthread_mutex_lock(&guard);
}

static void unlock(void) {
  if (is_recording()) pthread_mutex_unlock(&guard);
}

/* The absolute path of a name in a folder. */
static void find_path(int folder, const char *name, char *path) {
  path[0] = 0;
  if (name[0] != '/') {
    char link[64];
    snprintf(link, sizeof link, folder == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", folder);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length < 0) length = 0;
    path[length++] = '/';
    path[length] = 0;
  }
  strncat(path, name, PATH_MAX - 1 - strlen(path));
}

static int is_below_root(const char *path) {
  size_t length = strlen(root);
  return strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static int is_open_below_root(int fd) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_below_root(path);
}

static void record(
  char what, unsigned long inode, long offset, const void *bytes, size_t count, const char *path, const char *new) {
  static char head[2 * PATH_MAX + 100];
  int length = snprintf(
    head, sizeof head, "%c\t%lu\t%ld\t%zu\t%s\t%s\n", what, inode, offset, bytes ? count : 0, path ? path : "",
    new ? new : "");
  struct iovec parts[] = {{head, length}, {(void *)bytes, bytes ? count : 0}};
  int saved = errno;
  syscall(SYS_writev, record_log, parts, 2);
  errno = saved;
}

static void record_fd(char what, int fd, long offset, const void *bytes, size_t count) {
  struct stat status;
  if (!is_recording() || fstat(fd, &status) != 0) return;
  if (S_ISSOCK(status.st_mode)) {
    if (what == 'W') record('N', 0, 0, bytes, count, NULL, NULL);
  } else if (is_open_below_root(fd)) {
    record(what, status.st_ino, offset, bytes, count, NULL, NULL);
  }
}

/* Calls that fail */

/* A call that changes a file: whether it fails. */
static int fails(int writes) {
  if (!is_active) return 0;
  if (kind && !is("kill") && !is("full") && !is("error")) return 0;
  int is_reached = next_call();
  if (is("kill") && is_reached) kill(getpid(), SIGKILL);
  if (is("full") && at && calls >= at && writes) {
    errno = ENOSPC;
    return 1;
  }
  if (is("error") && is_reached) {
    errno = EIO;
    return 1;
  }
  return 0;
}

/* A call on a socket: how many of the bytes are transferred, or -1 for an error. */
static ssize_t transferred(size_t count, int error) {
  int reads_or_writes = error == ECONNRESET;
  if (!reads_or_writes && (is("net-short") || is("net-interrupted"))) return count;
  int is_reached = next_call();
  /* A program that talks to another one can be ended by it. */
  write_count();
  if (!is_reached) return count;
  if (is("net-kill")) kill(getpid(), SIGKILL);
  if (is("net-short")) return count > 1 ? count / 2 : count;
  errno = is("net-interrupted") ? EINTR : error;
  return -1;
}

static int is_about_sockets(void) { return is_active && kind && strncmp(kind, "net-", 4) == 0; }

/* A write: how many of the bytes are written, or -1 for an error. */
static ssize_t written(int fd, size_t count) {
  if (is_about_sockets()) return is_socket(fd) ? transferred(count, ECONNRESET) : (ssize_t)count;
  if (fd <= 2 || is_active && is_socket(fd)) return count;
  if (fails(1)) return -1;
  if (!is_active || !(is("short") || is("interrupted")) || !is_file(fd)) return count;
  if (!next_call()) return count;
  if (is("short")) return count > 1 ? count / 2 : count;
  errno = EINTR;
  return -1;
}

/* The same for reading. */
static ssize_t read_count(int fd, size_t count) {
  if (is_about_sockets()) return is_socket(fd) ? transferred(count, ECONNRESET) : (ssize_t)count;
  if (!is_active || !(is("unreadable") || is("pieces")) || !is_file(fd)) return count;
  if (!next_call()) return count;
  if (is("pieces")) return count > 1 ? count / 2 : count;
  errno = EIO;
  return -1;
}

static int fails_to_sync(int fd) {
  struct stat status;
  if (!is_active || !is("sync") || fstat(fd, &status) != 0 || !S_ISDIR(status.st_mode)) return 0;
  int is_reached = next_call();
  errno = EIO;
  return is_reached;
}

static int fails_to_open(void) {
  if (!is_active || !is("descriptors")) return 0;
  int is_reached = next_call();
  errno = EMFILE;
  return is_reached;
}

/* Writing and reading */

ssize_t write(int fd, const void *bytes, size_t count) {
  ssize_t some = written(fd, count);
  if (some < 0) return -1;
  if (!is_recording()) return NEXT(write)(fd, bytes, some);
  lock();
  struct stat status;
  off_t offset = lseek(fd, 0, SEEK_CUR);
  if (fcntl(fd, F_GETFL) & O_APPEND && fstat(fd, &status) == 0) offset = status.st_size;
  ssize_t done = NEXT(write)(fd, bytes, some);
  if (done > 0) record_fd('W', fd, offset, bytes, done);
  unlock();
  return done;
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
  ssize_t some = written(fd, count);
  if (some < 0) return -1;
  lock();
  ssize_t done = NEXT(pwrite)(fd, bytes, some, offset);
  if (done > 0) record_fd('W', fd, offset, bytes, done);
  unlock();
  return done;
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
  ssize_t some = written(fd, count);
  if (some < 0) return -1;
  lock();
  ssize_t done = NEXT(pwrite64)(fd, bytes, some, offset);
  if (done > 0) record_fd('W', fd, offset, bytes, done);
  unlock();
  return done;
}

ssize_t read(int fd, void *bytes, size_t count) {
  ssize_t some = read_count(fd, count);
  return some < 0 ? -1 : NEXT(read)(fd, bytes, some);
}

ssize_t pread(int fd, void *bytes, size_t count, off_t offset) {
  ssize_t some = read_count(fd, count);
  return some < 0 ? -1 : NEXT(pread)(fd, bytes, some, offset);
}

ssize_t pread64(int fd, void *bytes, size_t count, off64_t offset) {
  ssize_t some = read_count(fd, count);
  return some < 0 ? -1 : NEXT(pread64)(fd, bytes, some, offset);
}

int fsync(int fd) {
  if (fails(0) || fails_to_sync(fd)) return -1;
  lock();
  int result = NEXT(fsync)(fd);
  if (result == 0) record_fd('S', fd, 0, NULL, 0);
  unlock();
  return result;
}

int fdatasync(int fd) {
  if (fails(0)) return -1;
  lock();
  int result = NEXT(fdatasync)(fd);
  if (result == 0) record_fd('S', fd, 0, NULL, 0);
  unlock();
  return result;
}

int ftruncate(int fd, off_t length) {
  if (fails(0)) return -1;
  lock();
  int result = NEXT(ftruncate)(fd, length);
  if (result == 0) record_fd('T', fd, length, NULL, 0);
  unlock();
  return result;
}

int ftruncate64(int fd, off64_t length) {
  if (fails(0)) return -1;
  lock();
  int result = NEXT(ftruncate64)(fd, length);
  if (result == 0) record_fd('T', fd, length, NULL, 0);
  unlock();
  return result;
}

/* Names */

static void record_name(char what, int folder, const char *name) {
  char path[PATH_MAX];
  struct stat status = {0};
  find_path(folder, name, path);
  if (!is_below_root(path)) return;
  if (what != 'U') fstatat(AT_FDCWD, path, &status, AT_SYMLINK_NOFOLLOW);
  record(what, status.st_ino, 0, NULL, 0, path, NULL);
}

static void record_rename(int from, const char *old, int to, const char *new) {
  char path[PATH_MAX], other[PATH_MAX];
  find_path(from, old, path);
  find_path(to, new, other);
  struct stat status = {0};
  fstatat(AT_FDCWD, other, &status, AT_SYMLINK_NOFOLLOW);
  if (is_below_root(path)) record('R', status.st_ino, 0, NULL, 0, path, other);
}

int rename(const char *old, const char *new) {
  if (fails(0)) return -1;
  lock();
  int result = NEXT(rename)(old, new);
  if (result == 0 && is_recording()) record_rename(AT_FDCWD, old, AT_FDCWD, new);
  unlock();
  return result;
}

int renameat(int from, const char *old, int to, const char *new) {
  if (fails(0)) return -1;
  lock();
  int result = NEXT(renameat)(from, old, to, new);
  if (result == 0 && is_recording()) record_rename(from, old, to, new);
  unlock();
  return result;
}

int unlink(const char *name) {
  if (fails(0)) return -1;
  lock();
  int result = NEXT(unlink)(name);
  if (result == 0 && is_recording()) record_name('U', AT_FDCWD, name);
  unlock();
  return result;
}

int unlinkat(int folder, const char *name, int flags) {
  if (fails(0)) return -1;
  lock();
  int result = NEXT(unlinkat)(folder, name, flags);
  if (result == 0 && is_recording()) record_name('U', folder, name);
  unlock();
  return result;
}

int mkdir(const char *name, mode_t mode) {
  lock();
  int result = NEXT(mkdir)(name, mode);
  if (result == 0 && is_recording()) record_name('D', AT_FDCWD, name);
  unlock();
  return result;
}

/* The mode is read although it may be missing: then nobody looks at it. */
#define MODE(flags)                                    \
  va_list more;                                        \
  va_start(more, flags);                               \
  mode_t mode = va_arg(more, mode_t);                  \
  va_end(more)

static int is_missing(int folder, const char *path, int flags) {
  struct stat status;
  return is_recording() && flags & O_CREAT && fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) != 0;
}

/* A file is opened: its creation or its new size is recorded. */
static void record_opening(int fd, int was_missing, int folder, const char *path, int flags) {
  if (fd < 0 || !is_recording()) return;
  if (was_missing) record_name('C', folder, path);
  else if (flags & O_TRUNC) record_fd('T', fd, 0, NULL, 0);
}

int open(const char *path, int flags, ...) {
  MODE(flags);
  if (fails_to_open()) return -1;
  lock();
  int was_missing = is_missing(AT_FDCWD, path, flags);
  int fd = NEXT(open)(path, flags, mode);
  record_opening(fd, was_missing, AT_FDCWD, path, flags);
  unlock();
  return fd;
}

int open64(const char *path, int flags, ...) {
  MODE(flags);
  if (fails_to_open()) return -1;
  lock();
  int was_missing = is_missing(AT_FDCWD, path, flags);
  int fd = NEXT(open64)(path, flags, mode);
  record_opening(fd, was_missing, AT_FDCWD, path, flags);
  unlock();
  return fd;
}

int openat(int folder, const char *path, int flags, ...) {
  MODE(flags);
  if (fails_to_open()) return -1;
  lock();
  int was_missing = is_missing(folder, path, flags);
  int fd = NEXT(openat)(folder, path, flags, mode);
  record_opening(fd, was_missing, folder, path, flags);
  unlock();
  return fd;
}

/* Sockets */

int socket(int domain, int type, int protocol) {
  if (is_about_sockets() && transferred(0, EMFILE) < 0) return -1;
  return NEXT(socket)(domain, type, protocol);
}

int connect(int fd, const struct sockaddr *address, socklen_t length) {
  if (is_about_sockets() && transferred(0, ECONNREFUSED) < 0) return -1;
  return NEXT(connect)(fd, address, length);
}

ssize_t send(int fd, const void *bytes, size_t count, int flags) {
  ssize_t some = is_about_sockets() ? transferred(count, ECONNRESET) : (ssize_t)count;
  if (some < 0) return -1;
  lock();
  ssize_t done = NEXT(send)(fd, bytes, some, flags);
  if (done > 0) record_fd('W', fd, 0, bytes, done);
  unlock();
  return done;
}

ssize_t recv(int fd, void *bytes, size_t count, int flags) {
  ssize_t some = is_about_sockets() ? transferred(count, ECONNRESET) : (ssize_t)count;
  return some < 0 ? -1 : NEXT(recv)(fd, bytes, some, flags);
}
