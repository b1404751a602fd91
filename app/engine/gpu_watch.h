// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The graphics cards of this computer between which there is a choice, with their memory and temperature
// as the engine's doctor reports them to all (gpu_answer.h). Owned by the form that shows them; GUI thread.
// Invariants:
//   1. The cards are the queue's slots (core/base/run/queue/job_slots.h), in their order: the fastest first.
//   2. Nothing is asked before `watch`, and figures are renewed only while somebody sees them.
#pragma once

#include "core/base/run/queue/job_slots.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>
#include <optional>
#include <vector>

namespace homebooth::app {

class GpuAnswer;

struct GpuCard {
    QString id; ///< as the engine's option takes it
    QString name;
    int64_t totalBytes = 0; ///< 0: not known
    int64_t freeBytes = -1; ///< -1: not known
    std::optional<int> temperatureCelsius = std::nullopt;

    friend bool operator==(const GpuCard&, const GpuCard&) = default;
};

/// The slots with what `doctor --json` says of them; fewer than two are none. A report that names no ids has
/// its cards in the same order.
[[nodiscard]] std::vector<GpuCard> gpuCardsOf(const std::vector<core::JobSlot>& places,
                                              const QByteArray& report);

class GpuWatch : public QObject {
    Q_OBJECT
public:
    /// @param seen     whether somebody sees the figures
    /// @param pauseMs  between two looks at them
    explicit GpuWatch(GpuAnswer& gpus, std::function<bool()> seen, QObject* parent = nullptr,
                      int pauseMs = 10'000);

    /// Looks at the figures from now on, and wants to know the cards.
    void watch();
    /// Two or more, or none: also while nobody knows.
    [[nodiscard]] const std::vector<GpuCard>& cards() const { return m_cards; }

Q_SIGNALS:
    void changed();

private:
    void look();

    GpuAnswer& m_gpus;
    std::function<bool()> m_seen;
    QTimer m_pause;
    std::vector<GpuCard> m_cards;
    bool m_watching = false;
    bool m_figures = false; ///< they are there, or were asked for
};

} // namespace homebooth::app
