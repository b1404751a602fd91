// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Measures the pauses between two turns of the event loop while it lives: how long each was, what its thread
// computed in it, and how long it waited for a processor that others had. What is left of a pause without
// that wait was held by the window itself: it computed, or stood before a lock or a disk. However busy the
// machine is, by these two alone a test fails; the rest is told. GUI thread.
#pragma once

#include <QElapsedTimer>
#include <QString>
#include <QTimer>

#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>

namespace homebooth::app {

class LoopWatch {
public:
    static constexpr qint64 kLongMs = 100; ///< a pause that people notice

    struct Pause {
        qint64 wallUs = 0; ///< the timer's own interval is part of it
        qint64 computedUs = 0;
        qint64 waitedUs = 0; ///< ready, but others had the processor
        /// Computed, or asleep before a lock, a disk or the next event.
        [[nodiscard]] qint64 heldUs() const { return qMax(computedUs, wallUs - waitedUs); }
    };

    LoopWatch()
        : m_schedule(::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC))
        , m_tellsWaits(scheduled(kSlices) > 0) {
        m_timer.setInterval(5);
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { take(); });
        m_since.start();
        m_computed = computedUs();
        m_waited = waitedUs();
        m_timer.start();
    }
    ~LoopWatch() {
        if (m_schedule >= 0) ::close(m_schedule);
    }
    LoopWatch(const LoopWatch&) = delete;
    LoopWatch& operator=(const LoopWatch&) = delete;
    /// By this thread so far, in microseconds.
    [[nodiscard]] static qint64 computedUs() {
        timespec now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return qint64(now.tv_sec) * 1'000'000 + now.tv_nsec / 1000;
    }
    /// Milliseconds, the timer's own interval among them.
    [[nodiscard]] qint64 worstMs() const { return m_worst.wallUs / 1000; }
    /// Milliseconds of the thread's own computing, reading of files that are in memory among them.
    [[nodiscard]] qint64 worstComputedMs() const { return m_worstComputed / 1000; }
    /// Milliseconds of a pause but for the wait for a processor: what the window computed, and what it waited
    /// for locks and disks. Where the system does not tell these waits, what it computed.
    [[nodiscard]] qint64 worstHeldMs() const { return m_worstHeld / 1000; }
    /// Whether the system tells how long the thread waited for a processor.
    [[nodiscard]] bool tellsWaits() const { return m_tellsWaits; }
    /// So many pauses were longer than kLongMs.
    [[nodiscard]] int longPauses() const { return m_longPauses; }
    /// All of that as one sentence, for the log of a test.
    [[nodiscard]] QString report() const {
        return QStringLiteral(
                   "longest pause of the event loop %1 ms (%2 computed, %3 waiting for a processor), "
                   "%4 of %5 longer than %6 ms; most computed in one: %7 ms, most held: %8 ms")
            .arg(worstMs())
            .arg(double(m_worst.computedUs) / 1000.0, 0, 'f', 1)
            .arg(double(m_worst.waitedUs) / 1000.0, 0, 'f', 1)
            .arg(m_longPauses)
            .arg(m_turns)
            .arg(kLongMs)
            .arg(double(m_worstComputed) / 1000.0, 0, 'f', 1)
            .arg(double(m_worstHeld) / 1000.0, 0, 'f', 1);
    }

private:
    /// Numbers of schedstat: nanoseconds but for the last, which a system that counts nothing leaves at 0.
    enum Number { kRan, kWaited, kSlices };

    [[nodiscard]] qint64 scheduled(Number number) const {
        char text[128] = {};
        if (m_schedule < 0 || ::pread(m_schedule, text, sizeof text - 1, 0) <= 0) return 0;
        char* next = text;
        for (int before = kRan; before < number; ++before) (void)std::strtoll(next, &next, 10);
        return std::strtoll(next, nullptr, 10);
    }
    [[nodiscard]] qint64 waitedUs() const { return scheduled(kWaited) / 1000; }
    void take() {
        const qint64 computed = computedUs();
        const qint64 waited = waitedUs();
        const Pause pause{m_since.nsecsElapsed() / 1000, computed - m_computed, waited - m_waited};
        m_since.start();
        m_computed = computed;
        m_waited = waited;
        ++m_turns;
        if (pause.wallUs > kLongMs * 1000) ++m_longPauses;
        if (pause.wallUs > m_worst.wallUs) m_worst = pause;
        m_worstComputed = qMax(m_worstComputed, pause.computedUs);
        m_worstHeld = qMax(m_worstHeld, m_tellsWaits ? pause.heldUs() : pause.computedUs);
    }

    int m_schedule = -1;
    bool m_tellsWaits = false;
    QTimer m_timer;
    QElapsedTimer m_since;
    Pause m_worst;
    qint64 m_computed = 0; // so far, in microseconds
    qint64 m_waited = 0;
    qint64 m_worstComputed = 0;
    qint64 m_worstHeld = 0;
    int m_longPauses = 0;
    int m_turns = 0;
};

} // namespace homebooth::app
