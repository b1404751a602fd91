// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Loss over steps: each value thin, their running mean over it, and round marks for the loss of pictures that
// are held out of training. GUI thread.
#pragma once

#include "app/charts/chart.h"
#include "app/charts/curve.h"

namespace homebooth::app {

class LossChart : public Chart {
    Q_OBJECT
public:
    explicit LossChart(QWidget* parent = nullptr);

    void append(double step, double loss);
    /// @param loss  of pictures that are not learned
    void appendHeldOut(double step, double loss);
    void clear();
    void setLogarithmic(bool on);
    [[nodiscard]] bool logarithmic() const { return m_logarithmic; }
    /// Values that a logarithmic axis cannot show.
    [[nodiscard]] int skipped() const { return m_notPositive; }
    [[nodiscard]] double now() const { return m_raw.empty() ? 0.0 : m_raw.last().y; }
    [[nodiscard]] double trend() const { return m_smooth.empty() ? 0.0 : m_smooth.last().y; }
    [[nodiscard]] bool holdsOut() const { return !m_heldOut.empty(); }
    [[nodiscard]] double heldOut() const { return m_heldOut.empty() ? 0.0 : m_heldOut.last().y; }

    [[nodiscard]] QString sentence() const override;
    [[nodiscard]] std::function<QString()> csvMaker() const override;
    [[nodiscard]] QStringList tableColumns() const override;
    [[nodiscard]] size_t tableRows() const override { return m_raw.size(); }
    [[nodiscard]] QString tableCell(size_t row, int column) const override;

protected:
    void fill(double from, double to, int pixels) override;
    [[nodiscard]] QString valuesAt(double step) const override;
    [[nodiscard]] std::vector<ChartSeries> seriesAt(double step) const override;
    void takeColours() override;

private:
    void setRange(const std::vector<CurvePoint>& heldOut, double from, double to);
    /// Ticks at the edge for what lies beyond it, of what is drawn.
    void showOutliers(const std::vector<CurvePoint>& raw);
    [[nodiscard]] QString heldOutAt(double step) const;

    Curve m_raw;
    Curve m_smooth;
    Curve m_heldOut;
    RunningMean m_mean;
    QCPGraph* m_rawGraph = nullptr;
    QCPGraph* m_smoothGraph = nullptr;
    QCPGraph* m_outlierGraph = nullptr;
    QCPGraph* m_heldOutGraph = nullptr;
    bool m_logarithmic = false;
    int m_notPositive = 0;
};

} // namespace homebooth::app
