#include <libical/ical.h>

#include <errno.h>

/* Before a call, so that a lack of memory before it is not taken for its own. */
static inline void agenda_libical_forget_errors(void) { errno = 0; }

/* Whether the call that has just given nothing had too little memory. `icalerrno` does not say it:
   not all functions set it, and it needs memory itself. */
static inline int agenda_libical_lacks_memory(void) { return errno == ENOMEM; }
