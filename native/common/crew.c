#define _POSIX_C_SOURCE 200809L
#include "common/crew.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__i386__)
#define RELAX() __builtin_ia32_pause()
#else
#define RELAX() ((void)0)
#endif

/* Looks before a thread goes to sleep: batches are stepped every few microseconds. */
enum { SPINS = 4000 };

/* What one thread writes and another one looks at all the time has a line of the cache to itself. */
#define LINE _Alignas(64)

/* The items that one thread begins with: the same in every job, so they stay in its core's cache. */
typedef struct {
    LINE atomic_int next;
    int end;
    int spared; /* so few are left to their own thread: elsewhere they would have to be fetched first */
} share;

struct crew {
    int helpers;
    pid_t process; /* that they are threads of: a fork leaves them behind */
    pthread_mutex_t lock;
    pthread_cond_t wake;
    atomic_int places; /* taken by helpers */
    bool stopping;
    pthread_t *threads;
    LINE atomic_uint number; /* of the job */
    LINE crew_job *job;
    void *context;
    int least; /* items to take at a time */
    LINE atomic_int busy;
    atomic_bool failed;
    share shares[];
};

/* Takes the next part of a share if more than so many are left: parts become smaller toward its end, where
 * nobody is to wait long. */
static bool take(const crew *c, share *s, int spared, int *first, int *last) {
    *first = atomic_load(&s->next);
    do {
        int left = s->end - *first, part = left / 2;
        if (left <= spared)
            return false;
        part = part > c->least ? part : c->least;
        *last = part < left ? *first + part : s->end;
    } while (!atomic_compare_exchange_weak(&s->next, first, *last));
    return true;
}

/* Works through the share of a thread's own place, then helps the others with theirs. */
static void work(crew *c, int place) {
    for (int k = 0; k <= c->helpers; k++) {
        share *s = &c->shares[(place + k) % (c->helpers + 1)];
        for (int first, last; take(c, s, k ? s->spared : 0, &first, &last);)
            if (!c->job(c->context, first, last))
                atomic_store(&c->failed, true);
    }
}

static unsigned await_job(crew *c, unsigned seen) {
    for (int spins = 0; spins < SPINS; spins++) {
        unsigned number = atomic_load(&c->number);
        if (number != seen)
            return number;
        RELAX();
    }
    pthread_mutex_lock(&c->lock);
    while (atomic_load(&c->number) == seen)
        pthread_cond_wait(&c->wake, &c->lock);
    pthread_mutex_unlock(&c->lock);
    return atomic_load(&c->number);
}

static void *serve(void *context) {
    crew *c = context;
    int place = 1 + atomic_fetch_add(&c->places, 1);
    for (unsigned seen = 0;;) {
        seen = await_job(c, seen);
        if (c->stopping)
            return NULL;
        work(c, place);
        atomic_fetch_sub(&c->busy, 1);
    }
}

static void announce(crew *c) {
    pthread_mutex_lock(&c->lock);
    atomic_fetch_add(&c->number, 1);
    pthread_cond_broadcast(&c->wake);
    pthread_mutex_unlock(&c->lock);
}

crew *crew_new(int helpers) {
    size_t size = sizeof(crew) + (size_t)(helpers + 1) * sizeof(share);
    crew *c = aligned_alloc(_Alignof(crew), size);
    if (!c)
        return NULL;
    memset(c, 0, size);
    if (!(c->threads = malloc((size_t)helpers * sizeof *c->threads))) {
        free(c);
        return NULL;
    }
    c->process = getpid();
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->wake, NULL);
    for (; c->helpers < helpers; c->helpers++)
        if (pthread_create(&c->threads[c->helpers], NULL, serve, c)) {
            crew_free(c);
            return NULL;
        }
    return c;
}

void crew_free(crew *c) {
    if (!c || c->process != getpid()) /* the lock of a crew that was left behind may be taken for good */
        return;
    c->stopping = true;
    announce(c);
    for (int k = 0; k < c->helpers; k++)
        pthread_join(c->threads[k], NULL);
    pthread_cond_destroy(&c->wake);
    pthread_mutex_destroy(&c->lock);
    free(c->threads);
    free(c);
}

bool crew_run(crew *c, crew_job *job, void *context, int n) {
    enum { MOST_PARTS = 64, SPARED = 8 }; /* of each share: taking a part has its price */
    int threads = c->helpers + 1, least = n / (MOST_PARTS * threads);
    c->job = job;
    c->context = context;
    c->least = least > 0 ? least : 1;
    for (int k = 0; k < threads; k++) {
        c->shares[k].end = (int)((int64_t)n * (k + 1) / threads);
        c->shares[k].spared = n / (SPARED * threads);
        atomic_store(&c->shares[k].next, (int)((int64_t)n * k / threads));
    }
    atomic_store(&c->failed, false);
    atomic_store(&c->busy, c->helpers);
    announce(c);
    work(c, 0);
    for (int spins = 0; atomic_load(&c->busy) > 0; spins++) {
        if (spins < SPINS)
            RELAX();
        else
            sched_yield();
    }
    return !atomic_load(&c->failed);
}

bool crew_spread(crew **c, int threads, crew_job *job, void *context, int n) {
    if (threads < 2)
        return job(context, 0, n);
    if (*c && (*c)->process != getpid())
        *c = NULL;
    if (!*c && !(*c = crew_new(threads - 1)))
        return false;
    return crew_run(*c, job, context, n);
}
