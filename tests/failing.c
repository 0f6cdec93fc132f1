/* Lets the n-th large allocation of a program fail: tests/base/test_memory.py preloads it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

enum { LARGE = 64 << 10 };

static atomic_long until = -1; /* large allocations until the one that fails; negative: none does */
static atomic_long seen = 0;

/* From now on the n-th large allocation fails. */
void failing_start(long n) {
    atomic_store(&seen, 0);
    atomic_store(&until, n);
}

/* Ends it, and tells how many large allocations there were. */
long failing_stop(void) {
    atomic_store(&until, -1);
    return atomic_load(&seen);
}

static int fails(size_t size) {
    if (size < LARGE || atomic_load(&until) < 0)
        return 0;
    if (atomic_fetch_add(&seen, 1) + 1 != atomic_load(&until))
        return 0;
    errno = ENOMEM;
    return 1;
}

/* The function of the name that would be called without this file. */
#define NEXT(name)                                                                                 \
    static __typeof__(&name) next = NULL;                                                          \
    if (next == NULL)                                                                              \
    next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

void *malloc(size_t size) {
    NEXT(malloc);
    return fails(size) ? NULL : next(size);
}

void *realloc(void *place, size_t size) {
    NEXT(realloc);
    /* To give memory back never fails. */
    int grows = place == NULL || malloc_usable_size(place) < size;
    return grows && fails(size) ? NULL : next(place, size);
}

int posix_memalign(void **place, size_t alignment, size_t size) {
    NEXT(posix_memalign);
    return fails(size) ? ENOMEM : next(place, alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    NEXT(aligned_alloc);
    return fails(size) ? NULL : next(alignment, size);
}

void *calloc(size_t number, size_t size) {
    static __typeof__(&calloc) next = NULL;
    static _Thread_local int is_asking = 0;
    if (next == NULL) {
        if (is_asking)
            return NULL; /* dlsym itself asks, and does without */
        is_asking = 1;
        next = (__typeof__(&calloc))dlsym(RTLD_NEXT, "calloc");
        is_asking = 0;
    }
    int is_large = number != 0 && size >= LARGE / number;
    return is_large && fails(number * size) ? NULL : next(number, size);
}
