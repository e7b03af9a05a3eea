/* The job of the benchmark, without the way its bytes come and go: rc1.c and
   extism.c are two such ways. */
#include <stddef.h>

typedef struct { const char *at; size_t n; } bytes;

/* job does the whole of it; the answer is good until the next call. */
bytes job(bytes request);

/* ask asks the host once; the reply is good until the next call. */
bytes ask(bytes request);
