/* Prints in how many columns glibc (and so ncursesw) and libtickit show each argument. */
#define _XOPEN_SOURCE 700
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <tickit.h>
#include <wchar.h>

int main(int argc, char **argv) {
  setlocale(LC_ALL, "");
  for (int number = 1; number < argc; number++) {
    wchar_t letters[100];
    int length = (int)mbstowcs(letters, argv[number], 100), columns = 0;
    for (int place = 0; place < length; place++) columns += wcwidth(letters[place]);
    TickitStringPos position;
    tickit_utf8_count(argv[number], &position, NULL);
    printf("%s\tglibc %d\tlibtickit %d\n", argv[number], columns, position.columns);
  }
  return 0;
}
