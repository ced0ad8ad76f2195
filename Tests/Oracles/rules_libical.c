/* Expands rules by libical: lines "DTSTART<TAB>RRULE" in, the first occurrences after DTSTART out,
   or "error", or "hang" after a tenth of a second of processor time. */
#include <libical/ical.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

static sigjmp_buf hung;

static void limit(int microseconds) {
  struct itimerval timer = {{0, 0}, {0, microseconds}};
  setitimer(ITIMER_PROF, &timer, NULL);
}

static void on_alarm(int signal) {
  (void)signal;
  siglongjmp(hung, 1);
}

int main(void) {
  static char line[65536];
  signal(SIGPROF, on_alarm);
  while (fgets(line, sizeof line, stdin)) {
    char *tab = strchr(line, '\t');
    if (!tab) continue;
    *tab = 0;
    char *rule = tab + 1;
    rule[strcspn(rule, "\r\n")] = 0;
    if (sigsetjmp(hung, 1)) {
      puts("hang");
      fflush(stdout);
      continue;
    }
    limit(100000);
    struct icaltimetype start = icaltime_from_string(line);
    struct icalrecurrencetype recurrence = icalrecurrencetype_from_string(rule);
    icalrecur_iterator *iterator =
        recurrence.freq == ICAL_NO_RECURRENCE ? NULL : icalrecur_iterator_new(recurrence, start);
    char answer[2048] = "";
    int count = 0;
    while (iterator && count < 20) {
      struct icaltimetype next = icalrecur_iterator_next(iterator);
      if (icaltime_is_null_time(next)) break;
      if (icaltime_compare(next, start) <= 0) continue;
      if (count++) strcat(answer, ",");
      snprintf(answer + strlen(answer), sizeof answer - strlen(answer),
               "%04d%02d%02dT%02d%02d%02d", next.year, next.month, next.day, next.hour,
               next.minute, next.second);
    }
    limit(0);
    puts(iterator ? answer : "error");
    fflush(stdout);
    if (iterator) icalrecur_iterator_free(iterator);
  }
  return 0;
}
