// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One value over steps, from 0 up: learning rate, throughput. GUI thread.
#pragma once

#include "app/charts/chart.h"

namespace homebooth::app {

class LineChart : public Chart {
    Q_OBJECT
public:
    /// @param unit  behind each value, e.g. "pictures/s"; may be empty
    LineChart(const QString& name, QString unit, QWidget* parent = nullptr);
    void append(double step, double value) { m_curve.append(step, value); }
    void clear() { m_curve.clear(); }
    /// The last value with its unit; empty while there is none.
    [[nodiscard]] QString nowText() const;
    [[nodiscard]] QString sentence() const override;
    [[nodiscard]] std::function<QString()> csvMaker() const override;
    [[nodiscard]] QStringList tableColumns() const override;
    [[nodiscard]] size_t tableRows() const override { return m_curve.size(); }
    [[nodiscard]] QString tableCell(size_t row, int column) const override;

protected:
    void fill(double from, double to, int pixels) override;
    [[nodiscard]] QString valuesAt(double step) const override;
    [[nodiscard]] std::vector<ChartSeries> seriesAt(double step) const override;
    void takeColours() override;

private:
    [[nodiscard]] QString valueText(double value) const;

    QString m_unit;
    Curve m_curve;
    QCPGraph* m_graph = nullptr;
};

} // namespace homebooth::app
