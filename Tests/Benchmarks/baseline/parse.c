/*
 * The baseline of reading: libical parses a whole file, every component is walked once, all is freed.
 *
 *     parse calendar.ics
 */
#include <libical/ical.h>
#include <stdio.h>
#include <stdlib.h>

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

int main(int argc, char **argv)
{
    size_t events = 0, properties;
    char *text;
    icalcomponent *root;

    if (argc != 2) {
        fprintf(stderr, "usage: parse FILE\n");
        return 2;
    }
    text = read_file(argv[1]);
    if (text == NULL)
        return 1;
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
