/* A judge of Connect Four as courses have one: it loads two libraries, asks for every move on a fresh thread, frees every
 * point on its own, and plays several games in one process, with sides swapped.
 *
 *     judge A.so B.so ROWS COLUMNS HOLE_X HOLE_Y GAMES
 *
 * One line a game says who won or who broke what rule; the last says how many threads there were at most while a library
 * was asked, how many KiB the process took, and how many milliseconds the slowest move. */
#include <dlfcn.h>
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

struct Point { int x, y; };
typedef struct Point *(*GetPoint)(int, int, const int *, const int *, int, int, int, int);
typedef void (*ClearPoint)(struct Point *);

struct Call {
    GetPoint get_point;
    int M, N, top[32], board[1024], lastX, lastY, noX, noY;
    struct Point *answer;
    atomic_int done;
};

static int most_threads;
static double slowest;

static void *ask(void *argument) {
    struct Call *call = argument;
    call->answer = call->get_point(call->M, call->N, call->top, call->board, call->lastX, call->lastY, call->noX, call->noY);
    call->done = 1;
    return NULL;
}

static int count_threads(void) {
    DIR *tasks = opendir("/proc/self/task");
    int n = -2; /* . and .. */
    while (tasks && readdir(tasks)) n++;
    if (tasks) closedir(tasks);
    return n;
}

static double milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static void asked_on_a_thread(struct Call *call) {
    pthread_t thread;
    double begun = milliseconds();
    /* A thread that was joined may be listed for a moment longer; one that a library leaves behind is there for good. */
    while (count_threads() > 1 && milliseconds() - begun < 1000) sched_yield();
    begun = milliseconds();
    call->done = 0;
    if (pthread_create(&thread, NULL, ask, call)) abort();
    while (!call->done) {
        int n = count_threads();
        if (n > most_threads) most_threads = n;
        sched_yield();
    }
    pthread_join(thread, NULL);
    if (milliseconds() - begun > slowest) slowest = milliseconds() - begun;
}

static int wins(int M, int N, const int *board, int x, int y, int owner) {
    for (int way = 0; way < 4; way++) {
        int dx = way != 0, dy = way == 0 ? 1 : way - 2, length = 0;
        for (int k = -3; k <= 3; k++) {
            int i = x + k * dx, j = y + k * dy;
            int own = i >= 0 && i < M && j >= 0 && j < N && board[i * N + j] == owner;
            length = own ? length + 1 : 0;
            if (length == 4) return 1;
        }
    }
    return 0;
}

/* 0 a draw, 1 or 2 who won, -1 or -2 who broke the rules. */
static int play(GetPoint get[2], ClearPoint clear[2], int M, int N, int noX, int noY) {
    int top[32], board[1024] = {0}, lastX = -1, lastY = -1;
    for (int y = 0; y < N; y++) top[y] = M - (noX == M - 1 && noY == y);
    for (int ply = 0;; ply++) {
        int side = ply % 2, room = 0;
        for (int y = 0; y < N; y++) room += top[y];
        if (!room) return 0;
        struct Call *call = calloc(1, sizeof *call);
        call->get_point = get[side], call->M = M, call->N = N, call->noX = noX, call->noY = noY;
        call->lastX = lastX, call->lastY = lastY;
        memcpy(call->top, top, sizeof top);
        for (int i = 0; i < M * N; i++) call->board[i] = board[i] ? 1 + (board[i] == side + 1) : 0;
        asked_on_a_thread(call);
        if (!call->answer) return -1 - side;
        int x = call->answer->x, y = call->answer->y;
        clear[side](call->answer);
        free(call);
        if (y < 0 || y >= N || top[y] == 0 || x != top[y] - 1) return -1 - side;
        board[x * N + y] = side + 1;
        if (wins(M, N, board, x, y, side + 1)) return side + 1;
        top[y] -= 1;
        if (noX == x - 1 && noY == y) top[y] -= 1;
        lastX = x, lastY = y;
    }
}

int main(int count, char **arguments) {
    if (count != 8) return 2;
    GetPoint get[2];
    ClearPoint clear[2];
    for (int i = 0; i < 2; i++) {
        void *library = dlopen(arguments[1 + i], RTLD_LAZY);
        if (!library) return fprintf(stderr, "%s\n", dlerror()), 3;
        get[i] = (GetPoint)dlsym(library, "getPoint");
        clear[i] = (ClearPoint)dlsym(library, "clearPoint");
        if (!get[i] || !clear[i]) return 4;
    }
    int number[5];
    for (int i = 0; i < 5; i++) number[i] = atoi(arguments[3 + i]);
    for (int game = 0; game < number[4]; game++) {
        if (game % 2) {
            GetPoint other[2] = {get[1], get[0]};
            ClearPoint others[2] = {clear[1], clear[0]};
            int result = play(other, others, number[0], number[1], number[2], number[3]);
            static const char *swapped[] = {"illegal A", "illegal B", "draw", "B", "A"};
            puts(swapped[result + 2]);
        } else {
            int result = play(get, clear, number[0], number[1], number[2], number[3]);
            static const char *straight[] = {"illegal B", "illegal A", "draw", "A", "B"};
            puts(straight[result + 2]);
        }
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("threads %d, KiB %ld, ms %.0f\n", most_threads, usage.ru_maxrss, slowest);
    return 0;
}
