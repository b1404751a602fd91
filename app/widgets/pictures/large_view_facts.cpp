// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The words beside the picture: how it was made. As wide as the text is large, and moved by wheel and
// keys where they are longer than the view is high.
#include "app/theme/metrics.h"
#include "app/theme/theme.h"
#include "app/widgets/pictures/large_view.h"

#include <QPainter>

#include <algorithm>

namespace homebooth::app {
namespace {
constexpr int kLeastWidth = 280;
constexpr int kLetters = 40;    // of a line
constexpr int kFactsFrom = 900; // width of the view
constexpr int kMostPart = 3;    // the words take a third at most
constexpr int kEndless = 1 << 20;
constexpr int kHandle = 3;
constexpr QColor kGround(26, 27, 29); // of the words, over what lies behind the picture
} // namespace

bool LargeView::showsFacts() const {
    return m_wantsFacts && width() >= kFactsFrom && !m_facts.headline.isEmpty();
}

int LargeView::factsWidth() const {
    return std::max(kLeastWidth, std::min(kLetters * fontMetrics().averageCharWidth(), width() / kMostPart));
}

std::vector<LargeView::Paragraph> LargeView::paragraphs() const {
    std::vector<Paragraph> all;
    int top = kMargin;
    const auto add = [this, &all, &top](const QString& text, const QFont& font, const QColor& colour) {
        const QRect room(kMargin, top, factsWidth() - 2 * kMargin, kEndless);
        const int high = QFontMetrics(font, this).boundingRect(room, Qt::TextWordWrap, text).height();
        all.push_back({text, font, colour, QRect(room.topLeft(), QSize(room.width(), high))});
        top += high + (all.size() == 1 ? kGapBlock : kGapLabel);
    };
    add(m_facts.headline, Theme::instance().font(TypeRole::Section), Qt::white);
    for (const QString& line : m_facts.lines) add(line, font(), QColor(255, 255, 255, 190));
    return all;
}

int LargeView::factsRange() const {
    if (!showsFacts()) return 0;
    return std::max(0, paragraphs().back().place.bottom() + 1 + kMargin - height());
}

void LargeView::moveFacts(int by) {
    m_factsTop = std::clamp(m_factsTop + by, 0, factsRange());
    update();
}

bool LargeView::overFacts(QPointF place) const {
    return factsRange() > 0 && place.x() >= room().right();
}

void LargeView::paintFacts(QPainter& painter) const {
    const QRect part(width() - factsWidth(), 0, factsWidth(), height());
    const int range = factsRange();
    const int top = std::min(m_factsTop, range); // the view may have grown
    painter.save();
    painter.setClipRect(part);
    painter.fillRect(part, kGround);
    for (const Paragraph& one : paragraphs()) {
        painter.setFont(one.font);
        painter.setPen(one.colour);
        painter.drawText(one.place.translated(part.left(), -top), Qt::TextWordWrap | Qt::TextDontClip,
                         one.text);
    }
    if (range > 0) paintMoreFacts(painter, part, top, range);
    painter.restore();
}

void LargeView::paintMoreFacts(QPainter& painter, const QRect& part, int top, int range) const {
    const int high = part.height() * part.height() / (part.height() + range);
    const int from = (part.height() - high) * top / range;
    painter.fillRect(part.right() - kHandle, from, kHandle, high, QColor(255, 255, 255, 110));
    if (top >= range) return;
    const QRect foot(part.left(), part.bottom() + 1 - fontMetrics().height() - 2 * kGapInside,
                     part.width() - kHandle - 1, fontMetrics().height() + 2 * kGapInside);
    painter.fillRect(foot, kGround);
    painter.setFont(font());
    painter.setPen(QColor(255, 255, 255, 190));
    const QString more =
        fontMetrics().elidedText(tr("Page Down: more words"), Qt::ElideRight, foot.width() - 2 * kMargin);
    painter.drawText(foot.adjusted(kMargin, 0, -kMargin, 0), Qt::AlignVCenter | Qt::AlignLeft, more);
}

} // namespace homebooth::app
