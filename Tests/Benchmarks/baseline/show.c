/*
 * The baseline of the agenda: what a plain C program on libical does to print a year of a calendar by day.
 *
 * It parses the whole file, lets libical expand every event in the window, leaves out the occurrences that an override replaces, sorts and
 * prints. It trusts libical for zones, rules and exceptions, so it is wrong where libical is; it is here for the clock.
 *
 *     show calendar.ics 2026-11-21 Europe/Berlin
 */
#include <libical/ical.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

char *read_file(const char *path);

typedef struct {
    time_t start, end;
    int all_day;
    icalcomponent *event;
} entry;

typedef struct {
    const char *uid;
    time_t moment;
} replaced;

static entry *entries;
static size_t entry_count, entry_room;
static replaced *overrides;
static size_t override_count, override_room;
static time_t window_start, window_end;
static icaltimezone *viewer;

static void *grown(void *array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return array;
    *room = *room == 0 ? 1024 : *room * 2;
    array = realloc(array, *room * size);
    if (array == NULL) {
        perror("realloc");
        exit(1);
    }
    return array;
}

static int by_uid_and_moment(const void *left, const void *right)
{
    const replaced *a = left, *b = right;
    int order = strcmp(a->uid, b->uid);

    if (order != 0)
        return order;
    return (a->moment > b->moment) - (a->moment < b->moment);
}

static int by_time(const void *left, const void *right)
{
    const entry *a = left, *b = right;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->all_day != b->all_day)
        return b->all_day - a->all_day;
    return (a->end > b->end) - (a->end < b->end);
}

static const char *uid_of(icalcomponent *event)
{
    const char *uid = icalcomponent_get_uid(event);

    return uid == NULL ? "" : uid;
}

static time_t moment_of(struct icaltimetype time)
{
    return icaltime_as_timet_with_zone(time, time.zone != NULL ? time.zone : viewer);
}

static void add(icalcomponent *event, time_t start, time_t end, int all_day)
{
    if (start >= window_end || (end <= window_start && !(start == end && start == window_start)))
        return;
    entries = grown(entries, entry_count, &entry_room, sizeof *entries);
    entries[entry_count++] = (entry){start, end, all_day, event};
}

static void add_occurrence(icalcomponent *event, struct icaltime_span *span, void *data)
{
    replaced key = {uid_of(event), span->start};
    const int *all_day = data;

    if (override_count > 0
        && bsearch(&key, overrides, override_count, sizeof *overrides, by_uid_and_moment) != NULL)
        return;
    add(event, span->start, span->end, *all_day);
}

static void collect_overrides(icalcomponent *calendar)
{
    icalcomponent *event;

    for (event = icalcomponent_get_first_component(calendar, ICAL_VEVENT_COMPONENT); event != NULL;
         event = icalcomponent_get_next_component(calendar, ICAL_VEVENT_COMPONENT)) {
        struct icaltimetype moment = icalcomponent_get_recurrenceid(event);

        if (icaltime_is_null_time(moment))
            continue;
        overrides = grown(overrides, override_count, &override_room, sizeof *overrides);
        overrides[override_count++] = (replaced){uid_of(event), moment_of(moment)};
    }
    qsort(overrides, override_count, sizeof *overrides, by_uid_and_moment);
}

static void collect_entries(icalcomponent *calendar, struct icaltimetype from, struct icaltimetype to)
{
    icalcomponent *event;

    for (event = icalcomponent_get_first_component(calendar, ICAL_VEVENT_COMPONENT); event != NULL;
         event = icalcomponent_get_next_component(calendar, ICAL_VEVENT_COMPONENT)) {
        struct icaltimetype start = icalcomponent_get_dtstart(event);
        int all_day = start.is_date;

        if (icalcomponent_get_status(event) == ICAL_STATUS_CANCELLED)
            continue;
        if (icalcomponent_get_first_property(event, ICAL_RRULE_PROPERTY) != NULL
            || icalcomponent_get_first_property(event, ICAL_RDATE_PROPERTY) != NULL) {
            icalcomponent_foreach_recurrence(event, from, to, add_occurrence, &all_day);
        } else {
            struct icaltimetype end = icalcomponent_get_dtend(event);
            time_t first = moment_of(start);

            add(event, first, icaltime_is_null_time(end) ? first : moment_of(end), all_day);
        }
    }
}

static void print_entries(void)
{
    char heading[64], clock[16], last[64] = "";
    size_t index;

    for (index = 0; index < entry_count; ++index) {
        const entry *item = &entries[index];
        time_t moment = item->start < window_start ? window_start : item->start;
        struct icaltimetype local = icaltime_from_timet_with_zone(moment, item->all_day, viewer);
        const char *title = icalcomponent_get_summary(item->event);
        const char *place = icalcomponent_get_location(item->event);
        struct tm parts = {0};

        parts.tm_year = local.year - 1900;
        parts.tm_mon = local.month - 1;
        parts.tm_mday = local.day;
        parts.tm_wday = icaltime_day_of_week(local) - 1;
        strftime(heading, sizeof heading, "%A, %d %B %Y", &parts);
        if (strcmp(heading, last) != 0) {
            printf("%s%s\n", *last == '\0' ? "" : "\n", heading);
            strcpy(last, heading);
        }
        if (item->all_day)
            strcpy(clock, "all day");
        else
            snprintf(clock, sizeof clock, "%02d:%02d", local.hour, local.minute);
        printf("  %-8s %s", clock, title == NULL ? "" : title);
        if (place != NULL)
            printf(" (%s)", place);
        putchar('\n');
    }
}

int main(int argc, char **argv)
{
    struct icaltimetype from, to;
    char *text, day[9];
    icalcomponent *root, *calendar;
    int year, month, date;

    if (argc != 4 || sscanf(argv[2], "%4d-%2d-%2d", &year, &month, &date) != 3) {
        fprintf(stderr, "usage: show FILE YYYY-MM-DD ZONE\n");
        return 2;
    }
    viewer = icaltimezone_get_builtin_timezone(argv[3]);
    if (viewer == NULL) {
        fprintf(stderr, "%s: no such zone\n", argv[3]);
        return 2;
    }
    snprintf(day, sizeof day, "%04u%02u%02u", (unsigned)year % 10000, (unsigned)month % 100, (unsigned)date % 100);
    from = icaltime_from_string(day);
    from.is_date = 0;
    from.zone = viewer;
    to = from;
    to.year += 1;
    window_start = icaltime_as_timet_with_zone(from, viewer);
    window_end = icaltime_as_timet_with_zone(to, viewer);

    text = read_file(argv[1]);
    if (text == NULL)
        return 1;
    root = icalparser_parse_string(text);
    free(text);
    if (root == NULL) {
        fprintf(stderr, "%s: not a calendar\n", argv[1]);
        return 1;
    }
    if (icalcomponent_isa(root) == ICAL_VCALENDAR_COMPONENT) {
        collect_overrides(root);
        collect_entries(root, from, to);
    } else {
        for (calendar = icalcomponent_get_first_component(root, ICAL_VCALENDAR_COMPONENT); calendar != NULL;
             calendar = icalcomponent_get_next_component(root, ICAL_VCALENDAR_COMPONENT))
            collect_overrides(calendar);
        for (calendar = icalcomponent_get_first_component(root, ICAL_VCALENDAR_COMPONENT); calendar != NULL;
             calendar = icalcomponent_get_next_component(root, ICAL_VCALENDAR_COMPONENT))
            collect_entries(calendar, from, to);
    }
    qsort(entries, entry_count, sizeof *entries, by_time);
    print_entries();
    icalcomponent_free(root);
    free(entries);
    free(overrides);
    return 0;
}
