/* The networks of policies, forward and backward. */
#include "training/network.h"

#include <stdlib.h>
#include <string.h>

#include "training/sight.h"

static int32_t widen(int32_t width) { return (width + KERNEL_WIDTH - 1) / KERNEL_WIDTH * KERNEL_WIDTH; }

static size_t row_of(const network_layer *l) { return (size_t)l->places * (size_t)l->outputs; }

static bool add_layer(network *net, network_layer l) {
    if (net->n_layers == NETWORK_LAYERS || l.places < 1)
        return false;
    l.weights = net->size;
    l.bias = l.weights + (size_t)l.inputs * (size_t)l.outputs;
    net->size = l.bias + (size_t)l.outputs;
    net->layers[net->n_layers++] = l;
    return true;
}

static bool add_convolutions(network *net, const int32_t *strides, int n, const int32_t *widths) {
    int side = SIGHT_SIDE / strides[0], depth = widen(widths[0]);
    network_layer squares = {
        .inputs = 2 * strides[0] * strides[0], .outputs = depth, .places = side * side};
    if (!add_layer(net, squares))
        return false;
    for (int k = 1; k < n; k++) {
        int stride = strides[k], across = side / stride - 1;
        network_layer l = {.inputs = 4 * stride * stride * depth,
                           .outputs = widen(widths[k]),
                           .stride = stride,
                           .places = across > 0 ? across * across : 0,
                           .side = side,
                           .depth = depth};
        if (!add_layer(net, l))
            return false;
        side = across;
        depth = l.outputs;
    }
    return true;
}

bool network_plan(network *net, int fields, const int32_t *strides, int n_strides,
                  const int32_t *widths, int n_widths) {
    *net = (network){.kernels = choose_kernels(), .fields = n_strides ? 0 : fields};
    if (n_strides && !add_convolutions(net, strides, n_strides, widths))
        return false;
    for (int k = n_strides; k < n_widths; k++) {
        const network_layer *before = net->n_layers ? network_head(net) : NULL;
        int inputs = before ? (int)row_of(before) : fields;
        if (!add_layer(net,
                       (network_layer){.inputs = inputs, .outputs = widen(widths[k]), .places = 1}))
            return false;
    }
    return true;
}

/* ---- workspaces */

static float *make_room(size_t n) { return calloc(n ? n : 1, sizeof(float)); }

static bool open_layer(workspace *d, const network *net, int k, bool to_learn) {
    const network_layer *l = &net->layers[k];
    size_t columns = l->stride ? (size_t)d->room * (size_t)l->places * (size_t)l->inputs : 0;
    d->outputs[k] = make_room((size_t)d->room * row_of(l));
    d->columns[k] = make_room(columns);
    d->gradients[k] = make_room(to_learn ? (size_t)d->room * row_of(l) : 0);
    return d->outputs[k] && d->columns[k] && d->gradients[k];
}

bool workspace_open(workspace *d, const network *net, int room, bool to_learn) {
    *d = (workspace){.room = room};
    size_t widest = 0;
    for (int k = 0; k < net->n_layers; k++) {
        const network_layer *l = &net->layers[k];
        size_t columns = l->stride ? (size_t)l->places * (size_t)l->inputs : 0;
        widest = columns > widest ? columns : widest;
        if (!open_layer(d, net, k, to_learn))
            return false;
    }
    d->column_gradients = make_room(to_learn ? (size_t)room * widest : 0);
    d->fields = calloc((size_t)room, sizeof *d->fields);
    return d->column_gradients && d->fields;
}

void workspace_close(workspace *d) {
    for (int k = 0; k < NETWORK_LAYERS; k++) {
        free(d->outputs[k]);
        free(d->columns[k]);
        free(d->gradients[k]);
    }
    free(d->column_gradients);
    free(d->fields);
}

/* ---- forward */

static void begin_with_bias(const float *bias, size_t n, float *rows, int count) {
    for (int k = 0; k < count; k++)
        memcpy(rows + (size_t)k * n, bias, n * sizeof *rows);
}

static void rectify(float *numbers, size_t n) {
    for (size_t k = 0; k < n; k++)
        numbers[k] = numbers[k] > 0 ? numbers[k] : 0;
}

void rectify_gradient(const float *outputs, float *gradient, size_t n) {
    for (size_t k = 0; k < n; k++)
        gradient[k] = outputs[k] > 0 ? gradient[k] : 0;
}

int find_places(const int8_t *fields, int n, uint16_t *places) {
    int found = 0, k = 0;
    for (; k + 8 <= n; k += 8) {
        uint64_t word;
        memcpy(&word, fields + k, sizeof word);
        /* no branch: which of them are zero cannot be foreseen */
        for (int j = k; word && j < k + 8; j++) {
            places[found] = (uint16_t)j;
            found += fields[j] != 0;
        }
    }
    for (; k < n; k++) {
        places[found] = (uint16_t)k;
        found += fields[k] != 0;
    }
    return found;
}

void network_read_fields(const network *net, const float *weights, workspace *d, int k,
                         kernel_sparse fields) {
    const network_layer *l = &net->layers[0];
    float *row = d->outputs[0] + (size_t)k * (size_t)l->outputs;
    d->fields[k] = fields;
    memcpy(row, weights + l->bias, (size_t)l->outputs * sizeof *row);
    net->kernels->look_up(fields, 1.0f / SIGHT_ONE, weights + l->weights, l->outputs, row);
    if (net->n_layers > 1)
        rectify(row, (size_t)l->outputs);
}

static void read_columns(const network *net, int k, const float *weights, const float *columns,
                         int rows, float *outputs) {
    const network_layer *l = &net->layers[k];
    begin_with_bias(weights + l->bias, (size_t)l->outputs, outputs, rows);
    net->kernels->multiply(rows, l->outputs, l->inputs, (kernel_factor){columns, (size_t)l->inputs, 1},
                           weights + l->weights, outputs);
    if (k + 1 < net->n_layers)
        rectify(outputs, (size_t)rows * (size_t)l->outputs);
}

void network_read_inputs(const network *net, const float *weights, const float *inputs, int rows,
                         float *outputs) {
    read_columns(net, 0, weights, inputs, rows, outputs);
}

/* The runs of numbers that lie together in an image and in the patch at a place. */
typedef struct {
    const network_layer *layer;
    int place, run; /* run: of 4 * stride */
} patch_run;

static size_t run_in_image(patch_run r) {
    const network_layer *l = r.layer;
    int across = l->side / l->stride - 1, quarter = r.run / l->stride;
    int y = (r.place / across + quarter / 2) * l->stride + r.run % l->stride;
    int x = (r.place % across + quarter % 2) * l->stride;
    return ((size_t)y * (size_t)l->side + (size_t)x) * (size_t)l->depth;
}

static void cut_patches(const network_layer *l, const float *image, float *columns) {
    size_t length = (size_t)l->stride * (size_t)l->depth;
    for (int place = 0; place < l->places; place++)
        for (int run = 0; run < 4 * l->stride; run++, columns += length)
            memcpy(columns, image + run_in_image((patch_run){l, place, run}), length * sizeof *columns);
}

static void add_patches(const network_layer *l, const float *columns, float *image) {
    size_t length = (size_t)l->stride * (size_t)l->depth;
    for (int place = 0; place < l->places; place++)
        for (int run = 0; run < 4 * l->stride; run++, columns += length) {
            float *to = image + run_in_image((patch_run){l, place, run});
            for (size_t k = 0; k < length; k++)
                to[k] += columns[k];
        }
}

static const float *columns_of(const network *net, const workspace *d, int k) {
    return net->layers[k].stride ? d->columns[k] : d->outputs[k - 1];
}

void network_forward(const network *net, const float *weights, workspace *d, int n) {
    for (int k = 1; k < net->n_layers; k++) {
        const network_layer *l = &net->layers[k];
        size_t row = row_of(l - 1), wide = (size_t)l->places * (size_t)l->inputs;
        for (int s = 0; l->stride && s < n; s++)
            cut_patches(l, d->outputs[k - 1] + (size_t)s * row, d->columns[k] + (size_t)s * wide);
        read_columns(net, k, weights, columns_of(net, d, k), n * l->places, d->outputs[k]);
    }
}

/* ---- backward */

void network_transpose(const network *net, const float *weights, float *transposed) {
    for (int k = 1; k < net->n_layers; k++) {
        const network_layer *l = &net->layers[k];
        size_t inputs = (size_t)l->inputs, outputs = (size_t)l->outputs;
        for (size_t i = 0; i < inputs; i++)
            for (size_t j = 0; j < outputs; j++)
                transposed[l->weights + j * inputs + i] = weights[l->weights + i * outputs + j];
    }
}

static void add_rows(const float *rows, int count, size_t n, float *sum) {
    for (int k = 0; k < count; k++)
        for (size_t j = 0; j < n; j++)
            sum[j] += rows[(size_t)k * n + j];
}

/* Hands the gradients of a layer's outputs down to the layer before. */
static void hand_down(const network *net, const float *transposed, workspace *d, int k, int n) {
    const network_layer *l = &net->layers[k];
    size_t row = row_of(l - 1), wide = (size_t)l->places * (size_t)l->inputs;
    float *below = d->gradients[k - 1], *columns = l->stride ? d->column_gradients : below;
    memset(columns, 0, (size_t)n * wide * sizeof *columns);
    kernel_factor gradients = {d->gradients[k], (size_t)l->outputs, 1};
    net->kernels->multiply(n * l->places, l->inputs, l->outputs, gradients, transposed + l->weights,
                           columns);
    if (!l->stride)
        return;
    memset(below, 0, (size_t)n * row * sizeof *below);
    for (int s = 0; s < n; s++)
        add_patches(l, columns + (size_t)s * wide, below + (size_t)s * row);
}

void network_backward(const network *net, const float *transposed, workspace *d, int n,
                      float *gradient) {
    for (int k = net->n_layers - 1; k > 0; k--) {
        const network_layer *l = &net->layers[k];
        int rows = n * l->places;
        add_rows(d->gradients[k], rows, (size_t)l->outputs, gradient + l->bias);
        net->kernels->multiply(l->inputs, l->outputs, rows,
                               (kernel_factor){columns_of(net, d, k), 1, (size_t)l->inputs},
                               d->gradients[k], gradient + l->weights);
        hand_down(net, transposed, d, k, n);
        if (k > 1)
            rectify_gradient(d->outputs[k - 1], d->gradients[k - 1], (size_t)n * row_of(l - 1));
    }
}

/* Adds what the first layer's outputs have for gradients to that of its bias. */
static void learn_first_bias(const network *net, const workspace *d, int n, float *gradient) {
    const network_layer *l = &net->layers[0];
    if (net->n_layers > 1)
        rectify_gradient(d->outputs[0], d->gradients[0], (size_t)n * (size_t)l->outputs);
    add_rows(d->gradients[0], n, (size_t)l->outputs, gradient + l->bias);
}

void network_learn_fields(const network *net, const workspace *d, int n, float *gradient) {
    const network_layer *l = &net->layers[0];
    learn_first_bias(net, d, n, gradient);
    for (int k = 0; k < n; k++)
        net->kernels->spread(d->fields[k], 1.0f / SIGHT_ONE,
                             d->gradients[0] + (size_t)k * (size_t)l->outputs, l->outputs,
                             gradient + l->weights);
}

void network_learn_inputs(const network *net, const workspace *d, const float *inputs, int n,
                          float *gradient) {
    const network_layer *l = &net->layers[0];
    learn_first_bias(net, d, n, gradient);
    kernel_factor turned = {inputs, 1, (size_t)l->inputs};
    net->kernels->multiply(l->inputs, l->outputs, n, turned, d->gradients[0], gradient + l->weights);
}
