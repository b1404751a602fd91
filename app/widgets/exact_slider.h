// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A slider of numbers that keeps one it has no step for, or that lies beyond its ends, until it is
// moved. GUI thread.
#pragma once

#include <QSlider>

namespace homebooth::app {

class ExactSlider : public QSlider {
    Q_OBJECT
public:
    /// @param parts  steps of the slider that are one
    explicit ExactSlider(int parts, QWidget* parent = nullptr);
    [[nodiscard]] double exact() const { return m_exact; }
    /// @param number  finite, also beyond the ends
    void setExact(double number);

Q_SIGNALS:
    void exactChanged(double number); ///< however

protected:
    void sliderChange(SliderChange change) override;

private:
    int m_parts;
    double m_exact = 0.0;
    bool m_setting = false;
};

} // namespace homebooth::app
