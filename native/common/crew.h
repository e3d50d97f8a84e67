/* A crew of threads that works through parts of one job at a time; the caller works along. */
#ifndef LUDUS_COMMON_CREW_H
#define LUDUS_COMMON_CREW_H

#include <stdbool.h>

typedef struct crew crew;

/* Does items first .. last - 1 and returns whether that went well. */
typedef bool crew_job(void *context, int first, int last);

/* Starts helpers; NULL if that is not possible. */
crew *crew_new(int helpers);
/* Ends the helpers; NULL is allowed. */
void crew_free(crew *crew);

/* Does items 0 .. n - 1 and returns whether every part went well. */
bool crew_run(crew *crew, crew_job *job, void *context, int n);

/* As crew_run with so many threads; helpers start at the first call. */
bool crew_spread(crew **crew, int threads, crew_job *job, void *context, int n);

#endif
