/* Plays agents in WebAssembly: the functions of ludus/agent.h, in a linear memory with pointers of 32 bits. */
#pragma once

#include "agent/host.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A value as Wasmtime passes it without its type. */
typedef union {
    int32_t i32;
    uint32_t u32;
    uint8_t bytes[16];
} wasm_value;

/* Functions of Wasmtime's C interface. Its Python package has loaded them, and gives their addresses in this order. */
typedef struct {
    void *(*call)(void *context, const void *function, wasm_value *values, size_t count, void **trap);
    void *(*set_fuel)(void *context, uint64_t fuel);
    void *(*get_fuel)(const void *context, uint64_t *fuel);
    uint8_t *(*find_memory)(const void *context, const void *memory);
    size_t (*measure_memory)(const void *context, const void *memory);
    void *(*grow_memory)(void *context, const void *memory, uint64_t pages, uint64_t *pages_before);
    void *(*find_context)(void *caller);
    void *(*make_trap)(const char *message, size_t size);
    void *(*make_trap_of_code)(uint8_t code);
} wasm_runtime;

/* A function or a memory of an instance, as Wasmtime writes it down. */
typedef struct {
    uint8_t bytes[32];
} wasm_item;

/* What an agent's fuel is used for. */
enum wasm_use {
    WASM_RESET,
    WASM_ACT,
    WASM_LEARN,
    WASM_OBSERVATION,
    WASM_CLONE, /* the first function that a module can import */
    WASM_ADVANCE,
    WASM_DESCRIBE,
    WASM_GRID,
    WASM_PLACES,
    WASM_FREE,
    WASM_LOG,
    WASM_USES
};
enum {
    WASM_IMPORTS = WASM_USES - WASM_CLONE,
    WASM_ENGINE_FUNCTIONS = WASM_LOG - WASM_CLONE,
    WASM_MOST_MODELS = 1 << 16,
    WASM_MOST_LOGGED = 500000 /* bytes an episode; the rest is dropped */
};

/* An instance with one agent, which has been created. */
typedef struct {
    wasm_runtime runtime;
    void *context;
    wasm_item memory;
    bool has_memory; /* false while the module is instantiated */
    wasm_item calls[WASM_LEARN + 1];       /* the functions of the module by their use */
    uint32_t agent;                        /* what ludus_agent_create() returned */
    uint32_t table[WASM_ENGINE_FUNCTIONS]; /* where the engine is in the module's table; 0 if it has none */
    uint64_t fuel;                         /* what is left */
    uint64_t entered[WASM_USES], used[WASM_USES];
    uint32_t area, capacity; /* the part of its memory that the host writes to */
    const ludus_agent_engine *engine;
    const ludus_agent_model *now;
    ludus_agent_model **models;
    uint32_t n_models, first_free;
    char *logged; /* what it has logged and nobody has taken */
    size_t n_logged, logged_so_far;
    void *trap, *error; /* why the last call failed: for Wasmtime's package to describe and delete */
} wasm_agent;

/* A function that a module imports; its environment is the wasm_agent. */
typedef void *(*wasm_import)(void *environment, void *caller, wasm_value *values, size_t count);
extern const wasm_import WASM_IMPORTED[WASM_IMPORTS];

/* Lets a host call the agent of an instance instead of a library's. */
void wasm_agent_connect(agent_host *host, wasm_agent *agent, bool learns);
/* Frees what belongs to the instance, before another takes its place. */
void wasm_agent_forget(wasm_agent *agent);

#ifdef __cplusplus
}
#endif
