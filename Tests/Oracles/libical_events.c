/*
 * Says what libical alone reads in calendar files, one component a line, as icalendar_events.py does; but it resolves no zones, so
 * that times are as they are written, with a Z if they are in UTC.
 *
 *     libical_events FILE...
 */
#include <libical/ical.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *contents(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t length = 0, room = 0, got;

    if (file == NULL)
        return NULL;
    do {
        room = room * 2 + 4096;
        text = realloc(text, room + 1);
        got = fread(text + length, 1, room - length, file);
        length += got;
    } while (got > 0);
    fclose(file);
    text[length] = '\0';
    return text;
}

static void say(const char *text)
{
    const char *end = text + strlen(text);

    while (*text == ' ' || *text == '\t' || *text == '\n')
        ++text;
    while (end > text && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\n'))
        --end;
    for (; text < end; ++text) {
        if (*text == '\\')
            fputs("\\\\", stdout);
        else if (*text == '\n')
            fputs("\\n", stdout);
        else if (*text == '\t')
            fputs("\\t", stdout);
        else
            putchar(*text);
    }
}

static void say_time(icalcomponent *component, icalproperty_kind kind)
{
    icalproperty *property = icalcomponent_get_first_property(component, kind);
    struct icaltimetype time;

    if (property == NULL) {
        putchar('-');
        return;
    }
    time = icalvalue_get_datetime(icalproperty_get_value(property));
    printf("%04d-%02d-%02d", time.year, time.month, time.day);
    if (!time.is_date)
        printf("T%02d:%02d:%02d%s", time.hour, time.minute, time.second, icaltime_is_utc(time) ? "Z" : "");
}

static void say_all(icalcomponent *component, int number)
{
    icalcomponent_kind kind = icalcomponent_isa(component);
    icalcomponent *inner;

    if (kind == ICAL_VEVENT_COMPONENT || kind == ICAL_VTODO_COMPONENT || kind == ICAL_VJOURNAL_COMPONENT) {
        icalproperty *uid = icalcomponent_get_first_property(component, ICAL_UID_PROPERTY);
        icalproperty *summary = icalcomponent_get_first_property(component, ICAL_SUMMARY_PROPERTY);

        printf("%d\t", number);
        say(uid == NULL ? "-" : icalproperty_get_uid(uid));
        putchar('\t');
        say_time(component, ICAL_RECURRENCEID_PROPERTY);
        putchar('\t');
        say_time(component, ICAL_DTSTART_PROPERTY);
        putchar('\t');
        say(summary == NULL ? "" : icalproperty_get_summary(summary));
        putchar('\n');
    }
    for (inner = icalcomponent_get_first_component(component, ICAL_ANY_COMPONENT); inner != NULL;
         inner = icalcomponent_get_next_component(component, ICAL_ANY_COMPONENT))
        say_all(inner, number);
}

int main(int argc, char **argv)
{
    for (int number = 1; number < argc; ++number) {
        char *text = contents(argv[number]);
        icalcomponent *root = text == NULL ? NULL : icalparser_parse_string(text);

        if (root == NULL)
            printf("%d\trefused\n", number - 1);
        else
            say_all(root, number - 1);
        if (root != NULL)
            icalcomponent_free(root);
        free(text);
    }
    return 0;
}
