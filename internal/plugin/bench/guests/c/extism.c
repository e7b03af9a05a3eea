/* The job as a plug-in of Extism. Its ABI moves eight bytes with each call. */
#include "job.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ENV(name) __attribute__((import_module("extism:host/env"), import_name(#name)))
#define EXPORT(name) __attribute__((export_name(#name)))

ENV(input_length) uint64_t input_length(void);
ENV(input_load_u8) uint32_t input_load_u8(uint64_t at);
ENV(input_load_u64) uint64_t input_load_u64(uint64_t at);
ENV(alloc) uint64_t arena_alloc(uint64_t n);
ENV(free) void arena_free(uint64_t at);
ENV(length) uint64_t arena_length(uint64_t at);
ENV(load_u8) uint32_t load_u8(uint64_t at);
ENV(load_u64) uint64_t load_u64(uint64_t at);
ENV(store_u8) void store_u8(uint64_t at, uint32_t v);
ENV(store_u64) void store_u64(uint64_t at, uint64_t v);
ENV(output_set) void output_set(uint64_t at, uint64_t n);
__attribute__((import_module("extism:host/user"), import_name("rc_call"))) uint64_t rc_call(uint64_t at);

static char *request, *reply;

static uint64_t store(bytes b) {
    uint64_t at = arena_alloc(b.n), v;
    size_t i = 0;
    for (; i + 8 <= b.n; i += 8) {
        memcpy(&v, b.at + i, 8);
        store_u64(at + i, v);
    }
    for (; i < b.n; i++) store_u8(at + i, (unsigned char)b.at[i]);
    return at;
}

EXPORT(check) int32_t check(void) {
    size_t n = (size_t)input_length(), i = 0;
    request = realloc(request, n + 1);
    for (; i + 8 <= n; i += 8) {
        uint64_t v = input_load_u64(i);
        memcpy(request + i, &v, 8);
    }
    for (; i < n; i++) request[i] = (char)input_load_u8(i);
    bytes answer = job((bytes){request, n});
    output_set(store(answer), answer.n);
    return 0;
}

bytes ask(bytes question) {
    uint64_t sent = store(question), at = rc_call(sent);
    size_t n = (size_t)arena_length(at), i = 0;
    reply = realloc(reply, n + 1);
    for (; i + 8 <= n; i += 8) {
        uint64_t v = load_u64(at + i);
        memcpy(reply + i, &v, 8);
    }
    for (; i < n; i++) reply[i] = (char)load_u8(at + i);
    arena_free(sent);
    arena_free(at);
    return (bytes){reply, n};
}
