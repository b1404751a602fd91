// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which GPUs this computer has, as the engine's doctor says: asked once for all who want to know. The
// window never initialises NVIDIA's driver itself: one in disorder may hang or crash the program that does,
// and what it answered once it answers for that program's life. Figures of a card that answers come from
// the driver's management library, which touches no device (core/base/system/gpu_facts.h).
// Owned by main; GUI thread. Invariants:
//   1. One question at a time, whoever asks: there is no second process while one is there, also where
//      the driver holds one that was given up.
//   2. A question begins when the event loop turns, so not before a window is shown that was made to be.
//   3. No answer is not the answer that there are none: nothing is known then, and it is asked again.
//   4. What is known stays as it is; figures alone are renewed.
#pragma once

#include "core/base/run/queue/job_slots.h"
#include "core/base/system/gpu_facts.h"

#include <QByteArray>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QTimer>

#include <optional>
#include <vector>

namespace homebooth::app {

class EngineCall;
struct EngineAnswer;

/// How long is waited, in milliseconds.
struct GpuPatience {
    int longestMs = 300'000; ///< for an answer: a driver wakes its cards in a second or few, or in a minute
    int pauseMs = 5'000;     ///< after the first failure; twice as long after each further one
    int longestPauseMs = 600'000;
};

class GpuAnswer : public QObject {
    Q_OBJECT
public:
    enum class State {
        Unknown, ///< not asked, or not answered yet
        Failed,  ///< asked in vain, see `problem`; it is asked again by itself
        Known
    };
    explicit GpuAnswer(QObject* parent = nullptr, GpuPatience patience = {});

    /// Asks, unless it is known or being asked; after a failure at once. Without a driver no program is
    /// started.
    void want();
    /// Asks for the figures of cards anew: `reported` comes. @returns whether that was begun
    bool renew();

    [[nodiscard]] State state() const;
    /// Null while nobody knows.
    [[nodiscard]] const core::GpuFacts* facts() const { return m_facts ? &*m_facts : nullptr; }
    /// What jobs compute on, as core::jobSlots has it, also what $HOMEBOOTH_SLOTS says; nothing while
    /// nobody knows.
    [[nodiscard]] std::optional<std::vector<core::JobSlot>> places() const;
    /// What the doctor said last of the figures, as JSON; empty: nothing.
    [[nodiscard]] const QByteArray& report() const { return m_report; }
    /// Why nobody knows, until somebody does; empty: no answer failed.
    [[nodiscard]] const QString& problem() const { return m_problem; }
    /// Whether that is the driver, which does not answer.
    [[nodiscard]] bool driverSilent() const { return m_driverSilent; }

Q_SIGNALS:
    void changed();  ///< it failed (again), or is known from now on
    void reported(); ///< there are new figures, or none any more

private:
    void ask();
    void take(const EngineAnswer& answer);
    void giveUp();
    /// @param driver  it is the driver that gave no answer
    void fail(const QString& reason, bool driver = false);
    void know(core::GpuFacts facts);

    const GpuPatience m_patience;
    std::optional<core::GpuFacts> m_facts;
    QByteArray m_report;
    QString m_problem;
    bool m_driverSilent = false;
    QPointer<EngineCall> m_call; ///< as long as its process is there
    QTimer m_limit;
    QTimer m_pause;
    int m_pauseMs; ///< the next one
    bool m_asking = false;
    bool m_brief = true; ///< the engine knows the question for the GPUs alone
};

/// What `doctor --json` says of GPUs; nothing where it is no such report.
[[nodiscard]] std::optional<core::GpuFacts> gpuFactsOf(const QByteArray& report);

/// One for each of several GPUs that can be named, in their order, else a single one that names none.
[[nodiscard]] std::vector<core::JobSlot> slotsOfGpus(const std::vector<core::GpuDevice>& gpus);

} // namespace homebooth::app
