// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/exact_slider.h"

#include <QScopedValueRollback>

#include <utility>

namespace homebooth::app {

ExactSlider::ExactSlider(int parts, QWidget* parent)
    : QSlider(Qt::Horizontal, parent)
    , m_parts(parts) {}

void ExactSlider::setExact(double number) {
    const double before = std::exchange(m_exact, number);
    const QScopedValueRollback<bool> setting(m_setting, true);
    setValue(qRound(qBound(double(minimum()), number * m_parts, double(maximum()))));
    if (number != before) Q_EMIT exactChanged(number);
}

void ExactSlider::sliderChange(SliderChange change) {
    QSlider::sliderChange(change);
    if (change != SliderValueChange || m_setting) return;
    m_exact = double(value()) / m_parts;
    Q_EMIT exactChanged(m_exact);
}

} // namespace homebooth::app
