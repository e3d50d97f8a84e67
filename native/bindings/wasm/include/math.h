/* What the engines need of the C library's math.h: single instructions of WebAssembly, exact everywhere. */
#ifndef LUDUS_WASM_MATH_H
#define LUDUS_WASM_MATH_H

#define sqrt(x) __builtin_sqrt(x)
#define floorf(x) __builtin_floorf(x)
#define ceilf(x) __builtin_ceilf(x)
#define isfinite(x) __builtin_isfinite(x)

#endif
