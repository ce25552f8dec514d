/* A strategy library that is good enough to lose properly: it wins if it can, keeps the other side from winning, and else
 * plays near the centre. It keeps the number of its moves in a static, as many do. */
#include <stdlib.h>

struct Point { int x, y; };

static int moves;

/* Whether a stone of `owner` on (x, y) makes four in a row. */
static int wins(int M, int N, const int *board, int x, int y, int owner) {
    static const int ways[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    for (int way = 0; way < 4; way++) {
        int length = 1;
        for (int sign = -1; sign <= 1; sign += 2) {
            int dx = sign * ways[way][0], dy = sign * ways[way][1];
            for (int i = x + dx, j = y + dy; i >= 0 && i < M && j >= 0 && j < N; i += dx, j += dy) {
                if (board[i * N + j] != owner) break;
                length++;
            }
        }
        if (length >= 4) return 1;
    }
    return 0;
}

struct Point *getPoint(const int M, const int N, const int *top, const int *board, const int lastX, const int lastY,
                       const int noX, const int noY) {
    (void)lastX, (void)lastY, (void)noX, (void)noY;
    int best = -1, best_worth = -1;
    moves++;
    for (int y = 0; y < N; y++) {
        if (top[y] == 0) continue;
        int x = top[y] - 1;
        int worth = N - abs(2 * y + 1 - N);
        if (wins(M, N, board, x, y, 2)) worth += 1000;
        if (wins(M, N, board, x, y, 1)) worth += 500;
        if (x > 0 && wins(M, N, board, x - 1, y, 1)) worth = 0;
        if (worth > best_worth) best = y, best_worth = worth;
    }
    struct Point *point = malloc(sizeof *point);
    point->x = top[best] - 1;
    point->y = best;
    return point;
}

void clearPoint(struct Point *point) { free(point); }
