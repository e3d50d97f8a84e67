/* The arithmetic of small networks: products of matrices, and of rows that are mostly zero.
 *
 * Matrices lie row by row. Their widths are multiples of KERNEL_WIDTH; what fills them up is zero. Each
 * function exists for every processor and for those with wide registers; the results differ in their
 * last bits.
 */
#ifndef LUDUS_TRAINING_KERNELS_H
#define LUDUS_TRAINING_KERNELS_H

#include <stddef.h>
#include <stdint.h>

enum { KERNEL_WIDTH = 8 };

/* A matrix that is read element by element: its element (i, p) is at i * row + p * column. */
typedef struct {
    const float *at;
    size_t row, column;
} kernel_factor;

/* A row of small whole numbers and the places of those that are not zero. */
typedef struct {
    const int8_t *numbers;
    const uint16_t *places;
    int n;
} kernel_sparse;

typedef struct {
    /* c += a b, where c has m rows and n columns, and b has k rows. */
    void (*multiply)(int m, int n, int k, kernel_factor a, const float *b, float *c);
    /* row += scale * numbers * table, whose rows have n columns. */
    void (*look_up)(kernel_sparse numbers, float scale, const float *table, int n, float *row);
    /* table += scale * numbers' * row. */
    void (*spread)(kernel_sparse numbers, float scale, const float *row, int n, float *table);
} kernels;

/* Those that every processor has. */
extern const kernels plain_kernels;

/* The fastest that this processor has. */
const kernels *choose_kernels(void);

#endif
