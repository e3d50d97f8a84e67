/* The networks of policies, forward and backward, over weights in one row of numbers.
 *
 * Each layer has weights, row by row, and then a bias. Rows are as wide as a multiple of KERNEL_WIDTH.
 * The first layer reads fields, which are mostly zero, or squares of pictures, of which there are few
 * kinds; the others read what the layer before gives, convolutions in patches two strides wide. All but
 * the last are rectified.
 */
#ifndef LUDUS_TRAINING_NETWORK_H
#define LUDUS_TRAINING_NETWORK_H

#include <stdbool.h>

#include "training/kernels.h"

enum { NETWORK_LAYERS = 32 };

typedef struct {
    int32_t inputs;  /* numbers that a place reads */
    int32_t outputs; /* numbers that a place gives */
    int32_t places;  /* in each sample */
    int32_t stride;  /* of a convolution after the first layer; 0 for other layers */
    int32_t side, depth; /* of the image that such a convolution reads */
    size_t weights, bias; /* where they begin */
} network_layer;

typedef struct {
    const kernels *kernels;
    int32_t fields; /* that the first layer reads; 0 if it reads pictures */
    int32_t n_layers;
    network_layer layers[NETWORK_LAYERS];
    size_t size; /* numbers of all weights */
} network;

/* Room to compute with some samples. */
typedef struct {
    int32_t room; /* samples */
    float *outputs[NETWORK_LAYERS], *columns[NETWORK_LAYERS];
    float *gradients[NETWORK_LAYERS], *column_gradients; /* only to learn */
    kernel_sparse *fields; /* of each sample */
} workspace;

/* Lays out a network; widths are those of convolutions, of dense layers and of the head. False if there
 * are too many layers or a convolution has no place. */
bool network_plan(network *net, int fields, const int32_t *strides, int n_strides,
                  const int32_t *widths, int n_widths);

static inline const network_layer *network_head(const network *net) {
    return &net->layers[net->n_layers - 1];
}
/* Numbers that the first layer gives of a sample. */
static inline size_t network_first(const network *net) {
    return (size_t)net->layers[0].places * (size_t)net->layers[0].outputs;
}

bool workspace_open(workspace *d, const network *net, int room, bool to_learn);
void workspace_close(workspace *d);

/* Lists the places of fields that are not zero, and returns how many there are. */
int find_places(const int8_t *fields, int n, uint16_t *places);
/* Computes what the first layer gives of sample k from its fields. */
void network_read_fields(const network *net, const float *weights, workspace *d, int k,
                         kernel_sparse fields);
/* Computes some rows of the first layer from inputs. */
void network_read_inputs(const network *net, const float *weights, const float *inputs, int rows,
                         float *outputs);

/* Computes n samples from what the first layer gives of them. */
void network_forward(const network *net, const float *weights, workspace *d, int n);

/* Writes the weights of all layers but the first the other way round. */
void network_transpose(const network *net, const float *weights, float *transposed);

/* Adds the gradients of n samples, whose outputs have gradients, to those of the weights; those of the
 * first layer's outputs are left on the workspace. */
void network_backward(const network *net, const float *transposed, workspace *d, int n,
                      float *gradient);
/* Adds the gradients of n samples of fields to those of the first layer. */
void network_learn_fields(const network *net, const workspace *d, int n, float *gradient);
/* Likewise of n rows of inputs. */
void network_learn_inputs(const network *net, const workspace *d, const float *inputs, int n,
                          float *gradient);

/* gradient = 0 wherever an output is. */
void rectify_gradient(const float *outputs, float *gradient, size_t n);

#endif
