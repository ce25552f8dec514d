/* A strategy library that plays the first column with room, and misbehaves as MODE says, at move AT or at every move. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct Point { int x, y; };

static int moves;

static struct Point *at(int x, int y) {
    struct Point *point = malloc(sizeof *point);
    point->x = x;
    point->y = y;
    return point;
}

struct Point *getPoint(const int M, const int N, const int *top, const int *board, const int lastX, const int lastY,
                       const int noX, const int noY) {
    (void)M, (void)N, (void)lastX, (void)lastY, (void)noX, (void)noY;
    int y = 0;
    while (top[y] == 0) y++;
    int x = top[y] - 1;
    moves++;
    if (!strcmp(MODE, "leaks")) {
        if (open("/dev/null", O_RDONLY) >= 0) memset(malloc(1 << 20), moves, 1 << 20);
    }
    if (!strcmp(MODE, "prints")) printf("bestmove 99\ninfo string error: move %d\n", moves), fflush(stdout);
    if (!strcmp(MODE, "prints-and-waits")) printf("bestmove 99\n");
    if (!strcmp(MODE, "writes")) ((int *)top)[y] = -7, ((int *)board)[0] = -7;
    if (!strcmp(MODE, "reads") && getchar() != EOF) abort();
    if (moves != AT) return at(x, y);
    if (!strcmp(MODE, "crashes")) *(volatile int *)0 = 1;
    if (!strcmp(MODE, "aborts")) abort();
    if (!strcmp(MODE, "hangs")) while (1) pause();
    if (!strcmp(MODE, "exits")) exit(0);
    if (!strcmp(MODE, "answers-null")) return NULL;
    if (!strcmp(MODE, "answers-anything")) return at(-5, 1 << 20);
    if (!strcmp(MODE, "answers-the-row-above")) return at(x - 1, y);
    if (!strcmp(MODE, "answers-no-pointer")) return (struct Point *)1;
    return at(x, y);
}

#ifndef NO_CLEAR
void clearPoint(struct Point *point) {
    if (strcmp(MODE, "leaks")) free(point);
}
#endif

__attribute__((constructor)) static void loaded(void) {
    if (!strcmp(MODE, "exits-when-loaded")) exit(3);
    if (!strcmp(MODE, "prints-when-loaded")) puts("ugiok");
}
