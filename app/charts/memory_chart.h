// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Memory of one tier over steps, stacked by kind, above it hatched what other programs hold, with the planned
// peak and the limit. GUI thread. Invariant: the scale is that of the whole run; it grows with what there is
// and never jumps, whatever other programs take and give back.
#pragma once

#include "app/charts/chart.h"
#include "app/charts/curve.h"
#include "app/theme/colours.h"
#include "core/base/run/journal/event.h"

#include <array>

namespace homebooth::app {

class MemoryChart : public Chart {
    Q_OBJECT
public:
    explicit MemoryChart(QWidget* parent = nullptr);

    void append(double step, const core::TierMemory& memory);
    void clear();
    /// Lines across the chart, in bytes; 0: none.
    void setPlanned(int64_t bytes);
    void setLimit(int64_t bytes);
    [[nodiscard]] double nowBytes() const;
    [[nodiscard]] double plannedBytes() const;
    /// "5.7 of 7.2 GB" also where the limit is too far away to be drawn; "5.7 GB" where there is none.
    [[nodiscard]] QString nowText() const;
    /// Whether other programs hold anything, which is drawn above ours.
    [[nodiscard]] bool showsOthers() const;

    [[nodiscard]] QString sentence() const override;
    [[nodiscard]] std::function<QString()> csvMaker() const override;
    [[nodiscard]] QStringList tableColumns() const override;
    [[nodiscard]] size_t tableRows() const override { return m_others.size(); }
    [[nodiscard]] QString tableCell(size_t row, int column) const override;

protected:
    void fill(double from, double to, int pixels) override;
    [[nodiscard]] QString valuesAt(double step) const override;
    [[nodiscard]] std::vector<ChartSeries> seriesAt(double step) const override;
    void takeColours() override;
    [[nodiscard]] std::vector<QRectF> takenPlaces() const override;

private:
    // In GiB.
    [[nodiscard]] double othersNow() const;
    [[nodiscard]] double ownMost() const;
    [[nodiscard]] bool limitNear() const;
    [[nodiscard]] double scaleTop() const;
    /// Above that, for the words at the topmost line and the names of marks; times the scale.
    [[nodiscard]] double headroom() const;
    void placeLines();

    std::array<Curve, kMemoryKinds> m_tops; // cumulative, in GiB
    Curve m_others;                         // of other programs, above them
    double m_oursMost = 0.0;                // so far, in GiB
    double m_othersMost = 0.0;              // without ours
    std::array<QCPGraph*, kMemoryKinds> m_graphs{};
    QCPGraph* m_othersGraph = nullptr;
    QCPItemStraightLine* m_plannedLine = nullptr;
    QCPItemStraightLine* m_limitLine = nullptr;
    QCPItemText* m_plannedText = nullptr;
    QCPItemText* m_limitText = nullptr;
    double m_planned = 0.0;
    double m_limit = 0.0;
};

/// "Model", "Optimizer" ... as the legend and tables name them.
[[nodiscard]] QString memoryKindName(MemoryKind kind);

/// The bytes of a kind.
[[nodiscard]] int64_t bytesOf(const core::TierMemory& memory, MemoryKind kind);

} // namespace homebooth::app
