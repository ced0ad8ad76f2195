/* Draws a list of 28 titles with libtickit and moves a reversed bar down 20 times. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tickit.h>

static char *titles[64];
static int count, selected, step;
static Tickit *tickit;
static TickitWindow *root;

static int draw(TickitWindow *window, TickitEventFlags flags, void *info, void *data) {
  TickitExposeEventInfo *expose = info;
  TickitRenderBuffer *buffer = expose->rb;
  for (int line = expose->rect.top; line < expose->rect.top + expose->rect.lines && line < 28; line++) {
    char time[64];
    TickitPen *pen = tickit_pen_new_attrs(TICKIT_PEN_REVERSE, line == selected, 0);
    tickit_renderbuffer_setpen(buffer, pen);
    tickit_renderbuffer_erase_at(buffer, line, 0, 100);
    snprintf(time, sizeof time, "  09:%02d–10:00  ", line);
    tickit_renderbuffer_goto(buffer, line, 0);
    tickit_renderbuffer_text(buffer, time);
    tickit_renderbuffer_text(buffer, titles[line % count]);
    tickit_pen_unref(pen);
  }
  return 1;
}

static int move(Tickit *t, TickitEventFlags flags, void *info, void *data) {
  if (step++ >= 20) {
    tickit_stop(tickit);
    return 1;
  }
  TickitRect area = {.top = selected, .left = 0, .lines = 2, .cols = 100};
  selected++;
  tickit_window_expose(root, &area);
  tickit_window_flush(root);
  tickit_watch_timer_after_msec(tickit, 1, 0, move, 0);
  return 1;
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
  tickit = tickit_new_stdtty();
  root = tickit_get_rootwin(tickit);
  tickit_window_bind_event(root, TICKIT_WINDOW_ON_EXPOSE, 0, draw, 0);
  tickit_watch_timer_after_msec(tickit, 50, 0, move, 0);
  tickit_run(tickit);
  tickit_unref(tickit);
  return 0;
}
