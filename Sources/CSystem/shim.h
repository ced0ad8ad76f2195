/* Swift's modules of the C libraries leave these headers out. */
#ifdef __linux__
#include <sys/timerfd.h>
#endif
#include <iconv.h>
