/* What the programs that test native/abi/ludus.h share. They are C17 and C++ alike. */
#ifndef ABI_TEST_H
#define ABI_TEST_H

#include "abi/ludus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: not so: %s\nthe last error: %s\n", __FILE__, __LINE__, #condition, \
                    ludus_last_error()); \
            exit(1); \
        } \
    } while (0)

/* A call fails with this code and a message that holds these words. */
#define EXPECT_ERROR(code, words, call) \
    do { \
        EXPECT((call) == (code)); \
        EXPECT(strstr(ludus_last_error(), words)); \
    } while (0)

#define ZERO(variable) memset(&(variable), 0, sizeof(variable))

void test_batches(void);
void test_pictures(void);
void test_solver(void);
void test_planner(void);
void test_practice(void);
void test_worms(void);
void test_colonies(void);
void test_diplomacy(void);
void test_threads(void);
void test_competitions(void);

/* A world at the start of a level that is won by running to the right. */
ludus_world *begin_flat_world(void);
/* A task of a worm on a grid, or on a dish. */
ludus_worm_task *new_worm_task(int continuous);
/* A task on a grid with nothing to fear and one food, which does not come back. */
ludus_worm_task *new_single_food_task(void);

#endif
