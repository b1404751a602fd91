// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/theme/style_paint.h"

#include "app/theme/icons.h"
#include "app/theme/metrics.h"
#include "app/theme/theme.h"

#include <QDateTime>
#include <QPainter>
#include <QPainterPath>
#include <QStyleOption>

namespace homebooth::app {
namespace {

constexpr double kHalf = 0.5;
constexpr double kDisabledOpacity = 0.55;
constexpr double kStrongDisabledOpacity = 0.85; // its lines are to be seen all the same
constexpr int kBarHeight = 6;

bool has(const QStyleOption& option, QStyle::StateFlag flag) {
    return option.state.testFlag(flag);
}

/// Prepares a painter and gives it back as it was.
class Painting {
public:
    Painting(QPainter* painter, const QStyleOption& option)
        : m_painter(painter) {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (!has(option, QStyle::State_Enabled))
            painter->setOpacity(colours().strong ? kStrongDisabledOpacity : kDisabledOpacity);
    }
    ~Painting() { m_painter->restore(); }
    Painting(const Painting&) = delete;
    Painting& operator=(const Painting&) = delete;

private:
    QPainter* m_painter;
};

void box(QPainter* painter, const QRect& rect, const QColor& fill, const QColor& line,
         double radius = kRadius) {
    painter->setBrush(fill);
    painter->setPen(line.isValid() ? QPen(line, 1.0) : QPen(Qt::NoPen));
    painter->drawRoundedRect(QRectF(rect).adjusted(kHalf, kHalf, -kHalf, -kHalf), radius, radius);
}

void arrow(QPainter* painter, const QRect& rect, bool down) {
    const QPointF centre = QRectF(rect).center();
    constexpr double kWide = 3.5;
    const double high = down ? 2.0 : -2.0;
    painter->setPen(QPen(colours().muted, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->setBrush(Qt::NoBrush);
    painter->drawPolyline(QPolygonF{centre + QPointF(-kWide, -high), centre + QPointF(0, high),
                                    centre + QPointF(kWide, -high)});
}

QColor fieldLine(const QStyleOption& option) {
    if (has(option, QStyle::State_HasFocus)) return colours().link;
    if (has(option, QStyle::State_MouseOver)) return colours().text;
    return colours().outline;
}

/// A field's frame: the ring of the focus lies within, so that nothing around has to move.
void fieldBox(const QStyleOption& option, const QRect& rect, QPainter* painter) {
    box(painter, rect, colours().base, fieldLine(option));
    if (!has(option, QStyle::State_HasFocus)) return;
    painter->setBrush(Qt::NoBrush);
    painter->setPen(QPen(colours().link, 2.0));
    painter->drawRoundedRect(QRectF(rect).adjusted(1, 1, -1, -1), kRadius - kHalf, kRadius - kHalf);
}

/// Below the words of a switch that is on: its tint alone cannot be told in grey.
void paintOn(const QRect& rect, QPainter* painter) {
    constexpr double kThick = 3.0;
    constexpr double kBelow = 2.0;
    const QRectF whole(rect);
    painter->setPen(Qt::NoPen);
    painter->setBrush(colours().link);
    painter->drawRoundedRect(
        QRectF(whole.left() + kRadius, whole.bottom() - kBelow - kThick, whole.width() - 2 * kRadius, kThick),
        kThick / 2, kThick / 2);
}

/// Keeps what is painted within the round bar in the middle of an option's place. @returns that bar
QRectF clippedBar(const QStyleOption& option, QPainter* painter) {
    QRectF bar(option.rect);
    bar.setTop(bar.center().y() - kBarHeight / 2.0);
    bar.setHeight(kBarHeight);
    QPainterPath clip;
    clip.addRoundedRect(bar, kBarHeight / 2.0, kBarHeight / 2.0);
    painter->setClipPath(clip);
    return bar;
}

} // namespace

void paintButton(const QStyleOption& option, const QString& look, QPainter* painter) {
    const Painting painting(painter, option);
    const Colours& c = colours();
    const bool over = has(option, QStyle::State_MouseOver) && has(option, QStyle::State_Enabled);
    const bool down = has(option, QStyle::State_Sunken);
    const bool on = has(option, QStyle::State_On);
    // Where it cannot be pressed it is a button like the others: its words are to be read all the same.
    if (look == QLatin1String("primary") && has(option, QStyle::State_Enabled)) {
        const QColor fill = down   ? mixed(Qt::black, c.accent, 0.18)
                            : over ? mixed(Qt::black, c.accent, 0.09)
                                   : c.accent;
        box(painter, option.rect, fill, {});
    } else if (look == QLatin1String("quiet")) {
        if (over || down || on)
            box(painter, option.rect, down || on ? mixed(c.text, c.window, 0.12) : c.hover, {});
    } else if (on) {
        box(painter, option.rect, mixed(c.accent, c.base, 0.16), c.link);
    } else {
        const QColor fill = down ? mixed(c.text, c.base, 0.14) : over ? mixed(c.text, c.base, 0.06) : c.base;
        box(painter, option.rect, c.dark ? mixed(c.text, fill, 0.08) : fill, c.outline);
    }
    if (on) paintOn(option.rect, painter);
    const auto* button = qstyleoption_cast<const QStyleOptionButton*>(&option);
    if (button == nullptr || !button->features.testFlag(QStyleOptionButton::HasMenu)) return;
    constexpr int kArrow = 20;
    arrow(painter,
          QRect(option.rect.right() - kArrow, option.rect.top(), kArrow - kGapInside, option.rect.height()),
          true);
}

void paintButtonFocus(const QStyleOption& option, const QString& look, QPainter* painter) {
    if (!has(option, QStyle::State_HasFocus) || !has(option, QStyle::State_KeyboardFocusChange)) return;
    if (look != QLatin1String("primary")) return paintFocusRing(option, painter);
    const Painting painting(painter, option);
    constexpr double kInside = 3.0;
    painter->setBrush(Qt::NoBrush);
    painter->setPen(QPen(colours().onAccent, 1.5));
    painter->drawRoundedRect(QRectF(option.rect).adjusted(kInside, kInside, -kInside, -kInside),
                             kRadius - kInside, kRadius - kInside);
}

void paintField(const QStyleOption& option, QPainter* painter) {
    const Painting painting(painter, option);
    fieldBox(option, option.rect, painter);
}

void paintPopup(const QStyleOption& option, QPainter* painter) {
    const Painting painting(painter, option);
    painter->setRenderHint(QPainter::Antialiasing, false); // a window of its own has no round corners
    painter->setPen(colours().outline);
    painter->setBrush(colours().base);
    painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
}

void paintFocusRing(const QStyleOption& option, QPainter* painter) {
    const Painting painting(painter, option);
    painter->setBrush(Qt::NoBrush);
    painter->setPen(QPen(colours().link, 2.0));
    painter->drawRoundedRect(QRectF(option.rect).adjusted(1, 1, -1, -1), kRadius - 1, kRadius - 1);
}

void paintCheckMark(const QStyleOption& option, QPainter* painter) {
    const Painting painting(painter, option);
    constexpr double kCheckRadius = 4.0;
    const bool on = has(option, QStyle::State_On);
    box(painter, option.rect, on ? colours().accent : colours().base,
        on ? colours().accent : fieldLine(option), kCheckRadius);
    if (!on) return;
    const QRectF r(option.rect);
    painter->setPen(QPen(colours().onAccent, 2.0, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->drawPolyline(QPolygonF{{r.left() + r.width() * 0.25, r.top() + r.height() * 0.53},
                                    {r.left() + r.width() * 0.43, r.top() + r.height() * 0.71},
                                    {r.left() + r.width() * 0.76, r.top() + r.height() * 0.31}});
}

void paintRadioMark(const QStyleOption& option, QPainter* painter) {
    const Painting painting(painter, option);
    const bool on = has(option, QStyle::State_On);
    const double round = option.rect.width() / 2.0;
    box(painter, option.rect, on ? colours().accent : colours().base,
        on ? colours().accent : fieldLine(option), round);
    if (!on) return;
    painter->setPen(Qt::NoPen);
    painter->setBrush(colours().onAccent);
    painter->drawEllipse(QRectF(option.rect).center(), round * 0.38, round * 0.38);
}

void paintCombo(const QStyleOptionComplex& option, QPainter* painter) {
    const Painting painting(painter, option);
    fieldBox(option, option.rect, painter);
    constexpr int kArrow = 22;
    arrow(painter,
          QRect(option.rect.right() - kArrow, option.rect.top(), kArrow - kGapInside, option.rect.height()),
          true);
}

void paintSpinBox(const QStyleOptionSpinBox& option, const QRect& up, const QRect& down, QPainter* painter) {
    const Painting painting(painter, option);
    fieldBox(option, option.rect, painter);
    arrow(painter, up.adjusted(0, 2, 0, 0), false);
    arrow(painter, down.adjusted(0, 0, 0, -2), true);
}

void paintScrollBar(const QStyleOptionSlider& option, const QRect& slider, QPainter* painter) {
    const Painting painting(painter, option);
    constexpr int kThin = 6;
    const bool strong = has(option, QStyle::State_MouseOver) || has(option, QStyle::State_Sunken);
    const QColor colour = strong ? colours().muted : colours().outline; // 3:1 at least
    if (option.maximum <= option.minimum) return;
    QRectF thumb(slider);
    if (option.orientation == Qt::Vertical) {
        thumb.setWidth(kThin);
        thumb.moveLeft(option.rect.center().x() - kThin / 2.0);
        thumb.adjust(0, 2, 0, -2);
    } else {
        thumb.setHeight(kThin);
        thumb.moveTop(option.rect.center().y() - kThin / 2.0);
        thumb.adjust(2, 0, -2, 0);
    }
    painter->setPen(Qt::NoPen);
    painter->setBrush(colour);
    painter->drawRoundedRect(thumb, kThin / 2.0, kThin / 2.0);
}

void paintSlider(const QStyleOptionSlider& option, const QRect& handle, QPainter* painter) {
    const Painting painting(painter, option);
    constexpr double kGroove = 4.0;
    QRectF groove(option.rect);
    groove.setTop(groove.center().y() - kGroove / 2);
    groove.setHeight(kGroove);
    painter->setPen(Qt::NoPen);
    painter->setBrush(colours().groove);
    painter->drawRoundedRect(groove, kGroove / 2, kGroove / 2);
    QRectF filled = groove;
    filled.setRight(handle.center().x());
    painter->setBrush(colours().link);
    painter->drawRoundedRect(filled, kGroove / 2, kGroove / 2);
    const double round = 7.0;
    painter->setPen(QPen(has(option, QStyle::State_HasFocus) ? colours().link : colours().outline,
                         has(option, QStyle::State_HasFocus) ? 2.0 : 1.0));
    painter->setBrush(colours().dark ? colours().text : colours().base);
    painter->drawEllipse(QRectF(handle).center(), round, round);
}

void paintItem(const QStyleOptionViewItem& option, QPainter* painter) {
    const bool selected = has(option, QStyle::State_Selected);
    const bool over = has(option, QStyle::State_MouseOver);
    const bool focused = has(option, QStyle::State_HasFocus); // also of one that is not chosen
    if (!selected && !over && !focused) return;
    const Painting painting(painter, option);
    const Colours& c = colours();
    const QColor fill = selected ? mixed(c.accent, c.base, c.dark ? 0.42 : 0.16)
                        : over   ? c.hover
                                 : QColor(Qt::transparent);
    using Position = QStyleOptionViewItem::ViewItemPosition; // cells of a row are one piece
    const Position place = option.viewItemPosition;
    const bool begins = place != Position::Middle && place != Position::End;
    const bool ends = place != Position::Middle && place != Position::Beginning;
    painter->setClipRect(option.rect);
    box(painter, option.rect.adjusted(begins ? 2 : -kRadius, 1, ends ? -2 : kRadius, -1), fill,
        focused || (selected && c.strong) ? c.link : QColor());
}

void paintHeader(const QStyleOption& option, QPainter* painter) {
    const QRect place = option.rect;
    painter->fillRect(place, colours().base);
    painter->fillRect(QRect(place.left(), place.bottom(), place.width(), 1), colours().hairline);
}

void paintProgress(const QStyleOption& option, double part, const QColor& colour, QPainter* painter) {
    const Painting painting(painter, option);
    QRectF bar = clippedBar(option, painter);
    bar.setWidth(bar.width() * qBound(0.0, part, 1.0));
    painter->fillRect(bar, colour);
}

void paintBusy(const QStyleOption& option, QPainter* painter) {
    const Painting painting(painter, option);
    constexpr qint64 kRoundMs = 2400;
    constexpr double kPart = 0.3;
    const bool still = Theme::instance().motionMs() == 0;
    const double time =
        still ? 0.35 : double(QDateTime::currentMSecsSinceEpoch() % kRoundMs) / double(kRoundMs);
    const QRectF bar = clippedBar(option, painter);
    const double left = bar.left() + (time * (1.0 + kPart) - kPart) * bar.width();
    painter->fillRect(QRectF(left, bar.top(), kPart * bar.width(), kBarHeight), colours().link);
}

} // namespace homebooth::app
