/*
 * The baselines of reading. libical parses a whole file, every component is walked once, all is freed. With a number of threads,
 * the file is cut before each BEGIN:VEVENT instead, and each event parsed alone, walked and freed.
 *
 *     parse calendar.ics [THREADS]
 */
#include <libical/ical.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *read_file(const char *path);

static size_t count_properties(icalcomponent *component, size_t *events)
{
    size_t properties = 0;
    icalproperty *property;
    icalcomponent *child;

    if (icalcomponent_isa(component) == ICAL_VEVENT_COMPONENT)
        ++*events;
    for (property = icalcomponent_get_first_property(component, ICAL_ANY_PROPERTY); property != NULL;
         property = icalcomponent_get_next_property(component, ICAL_ANY_PROPERTY))
        ++properties;
    for (child = icalcomponent_get_first_component(component, ICAL_ANY_COMPONENT); child != NULL;
         child = icalcomponent_get_next_component(component, ICAL_ANY_COMPONENT))
        properties += count_properties(child, events);
    return properties;
}

struct part {
    char *begin, *end;
    size_t events, properties;
};

/* Ends each event of a part with NUL and parses it. */
static void *parse_events(void *argument)
{
    static const char begin[] = "BEGIN:VEVENT", end[] = "END:VEVENT";
    struct part *part = argument;
    char *event = strstr(part->begin, begin);

    while (event != NULL && event < part->end) {
        char *last = strstr(event, end), kept;
        icalcomponent *component;

        if (last == NULL)
            break;
        last += strlen(end);
        kept = *last;
        *last = '\0';
        component = icalparser_parse_string(event);
        *last = kept;
        if (component != NULL) {
            part->properties += count_properties(component, &part->events);
            icalcomponent_free(component);
        }
        event = strstr(last, begin);
    }
    return NULL;
}

enum { most_threads = 16 };

static void parse_in_parts(char *text, int count)
{
    struct part parts[most_threads] = {{0}};
    pthread_t threads[most_threads];
    size_t length = strlen(text), events = 0, properties = 0;
    char *begin = text;
    int index;

    for (index = 0; index < count; ++index) {
        char *end = text + length;
        if (index + 1 < count) {
            end = strstr(text + length / count * (index + 1), "BEGIN:VEVENT");
            if (end == NULL)
                end = text + length;
        }
        parts[index].begin = begin;
        parts[index].end = end;
        begin = end;
    }
    for (index = 0; index < count; ++index)
        pthread_create(&threads[index], NULL, parse_events, &parts[index]);
    for (index = 0; index < count; ++index) {
        pthread_join(threads[index], NULL);
        events += parts[index].events;
        properties += parts[index].properties;
    }
    printf("%zu events, %zu properties\n", events, properties);
}

int main(int argc, char **argv)
{
    size_t events = 0, properties;
    char *text;
    icalcomponent *root;

    int threads = argc == 3 ? atoi(argv[2]) : 0;

    if (argc < 2 || argc > 3 || threads < 0 || threads > most_threads) {
        fprintf(stderr, "usage: parse FILE [THREADS]\n");
        return 2;
    }
    text = read_file(argv[1]);
    if (text == NULL)
        return 1;
    if (threads > 0) {
        parse_in_parts(text, threads);
        free(text);
        return 0;
    }
    root = icalparser_parse_string(text);
    free(text);
    if (root == NULL) {
        fprintf(stderr, "%s: not a calendar\n", argv[1]);
        return 1;
    }
    properties = count_properties(root, &events);
    printf("%zu events, %zu properties\n", events, properties);
    icalcomponent_free(root);
    return 0;
}
