#define _POSIX_C_SOURCE 200809L
#include "common/crew.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__i386__)
#define RELAX() __builtin_ia32_pause()
#else
#define RELAX() ((void)0)
#endif

/* Looks before a thread goes to sleep: batches are stepped every few microseconds. */
enum { SPINS = 4000 };

struct crew {
    int helpers;
    pid_t process; /* that they are threads of: a fork leaves them behind */
    pthread_mutex_t lock;
    pthread_cond_t wake;
    atomic_uint number; /* of the job */
    atomic_int next, busy;
    atomic_bool failed;
    bool stopping;
    crew_job *job;
    void *context;
    int n, least;
    pthread_t threads[];
};

/* Takes the next part of the job: parts become smaller toward its end, where nobody is to wait long. */
static bool take(crew *c, int *first, int *last) {
    *first = atomic_load(&c->next);
    do {
        int left = c->n - *first, share = left / (2 * (c->helpers + 1));
        if (left <= 0)
            return false;
        share = share > c->least ? share : c->least;
        *last = share < left ? *first + share : c->n;
    } while (!atomic_compare_exchange_weak(&c->next, first, *last));
    return true;
}

static void work(crew *c) {
    for (int first, last; take(c, &first, &last);)
        if (!c->job(c->context, first, last))
            atomic_store(&c->failed, true);
}

static unsigned await_job(crew *c, unsigned seen) {
    for (int spins = 0; spins < SPINS && atomic_load(&c->number) == seen; spins++)
        RELAX();
    pthread_mutex_lock(&c->lock);
    while (atomic_load(&c->number) == seen)
        pthread_cond_wait(&c->wake, &c->lock);
    pthread_mutex_unlock(&c->lock);
    return atomic_load(&c->number);
}

static void *serve(void *context) {
    crew *c = context;
    for (unsigned seen = 0;;) {
        seen = await_job(c, seen);
        if (c->stopping)
            return NULL;
        work(c);
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
    crew *c = calloc(1, sizeof *c + (size_t)helpers * sizeof *c->threads);
    if (!c)
        return NULL;
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
    free(c);
}

bool crew_run(crew *c, crew_job *job, void *context, int n) {
    enum { MOST_PARTS = 64 }; /* for each thread: taking one has its price */
    int least = n / (MOST_PARTS * (c->helpers + 1));
    c->job = job;
    c->context = context;
    c->n = n;
    c->least = least > 0 ? least : 1;
    atomic_store(&c->next, 0);
    atomic_store(&c->failed, false);
    atomic_store(&c->busy, c->helpers);
    announce(c);
    work(c);
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
