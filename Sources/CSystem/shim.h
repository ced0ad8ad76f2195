/* Swift's modules of the C libraries leave these headers out. */
#ifdef __linux__
#include <sys/timerfd.h>
#endif
#include <iconv.h>
#include <netinet/in.h>
#include <resolv.h>
#include <stddef.h>

/* The C libraries of Linux declare it only for programs with _GNU_SOURCE. */
#ifdef __linux__
void *memmem(const void *bytes, size_t count, const void *part, size_t part_count);
#endif
