/* The job as a plug-in of rc/1. */
#include "job.h"
#include <stdint.h>
#include <stdlib.h>

#define HOST(name) __attribute__((import_module("recollect"), import_name(#name)))
#define EXPORT(name) __attribute__((export_name(#name)))

HOST(call) int32_t host_call(const char *at, int32_t n);
HOST(read) int32_t host_read(char *at, int32_t n);

static char *request, *reply;

EXPORT(rc_abi_1) void marker(void) {}

EXPORT(rc_alloc) char *alloc(int32_t n) { return request = realloc(request, (size_t)n + 1); }

EXPORT(rc_check) uint64_t check(int32_t n) {
    bytes answer = job((bytes){request, (size_t)n});
    return (uint64_t)(uintptr_t)answer.at << 32 | answer.n;
}

bytes ask(bytes question) {
    int32_t n = host_call(question.at, (int32_t)question.n);
    reply = realloc(reply, (size_t)n + 1);
    return (bytes){reply, (size_t)host_read(reply, n)};
}
