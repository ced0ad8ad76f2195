/* Swift's module of glibc leaves this header out. */
#ifdef __linux__
#include <sys/timerfd.h>
#endif
