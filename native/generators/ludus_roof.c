/* The ceiling of caves and castles. */
#include "generators/ludus_builder.h"

enum { HEAD_ROOM = 6, THICK = 4 };

/* The first row of a column that holds something, but for walls up to the sky. */
static int first_filled(const builder *b, int x) {
    int row = 0;
    if (look(b, x, 0) != '-')
        return b->options->height;
    while (row < b->options->height && look(b, x, row) == '-')
        row++;
    return row;
}

/* Closed from end to end, so that no one walks above it; it hangs lower where there is room. */
void lg_roof(builder *b) {
    int length = b->options->length, deepest = larger(3, b->options->height / 3);
    for (int x = 0; x < length;) {
        int n = smaller(between(&b->roof, 3, 8), length - x);
        int rows = between(&b->roof, 1, deepest);
        if (x < b->sealed_to)
            n = smaller(n, b->sealed_to - x);
        for (int column = x - 2; column < x + n + 2; column++)
            if (column >= 0 && column < length)
                rows = smaller(rows, first_filled(b, column) - HEAD_ROOM);
        put_box(b, x, n, 0, larger(x < b->sealed_to ? THICK : 1, rows) - 1, 'X');
        x += n;
    }
}
