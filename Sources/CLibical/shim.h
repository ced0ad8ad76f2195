#include <libical/ical.h>

// The types of the functions that are looked up in libical at run time: the library is not linked,
// because its shared ICU costs every process that loads it about 3 ms.
typedef __typeof__(icalparser_parse_string) *libical_parse_string;
typedef __typeof__(icalcomponent_free) *libical_component_free;
typedef __typeof__(icalcomponent_isa) *libical_component_isa;
typedef __typeof__(icalcomponent_get_first_property) *libical_component_property;
typedef __typeof__(icalcomponent_get_first_component) *libical_component_component;
typedef __typeof__(icalproperty_isa) *libical_property_isa;
typedef __typeof__(icalproperty_get_value_as_string_r) *libical_property_value_string;
typedef __typeof__(icalproperty_get_parameter_as_string_r) *libical_property_parameter_string;
typedef __typeof__(icalproperty_get_value) *libical_property_value;
typedef __typeof__(icalvalue_isa) *libical_value_isa;
typedef __typeof__(icalvalue_get_geo) *libical_value_geo;
typedef __typeof__(icalvalue_get_integer) *libical_value_integer;
typedef __typeof__(icalmemory_free_buffer) *libical_free_buffer;
typedef __typeof__(icalerror_set_errors_are_fatal) *libical_set_errors_are_fatal;
