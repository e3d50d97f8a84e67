/* What the engines need of the C library's ctype.h. */
#ifndef LUDUS_WASM_CTYPE_H
#define LUDUS_WASM_CTYPE_H

static inline int isupper(int letter) { return letter >= 'A' && letter <= 'Z'; }
static inline int tolower(int letter) { return isupper(letter) ? letter + 'a' - 'A' : letter; }

#endif
