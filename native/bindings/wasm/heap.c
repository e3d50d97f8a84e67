/* The heap: blocks of powers of two, each size with a list of those that were given back. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 65536, SMALLEST = 5, CLASSES = 32 };

/* Stands before each block; keeps what follows aligned to 16 bytes. */
typedef struct block {
    struct block *next; /* while it is free */
    uint32_t class;     /* it is 2 to this power bytes long, with its head */
    uint64_t padding;
} block;

extern unsigned char __heap_base;
static block *free_blocks[CLASSES];
static uintptr_t heap_end; /* 0: not begun */

/* Returns n fresh bytes, or NULL if the machine has no more. */
static void *extend(size_t n) {
    if (!heap_end)
        heap_end = ((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15;
    size_t room = __builtin_wasm_memory_size(0) * PAGE - heap_end;
    if (n > room) {
        size_t pages = (n - room + PAGE - 1) / PAGE;
        if (__builtin_wasm_memory_grow(0, pages) == SIZE_MAX)
            return NULL;
    }
    void *fresh = (void *)heap_end;
    heap_end += n;
    return fresh;
}

static uint32_t class_of(size_t size) {
    uint32_t class = 32 - (uint32_t)__builtin_clz((uint32_t)(size + sizeof(block) - 1));
    return class < SMALLEST ? SMALLEST : class;
}

void *malloc(size_t size) {
    if (size > (size_t)1 << 30)
        return NULL;
    uint32_t class = class_of(size);
    block *found = free_blocks[class];
    if (found)
        free_blocks[class] = found->next;
    else if (!(found = extend((size_t)1 << class)))
        return NULL;
    found->class = class;
    return found + 1;
}

void *calloc(size_t n, size_t size) {
    if (size && n > SIZE_MAX / size)
        return NULL;
    void *memory = malloc(n * size);
    return memory ? memset(memory, 0, n * size) : NULL;
}

void *realloc(void *memory, size_t size) {
    if (!memory)
        return malloc(size);
    size_t held = ((size_t)1 << ((block *)memory)[-1].class) - sizeof(block);
    if (size <= held)
        return memory;
    void *moved = malloc(size);
    if (moved) {
        memcpy(moved, memory, held);
        free(memory);
    }
    return moved;
}

void free(void *memory) {
    if (!memory)
        return;
    block *given = (block *)memory - 1;
    given->next = free_blocks[given->class];
    free_blocks[given->class] = given;
}

/* Every block is aligned to 16 bytes, which is all that a machine without wide vectors can gain from. */
void *aligned_alloc(size_t alignment, size_t size) {
    (void)alignment;
    return malloc(size);
}
