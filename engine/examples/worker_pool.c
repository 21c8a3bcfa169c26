#include "worker_pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum {
    // A step has new tasks every few microseconds to a tenth of a millisecond, and waking a thread
    // takes about as long: so an idle thread spins for some time, yielding its processor to others.
    LOOKS_BEFORE_SLEEP = 1000,
    CACHE_LINE = 64
};

// Each thread has a share of the tasks: consecutive ones, and about the same ones in all loops of
// all steps. So most of what its tasks read is still in its processor's cache, and need not come
// from another processor. A thread takes tasks from the front of its own share. When that is empty,
// it takes them from the back of the others' shares.
//
// A share is one number, so that a task is taken at once: its upper half is the first task, its
// lower half the end. A thread that has taken a task may read the job, which does not change before
// that task, too, has been counted in `done`. A thread that finds none reads nothing.
typedef struct worker {
    _Atomic uint64_t share;
    char apart[CACHE_LINE]; ///< No two shares are in one cache line.
    worker_pool *pool;
    pthread_t thread; ///< Not of the first worker, which is the caller.
} worker;

struct worker_pool {
    worker *workers;
    uint32_t count, started; ///< Workers; those whose threads were created.
    void (*task)(void *context, uint32_t index);
    void *context;
    atomic_uint done;
    atomic_bool ended;
    pthread_mutex_t mutex;
    pthread_cond_t work;
};

static uint64_t make_share(uint32_t first, uint32_t end)
{
    return (uint64_t)first << 32 | end;
}

static uint32_t first_of(uint64_t share)
{
    return (uint32_t)(share >> 32);
}

static uint32_t end_of(uint64_t share)
{
    return (uint32_t)share;
}

// Takes the first task of a worker's share, for itself, or the last, for another one. Returns false
// if none is left.
static bool take_task(worker *from, bool is_own, uint32_t *task)
{
    uint64_t share = atomic_load(&from->share);
    while (first_of(share) < end_of(share)) {
        const uint32_t first = first_of(share);
        const uint32_t end = end_of(share);
        const uint64_t rest = is_own ? make_share(first + 1, end) : make_share(first, end - 1);
        if (atomic_compare_exchange_weak(&from->share, &share, rest)) {
            *task = is_own ? first : end - 1;
            return true;
        }
    }
    return false;
}

static bool do_a_task(worker *self)
{
    worker_pool *pool = self->pool;
    const uint32_t own = (uint32_t)(self - pool->workers);
    for (uint32_t i = 0; i < pool->count; ++i) {
        uint32_t task;
        if (take_task(&pool->workers[(own + i) % pool->count], i == 0, &task)) {
            pool->task(pool->context, task);
            atomic_fetch_add(&pool->done, 1);
            return true;
        }
    }
    return false;
}

static bool has_tasks(const worker_pool *pool)
{
    for (uint32_t i = 0; i < pool->count; ++i) {
        const uint64_t share = atomic_load(&pool->workers[i].share);
        if (first_of(share) < end_of(share)) {
            return true;
        }
    }
    return false;
}

static void sleep_until_work(worker_pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    while (!has_tasks(pool) && !atomic_load(&pool->ended)) {
        pthread_cond_wait(&pool->work, &pool->mutex);
    }
    pthread_mutex_unlock(&pool->mutex);
}

static void *work_until_ended(void *argument)
{
    worker *self = argument;
    uint32_t idle = 0;
    while (!atomic_load(&self->pool->ended)) {
        if (do_a_task(self)) {
            idle = 0;
        } else if (++idle < LOOKS_BEFORE_SLEEP) {
            sched_yield();
        } else {
            sleep_until_work(self->pool);
            idle = 0;
        }
    }
    return NULL;
}

static void wake_all(worker_pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->mutex);
}

static void share_out(worker_pool *pool, uint64_t count)
{
    for (uint32_t i = 0; i < pool->count; ++i) {
        const uint32_t first = (uint32_t)(count * i / pool->count);
        const uint32_t end = (uint32_t)(count * (i + 1) / pool->count);
        atomic_store(&pool->workers[i].share, make_share(first, end));
    }
}

void worker_pool_run(void (*task)(void *context, uint32_t index), void *context, uint32_t count,
                     void *user)
{
    worker_pool *pool = user;
    pool->task = task;
    pool->context = context;
    atomic_store(&pool->done, 0);
    share_out(pool, count);
    wake_all(pool);
    while (do_a_task(&pool->workers[0])) {
    }
    while (atomic_load(&pool->done) < count) {
        sched_yield();
    }
}

worker_pool *worker_pool_create(uint32_t thread_count)
{
    const uint32_t count = thread_count > 1 ? thread_count : 1;
    worker_pool *pool = calloc(1, sizeof *pool);
    worker *workers = calloc(count, sizeof *workers);
    if (!pool || !workers) {
        free(workers);
        free(pool);
        return NULL;
    }
    pool->workers = workers;
    pool->count = count;
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->work, NULL);
    for (uint32_t i = 0; i < count; ++i) {
        workers[i].pool = pool;
    }
    for (pool->started = 1; pool->started < count; ++pool->started) {
        worker *next = &workers[pool->started];
        if (pthread_create(&next->thread, NULL, work_until_ended, next) != 0) {
            worker_pool_destroy(pool);
            return NULL;
        }
    }
    return pool;
}

void worker_pool_destroy(worker_pool *pool)
{
    if (!pool) {
        return;
    }
    atomic_store(&pool->ended, true);
    wake_all(pool);
    for (uint32_t i = 1; i < pool->started; ++i) {
        pthread_join(pool->workers[i].thread, NULL);
    }
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->mutex);
    free(pool->workers);
    free(pool);
}
