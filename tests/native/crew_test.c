/* Tests of native/common/crew.h: every item of every job is done once, however late the helpers come. */
#include "common/crew.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 1500, JOBS = 3000, HELPERS = 5 };

typedef struct {
    int times[MOST]; /* that each item was done */
    int bad;         /* an item that fails */
    bool slow;
} record;

static bool do_items(void *context, int first, int last) {
    record *r = context;
    bool well = true;
    for (int k = first; k < last; k++) {
        r->times[k]++;
        well = well && k != r->bad;
    }
    if (r->slow)
        sched_yield();
    return well;
}

static void rest(long microseconds) {
    struct timespec time = {0, 1000 * microseconds};
    nanosleep(&time, NULL);
}

static void check_job(crew *c, int n, int bad, bool slow) {
    record r;
    memset(&r, 0, sizeof r);
    r.bad = bad;
    r.slow = slow;
    bool well = crew_run(c, do_items, &r, n);
    bool exact = well == (bad < 0 || bad >= n);
    for (int k = 0; k < MOST; k++)
        exact = exact && r.times[k] == (k < n);
    if (!exact) {
        fprintf(stderr, "a job of %d items whose item %d fails was done wrongly\n", n, bad);
        exit(1);
    }
}

int main(void) {
    unsigned state = 1;
    for (int helpers = 1; helpers <= HELPERS; helpers += 2) {
        crew *c = crew_new(helpers);
        for (int job = 0; job < JOBS; job++) {
            state = state * 1664525u + 1013904223u;
            int n = (state >> 8) % 5 ? (int)(state >> 12) % (MOST + 1) : (int)(state >> 12) % 8;
            check_job(c, n, job % 7 ? -1 : (int)(state >> 10) % MOST, job % 3 == 0);
            if (job % 500 == 0)
                rest(2000); /* the helpers fall asleep */
            else if (job % 50 == 0)
                rest(30);
        }
        crew_free(c);
    }
    crew *spread = NULL;
    record r;
    memset(&r, 0, sizeof r);
    r.bad = -1;
    for (int job = 0; job < 100; job++)
        if (!crew_spread(&spread, 64, do_items, &r, MOST))
            return 1;
    crew_free(spread);
    for (int k = 0; k < MOST; k++)
        if (r.times[k] != 100)
            return 1;
    return 0;
}
