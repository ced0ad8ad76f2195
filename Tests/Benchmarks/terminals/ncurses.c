/* Draws a list of 28 titles with ncursesw and moves a reversed bar down 20 times. */
#define _XOPEN_SOURCE_EXTENDED 1
#include <locale.h>
#include <ncurses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *titles[64];
static int count;

static void row(int line, int selected) {
  if (selected) attron(A_REVERSE);
  mvhline(line, 0, ' ', 100);
  mvprintw(line, 0, "  09:%02d–10:00  ", line);
  addnstr(titles[line % count], 200);
  if (selected) attroff(A_REVERSE);
}

int main(int argc, char **argv) {
  setlocale(LC_ALL, "");
  FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
  if (!file) return 2;
  char text[4096];
  while (count < 64 && fgets(text, sizeof text, file)) {
    text[strcspn(text, "\n")] = 0;
    titles[count++] = strdup(text);
  }
  initscr();
  curs_set(0);
  raw();
  noecho();
  for (int line = 0; line < 28; line++) row(line, line == 0);
  refresh();
  for (int step = 1; step <= 20; step++) {
    row(step - 1, 0);
    row(step, 1);
    refresh();
  }
  endwin();
  return 0;
}
