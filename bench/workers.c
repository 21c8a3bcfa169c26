#include "workers.h"

#include "bench_memory.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    PATIENCE = 20000 ///< Looks at a word that others change before a thread gives way: about 50 us.
};

typedef void worker_task(void *context, uint32_t index);

/// Who takes a task raises the lower half of `ticket`, the next task's index. The upper half is the
/// call's number; an odd one is no call yet: the fields are being written. Whoever raises the
/// ticket of a call thus has read that call's fields. `done` ends a call: nobody is in it then.
struct workers {
    _Atomic uint64_t ticket;
    _Atomic(worker_task *) task;
    _Atomic(void *) context;
    _Atomic uint32_t count, done;
    _Atomic uint32_t sleeping; ///< Threads; raised and lowered inside the lock.
    _Atomic bool ending;
    pthread_mutex_t lock;
    pthread_cond_t called;
    uint32_t thread_count;
    pthread_t *threads;
};

static void require(bool condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "graze_bench: workers: %s\n", what);
        exit(1);
    }
}

static void rest_a_little(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

static uint32_t number_of(uint64_t ticket)
{
    return (uint32_t)(ticket >> 32);
}

/// Does tasks of call `number` until there are none left.
static void work_on(workers *pool, uint32_t number)
{
    uint64_t ticket = atomic_load(&pool->ticket);
    while (number_of(ticket) == number) {
        worker_task *task = atomic_load(&pool->task);
        void *context = atomic_load(&pool->context);
        uint32_t index = (uint32_t)ticket;
        if (index >= atomic_load(&pool->count)) {
            return;
        }
        if (atomic_compare_exchange_weak(&pool->ticket, &ticket, ticket + 1)) {
            task(context, index);
            atomic_fetch_add(&pool->done, 1);
            ticket = atomic_load(&pool->ticket);
        }
    }
}

static bool is_quiet(workers *pool, uint32_t number)
{
    uint32_t now = number_of(atomic_load(&pool->ticket));
    return (now == number || now % 2 == 1) && !atomic_load(&pool->ending);
}

static void sleep_until_called(workers *pool, uint32_t number)
{
    pthread_mutex_lock(&pool->lock);
    atomic_fetch_add(&pool->sleeping, 1);
    while (is_quiet(pool, number)) {
        pthread_cond_wait(&pool->called, &pool->lock);
    }
    atomic_fetch_sub(&pool->sleeping, 1);
    pthread_mutex_unlock(&pool->lock);
}

/// Waits for another call than `number`; returns its number, or the old one when that call is over
/// by now and the next one not yet made.
static uint32_t wait_for_call(workers *pool, uint32_t number)
{
    for (uint32_t i = 0; i < PATIENCE && is_quiet(pool, number); ++i) {
        rest_a_little();
    }
    if (is_quiet(pool, number)) {
        sleep_until_called(pool, number);
    }
    uint32_t now = number_of(atomic_load(&pool->ticket));
    return now % 2 == 0 ? now : number;
}

static void *serve(void *argument)
{
    workers *pool = argument;
    uint32_t number = 0;
    while (!atomic_load(&pool->ending)) {
        number = wait_for_call(pool, number);
        work_on(pool, number);
    }
    return NULL;
}

static void wake_sleepers(workers *pool)
{
    if (atomic_load(&pool->sleeping) > 0) {
        pthread_mutex_lock(&pool->lock);
        pthread_cond_broadcast(&pool->called);
        pthread_mutex_unlock(&pool->lock);
    }
}

workers *workers_create(uint32_t count)
{
    workers *pool = bench_allocate(1, sizeof *pool);
    pool->threads = bench_allocate(count, sizeof *pool->threads);
    require(pthread_mutex_init(&pool->lock, NULL) == 0, "no lock");
    require(pthread_cond_init(&pool->called, NULL) == 0, "no condition");
    for (uint32_t i = 1; i < count; ++i) {
        require(pthread_create(&pool->threads[pool->thread_count++], NULL, serve, pool) == 0,
                "no thread");
    }
    return pool;
}

void workers_destroy(workers *pool)
{
    atomic_store(&pool->ending, true);
    pthread_mutex_lock(&pool->lock);
    pthread_cond_broadcast(&pool->called);
    pthread_mutex_unlock(&pool->lock);
    for (uint32_t i = 0; i < pool->thread_count; ++i) {
        pthread_join(pool->threads[i], NULL);
    }
    pthread_cond_destroy(&pool->called);
    pthread_mutex_destroy(&pool->lock);
    free(pool->threads);
    free(pool);
}

/// Makes a new call, returns its number.
static uint32_t make_call(workers *pool, worker_task *task, void *context, uint32_t count)
{
    uint32_t number = number_of(atomic_load(&pool->ticket)) + 2;
    atomic_store(&pool->ticket, (uint64_t)(number - 1) << 32);
    atomic_store(&pool->task, task);
    atomic_store(&pool->context, context);
    atomic_store(&pool->count, count);
    atomic_store(&pool->done, 0);
    atomic_store(&pool->ticket, (uint64_t)number << 32);
    wake_sleepers(pool);
    return number;
}

void workers_run(void (*task)(void *context, uint32_t index), void *context, uint32_t count,
                 void *user)
{
    workers *pool = user;
    work_on(pool, make_call(pool, task, context, count));
    for (uint32_t i = 0; atomic_load(&pool->done) < count; ++i) {
        if (i < PATIENCE) {
            rest_a_little();
        } else {
            sched_yield();
        }
    }
}
