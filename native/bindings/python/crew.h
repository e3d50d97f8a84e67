// A crew of threads that works through chunks of one job at a time; the caller works along.
#pragma once

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#define RELAX() _mm_pause()
#else
#define RELAX() ((void)0)
#endif

class Crew {
  public:
    // Does items first .. last - 1 and returns whether that went well.
    using Job = std::function<bool(int first, int last)>;

    explicit Crew(int helpers) {
        for (int k = 0; k < helpers; k++)
            threads_.emplace_back([this] { serve(); });
    }
    ~Crew() {
        stopping_ = true;
        begin_job();
        for (std::thread &thread : threads_)
            thread.join();
    }
    // Returns whether every chunk went well.
    bool run(Job job, int n, int chunk) {
        job_ = std::move(job);
        n_ = n;
        chunk_ = chunk;
        next_ = 0;
        failed_ = false;
        busy_ = int(threads_.size());
        begin_job();
        work();
        for (int spins = 0; busy_.load(std::memory_order_acquire) > 0; spins++)
            spins < SPINS ? RELAX() : std::this_thread::yield();
        return !failed_;
    }

  private:
    enum { SPINS = 4000 };

    void begin_job() {
        number_.fetch_add(1, std::memory_order_release);
        number_.notify_all();
    }
    void work() {
        for (int first; (first = next_.fetch_add(chunk_)) < n_;)
            if (!job_(first, first + chunk_ < n_ ? first + chunk_ : n_))
                failed_ = true;
    }
    void serve() {
        unsigned seen = 0;
        while (true) {
            for (int spins = 0; spins < SPINS && number_.load(std::memory_order_acquire) == seen; spins++)
                RELAX();
            number_.wait(seen, std::memory_order_acquire);
            seen = number_.load(std::memory_order_acquire);
            if (stopping_)
                return;
            work();
            busy_.fetch_sub(1, std::memory_order_release);
        }
    }

    std::vector<std::thread> threads_;
    std::atomic<unsigned> number_{0};
    std::atomic<int> next_{0}, busy_{0};
    std::atomic<bool> failed_{false}, stopping_{false};
    Job job_;
    int n_ = 0, chunk_ = 1;
};
