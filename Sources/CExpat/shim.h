#ifndef AGENDA_CEXPAT_H
#define AGENDA_CEXPAT_H

#include <expat.h>

#endif
