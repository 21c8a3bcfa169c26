#include "worker_pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

// A step has new tasks every few microseconds to a tenth of a millisecond, and waking a thread
// takes about as long: so an idle thread spins for some time, yielding its processor to others.
enum { LOOKS_BEFORE_SLEEP = 1000 };

// A thread takes a task by decrementing `left`. If it succeeds it may read the job, which does not
// change before that task, too, has been counted in `done`. A thread that finds 0 reads nothing.
struct worker_pool {
    pthread_t *threads;
    uint32_t thread_count; ///< Beside the caller's.
    void (*task)(void *context, uint32_t index);
    void *context;
    atomic_uint left, done;
    atomic_bool ended;
    pthread_mutex_t mutex;
    pthread_cond_t work;
};

static bool do_a_task(worker_pool *pool)
{
    unsigned left = atomic_load(&pool->left);
    while (left > 0) {
        if (atomic_compare_exchange_weak(&pool->left, &left, left - 1)) {
            pool->task(pool->context, left - 1);
            atomic_fetch_add(&pool->done, 1);
            return true;
        }
    }
    return false;
}

static void sleep_until_work(worker_pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    while (atomic_load(&pool->left) == 0 && !atomic_load(&pool->ended)) {
        pthread_cond_wait(&pool->work, &pool->mutex);
    }
    pthread_mutex_unlock(&pool->mutex);
}

static void *work_until_ended(void *argument)
{
    worker_pool *pool = argument;
    uint32_t idle = 0;
    while (!atomic_load(&pool->ended)) {
        if (do_a_task(pool)) {
            idle = 0;
        } else if (++idle < LOOKS_BEFORE_SLEEP) {
            sched_yield();
        } else {
            sleep_until_work(pool);
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

void worker_pool_run(void (*task)(void *context, uint32_t index), void *context, uint32_t count,
                     void *user)
{
    worker_pool *pool = user;
    pool->task = task;
    pool->context = context;
    atomic_store(&pool->done, 0);
    atomic_store(&pool->left, count);
    wake_all(pool);
    while (do_a_task(pool)) {
    }
    while (atomic_load(&pool->done) < count) {
        sched_yield();
    }
}

worker_pool *worker_pool_create(uint32_t thread_count)
{
    const uint32_t others = thread_count > 1 ? thread_count - 1 : 0;
    worker_pool *pool = calloc(1, sizeof *pool);
    pthread_t *threads = calloc(others + 1, sizeof *threads);
    if (!pool || !threads) {
        free(threads);
        free(pool);
        return NULL;
    }
    pool->threads = threads;
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->work, NULL);
    while (pool->thread_count < others) {
        if (pthread_create(&threads[pool->thread_count], NULL, work_until_ended, pool) != 0) {
            worker_pool_destroy(pool);
            return NULL;
        }
        ++pool->thread_count;
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
    for (uint32_t i = 0; i < pool->thread_count; ++i) {
        pthread_join(pool->threads[i], NULL);
    }
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->mutex);
    free(pool->threads);
    free(pool);
}
