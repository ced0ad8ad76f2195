/* A layer between SQLite and the system's files that fails at one chosen write or sync, and at all
   that follow, of the calling thread alone. */

enum agenda_fault {
  agenda_fault_none,
  /* EIO at a write. */
  agenda_fault_write,
  /* Half of the bytes are written, then EIO. */
  agenda_fault_short_write,
  /* ENOSPC at a write. */
  agenda_fault_full_disk,
  /* EIO at a sync. */
  agenda_fault_sync,
};

/* Makes it the layer of every connection opened from now on. */
int agenda_faulty_install(void);

/* Fails at the write or sync of that number, counted from 0. */
void agenda_faulty_begin(int fault, int number);

/* Ends the faults; answers whether one happened. */
int agenda_faulty_end(void);
