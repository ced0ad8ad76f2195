#include <libical/ical.h>

#include <errno.h>

/* Whether the call that has just given nothing had too little memory. `icalerrno` is a macro, and
   not all functions set it. */
static inline int agenda_libical_lacks_memory(void) {
  return errno == ENOMEM || *icalerrno_return() == ICAL_NEWFAILED_ERROR;
}
