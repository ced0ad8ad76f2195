// Whether a change to the code is switched on in this process.
#pragma once

enum { mostMutants = 1 << 16 };
extern unsigned char mutantsOn[mostMutants];
// A byte for each change that the process has come to.
extern unsigned char *mutantsReached;

static inline _Bool mutant(int number) {
  mutantsReached[number] = 1;
  return mutantsOn[number];
}
