#include "faulty_files.h"

#include <sqlite3.h>
#include <string.h>

static _Thread_local int fault = agenda_fault_none;
static _Thread_local int remaining = 0;
static _Thread_local int was_reached = 0;

static sqlite3_vfs *real_vfs;

struct faulty_file {
  sqlite3_file base;
  sqlite3_file *real;
};

static sqlite3_file *real_file(sqlite3_file *file) { return ((struct faulty_file *)file)->real; }

static int fails_now(int is_sync) {
  if (fault == agenda_fault_none || (fault == agenda_fault_sync) != is_sync) return 0;
  if (remaining > 0) {
    remaining--;
    return 0;
  }
  was_reached = 1;
  return 1;
}

static int faulty_close(sqlite3_file *file) { return real_file(file)->pMethods->xClose(real_file(file)); }
static int faulty_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  return real_file(file)->pMethods->xRead(real_file(file), bytes, count, offset);
}
static int faulty_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  if (!fails_now(0)) return real_file(file)->pMethods->xWrite(real_file(file), bytes, count, offset);
  if (fault == agenda_fault_full_disk) return SQLITE_FULL;
  if (fault == agenda_fault_short_write && count > 1) {
    real_file(file)->pMethods->xWrite(real_file(file), bytes, count / 2, offset);
  }
  return SQLITE_IOERR_WRITE;
}
static int faulty_truncate(sqlite3_file *file, sqlite3_int64 size) {
  return real_file(file)->pMethods->xTruncate(real_file(file), size);
}
static int faulty_sync(sqlite3_file *file, int flags) {
  if (fails_now(1)) return SQLITE_IOERR_FSYNC;
  return real_file(file)->pMethods->xSync(real_file(file), flags);
}
static int faulty_size(sqlite3_file *file, sqlite3_int64 *size) {
  return real_file(file)->pMethods->xFileSize(real_file(file), size);
}
static int faulty_lock(sqlite3_file *file, int level) {
  return real_file(file)->pMethods->xLock(real_file(file), level);
}
static int faulty_unlock(sqlite3_file *file, int level) {
  return real_file(file)->pMethods->xUnlock(real_file(file), level);
}
static int faulty_check(sqlite3_file *file, int *result) {
  return real_file(file)->pMethods->xCheckReservedLock(real_file(file), result);
}
static int faulty_control(sqlite3_file *file, int operation, void *argument) {
  return real_file(file)->pMethods->xFileControl(real_file(file), operation, argument);
}
static int faulty_sector(sqlite3_file *file) {
  return real_file(file)->pMethods->xSectorSize(real_file(file));
}
static int faulty_device(sqlite3_file *file) {
  return real_file(file)->pMethods->xDeviceCharacteristics(real_file(file));
}
static int faulty_map(sqlite3_file *file, int page, int size, int extend, void volatile **memory) {
  return real_file(file)->pMethods->xShmMap(real_file(file), page, size, extend, memory);
}
static int faulty_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  return real_file(file)->pMethods->xShmLock(real_file(file), offset, count, flags);
}
static void faulty_barrier(sqlite3_file *file) {
  real_file(file)->pMethods->xShmBarrier(real_file(file));
}
static int faulty_unmap(sqlite3_file *file, int is_deleted) {
  return real_file(file)->pMethods->xShmUnmap(real_file(file), is_deleted);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = faulty_close,
    .xRead = faulty_read,
    .xWrite = faulty_write,
    .xTruncate = faulty_truncate,
    .xSync = faulty_sync,
    .xFileSize = faulty_size,
    .xLock = faulty_lock,
    .xUnlock = faulty_unlock,
    .xCheckReservedLock = faulty_check,
    .xFileControl = faulty_control,
    .xSectorSize = faulty_sector,
    .xDeviceCharacteristics = faulty_device,
    .xShmMap = faulty_map,
    .xShmLock = faulty_shm_lock,
    .xShmBarrier = faulty_barrier,
    .xShmUnmap = faulty_unmap,
};

static int faulty_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file, int flags,
                       int *out_flags) {
  (void)vfs;
  struct faulty_file *faulty = (struct faulty_file *)file;
  faulty->real = (sqlite3_file *)(faulty + 1);
  memset(faulty->real, 0, (size_t)real_vfs->szOsFile);
  int code = real_vfs->xOpen(real_vfs, name, faulty->real, flags, out_flags);
  faulty->base.pMethods = faulty->real->pMethods == NULL ? NULL : &methods;
  return code;
}

int agenda_faulty_install(void) {
  static sqlite3_vfs vfs;
  if (real_vfs != NULL) return SQLITE_OK;
  sqlite3_initialize();
  real_vfs = sqlite3_vfs_find(NULL);
  vfs = *real_vfs;
  vfs.zName = "faulty";
  vfs.szOsFile = (int)sizeof(struct faulty_file) + real_vfs->szOsFile;
  vfs.xOpen = faulty_open;
  return sqlite3_vfs_register(&vfs, 1);
}

void agenda_faulty_begin(int wanted, int number) {
  fault = wanted;
  remaining = number;
  was_reached = 0;
}

int agenda_faulty_end(void) {
  int reached = was_reached;
  fault = agenda_fault_none;
  was_reached = 0;
  return reached;
}
