// AGENDA_MUTANTS has the numbers of the changes that are switched on; AGENDA_MUTANTS_REACHED names a
// file of `mostMutants` bytes. Tests start programs with environments of their own, so the variables
// are those of the nearest ancestor that has them.
#include "AgendaMutants.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

unsigned char mutantsOn[mostMutants];
static unsigned char unread[mostMutants];
unsigned char *mutantsReached = unread;

static const char *find(const char *block, size_t size, const char *name) {
  size_t length = strlen(name);
  for (const char *at = block; at < block + size; at += strlen(at) + 1)
    if (strncmp(at, name, length) == 0 && at[length] == '=') return at + length + 1;
  return NULL;
}

static int parent(int process) {
  char path[64], line[512];
  snprintf(path, sizeof path, "/proc/%d/stat", process);
  FILE *file = fopen(path, "r");
  if (!file) return 0;
  int found = 0;
  // The name of the program, in parentheses, may have blanks.
  if (fgets(line, sizeof line, file)) {
    char *end = strrchr(line, ')');
    if (end) sscanf(end + 1, " %*c %d", &found);
  }
  fclose(file);
  return found;
}

__attribute__((constructor)) static void begin(void) {
  static char block[1 << 20];
  int process = (int)getpid();
  for (int step = 0; step < 32 && process > 1; step++, process = parent(process)) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/environ", process);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    size_t size = 0;
    ssize_t count;
    while (size < sizeof block - 1 && (count = read(file, block + size, sizeof block - 1 - size)) > 0)
      size += (size_t)count;
    close(file);
    block[size] = 0;
    const char *numbers = find(block, size, "AGENDA_MUTANTS");
    if (!numbers) continue;
    while (*numbers) {
      char *end;
      long number = strtol(numbers, &end, 10);
      if (end == numbers) break;
      if (number >= 0 && number < mostMutants) mutantsOn[number] = 1;
      numbers = *end == ',' ? end + 1 : end;
    }
    const char *reached = find(block, size, "AGENDA_MUTANTS_REACHED");
    int shared = reached ? open(reached, O_RDWR | O_CLOEXEC) : -1;
    if (shared >= 0) {
      void *bytes = mmap(NULL, mostMutants, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
      if (bytes != MAP_FAILED) mutantsReached = bytes;
      close(shared);
    }
    return;
  }
}
