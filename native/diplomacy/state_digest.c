/* The digest of a board: named fields in a fixed order and width, as docs/state-digest.md lists them. */
#include "common/digest.h"
#include "diplomacy/diplomacy.h"

static void write_lists(digest *d, const uint8_t *items, const uint8_t *counts) {
    for (int power = 0; power < DP_POWERS; items += counts[power], power++) {
        digest_u8(d, counts[power]);
        digest_bytes(d, items, counts[power]);
    }
}

static void write_pieces(digest *d, const dp_piece *pieces, int n) {
    digest_u8(d, (uint8_t)n);
    for (int k = 0; k < n; k++) {
        digest_u8(d, pieces[k].owner);
        digest_u8(d, pieces[k].unit);
    }
}

uint64_t dp_hash(const dp_board *board) {
    digest d = digest_begin();
    digest_i32(&d, DP_DIGEST_VERSION);
    digest_i16(&d, board->year);
    digest_u8(&d, board->season);
    digest_u8(&d, board->kind);
    digest_u8(&d, board->options);
    digest_u8(&d, board->victors);
    write_pieces(&d, board->units, board->n_units);
    write_pieces(&d, board->destroyed, board->n_destroyed);
    digest_u8(&d, board->n_dislodged);
    for (int k = 0; k < board->n_dislodged; k++) {
        digest_u8(&d, board->dislodged[k].owner);
        digest_u8(&d, board->dislodged[k].unit);
        digest_i16(&d, (int16_t)board->dislodged[k].places);
    }
    write_lists(&d, board->centres, board->n_centres);
    write_lists(&d, board->influence, board->n_influence);
    return digest_end(&d);
}
