/* The header declares the session extension, which records changes for `redo`, only to those who ask.
   Debian's library and macOS's have it. */
#define SQLITE_ENABLE_SESSION 1
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <sqlite3.h>

/* `SQLITE_TRANSIENT` and `SQLITE_STATIC` are casts of integers, and `sqlite3_db_config` and
   `sqlite3_config` are variadic. Swift can use neither. */

static inline int agenda_sqlite3_bind_text(sqlite3_stmt *statement, int index, const void *text,
                                           int length, int is_static) {
  return sqlite3_bind_text(statement, index, (const char *)text, length,
                           is_static ? SQLITE_STATIC : SQLITE_TRANSIENT);
}

static inline int agenda_sqlite3_bind_blob(sqlite3_stmt *statement, int index, const void *bytes,
                                           int length, int is_static) {
  return sqlite3_bind_blob(statement, index, bytes, length,
                           is_static ? SQLITE_STATIC : SQLITE_TRANSIENT);
}

static inline int agenda_sqlite3_config_switch(sqlite3 *handle, int option, int is_on) {
  return sqlite3_db_config(handle, option, is_on, (int *)0);
}

/* Each allocation would take a lock to count its bytes, and agenda never asks for the count. */
static inline int agenda_sqlite3_without_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/* Macros with a computed value do not reach Swift. */
enum {
  agenda_sqlite3_readonly_rollback = SQLITE_READONLY_ROLLBACK,
  agenda_sqlite3_readonly_recovery = SQLITE_READONLY_RECOVERY,
  agenda_sqlite3_readonly_cantinit = SQLITE_READONLY_CANTINIT,
  agenda_sqlite3_ioerr_short_read = SQLITE_IOERR_SHORT_READ,
};
