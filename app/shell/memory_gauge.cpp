// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/memory_gauge.h"

#include "app/engine/figures.h"
#include "app/theme/metrics.h"
#include "app/theme/theme.h"
#include "app/widgets/read_as.h"

#include <QLocale>
#include <QPainter>
#include <QPainterPath>

#include <cmath>

namespace homebooth::app {
namespace {
constexpr int kBarWidth = 72;
constexpr int kBarHeight = 8;
constexpr int kMarkWidth = 2;
constexpr qint64 kTellMs = 10'000;
} // namespace

MemoryGauge::MemoryGauge(const QString& name, QWidget* parent)
    : QWidget(parent)
    , m_name(name) {
    readAs(*this, QAccessible::ProgressBar);
    setTypeRole(this, TypeRole::Caption);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    hide();
}

QString MemoryGauge::figures(int64_t usedBytes) const {
    constexpr double kGibi = 1024.0 * 1024.0 * 1024.0;
    const double used = double(usedBytes) / kGibi;
    const double total = double(m_total) / kGibi;
    const bool whole = total >= 10 && std::abs(total - std::round(total)) < 0.05; // else as others tell it
    return tr("%1 of %2 GB")
        .arg(locale().toString(used, 'f', 1), locale().toString(total, 'f', whole ? 0 : 1));
}

void MemoryGauge::set(int64_t ours, int64_t others, int64_t total) {
    m_ours = ours;
    m_others = others;
    if (m_total != total) updateGeometry();
    m_total = total;
    const bool visible = total > 0;
    if (isHidden() == visible) setVisible(visible);
    say();
}

void MemoryGauge::setLimit(int64_t bytes) {
    m_limit = bytes;
    say();
}

void MemoryGauge::setStale(double seconds) {
    m_staleSeconds = seconds;
    say();
}

void MemoryGauge::say() {
    QString name = QStringLiteral("%1 %2").arg(m_name, figures(m_ours + m_others));
    QString tip = tr("%1: %2 used by Homebooth, %3 by other programs, %4 in all")
                      .arg(m_name, memoryText(m_ours), memoryText(m_others), memoryText(m_total));
    if (m_limit > 0) {
        const QString limit = tr("limit %1").arg(memoryText(m_limit));
        name += QStringLiteral(", ") + limit;
        tip += QStringLiteral(", ") + limit;
    }
    if (m_staleSeconds > 0.0) {
        const QString age = tr("%1 ago").arg(durationText(m_staleSeconds));
        name += QStringLiteral(", ") + age;
        tip += QLatin1Char('\n') + age;
    }
    tellReader(name);
    setToolTip(tip); // which is its description, too
    update();
}

void MemoryGauge::tellReader(const QString& name) {
    constexpr double kFull = 100.0;
    setLevel(*this, m_total > 0 ? kFull * double(m_ours + m_others) / double(m_total) : 0.0);
    const Told now{m_total, m_limit, m_staleSeconds > 0.0};
    const bool same = now == m_told && m_sinceTold.isValid() && !m_sinceTold.hasExpired(kTellMs);
    if (same || name == accessibleName()) return;
    m_told = now;
    m_sinceTold.start();
    setAccessibleName(name);
}

void MemoryGauge::setCompact(bool compact) {
    m_compact = compact;
    updateGeometry();
    update();
}

QSize MemoryGauge::sizeHint() const {
    const QFontMetrics metrics = fontMetrics();
    QString widest = figures(m_total); // it has the most digits
    for (QChar& letter : widest)
        if (letter.isDigit()) letter = QLatin1Char('8');
    const int words = metrics.horizontalAdvance(m_name) + metrics.horizontalAdvance(widest) + 1;
    return {words + kGapLabel + (m_compact ? 0 : kBarWidth + kGapLabel), metrics.height()};
}

void MemoryGauge::paintBar(QPainter& painter, const QRectF& bar) const {
    const Colours& c = colours();
    const auto widthOf = [&](int64_t bytes) { return bar.width() * double(bytes) / double(m_total); };
    QPainterPath clip;
    clip.addRoundedRect(bar, 3, 3);
    painter.save();
    painter.setClipPath(clip);
    painter.fillRect(bar, c.groove);
    painter.fillRect(QRectF(bar.left(), bar.top(), widthOf(m_ours), bar.height()),
                     m_staleSeconds > 0.0 ? c.outline : c.link);
    const QRectF others(bar.left() + widthOf(m_ours), bar.top(), widthOf(m_others), bar.height());
    painter.fillRect(others, QBrush(mixed(c.text, c.window, 0.6), Qt::BDiagPattern));
    painter.restore();
    if (m_limit <= 0 || m_limit >= m_total) return;
    // Beyond the bar at both ends, so that it is seen on every ground.
    const double at = bar.left() + widthOf(m_limit);
    painter.fillRect(QRectF(at - kMarkWidth / 2.0, bar.top() - 2, kMarkWidth, bar.height() + 4), c.error);
}

void MemoryGauge::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Colours& c = colours();
    painter.setPen(c.muted);
    int x = 0;
    painter.drawText(QRect(x, 0, width(), height()), Qt::AlignVCenter, m_name);
    x += fontMetrics().horizontalAdvance(m_name) + kGapLabel;
    if (!m_compact && m_total > 0) {
        const QRectF bar(x, (height() - kBarHeight) / 2.0, kBarWidth, kBarHeight);
        paintBar(painter, bar);
        x += kBarWidth + kGapLabel;
    }
    painter.setPen(m_staleSeconds > 0.0 ? c.muted : c.text);
    painter.drawText(QRect(x, 0, width() - x, height()), Qt::AlignVCenter, figures(m_ours + m_others));
}

} // namespace homebooth::app
