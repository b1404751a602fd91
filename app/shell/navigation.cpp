// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/navigation.h"

#include "app/theme/icons.h"
#include "app/theme/metrics.h"
#include "app/widgets/parts.h"

#include <QBoxLayout>
#include <QEvent>
#include <QFontDatabase>
#include <QPainter>

#include <algorithm>

namespace homebooth::app {
namespace {
constexpr int kEntryHeight = 36;
constexpr int kMark = 3;
constexpr double kDisabledOpacity = 0.4;
constexpr double kStrongDisabledOpacity = 0.6;
constexpr int kBeforeName = 2 * kGapLabel + kGapBlock + kNavIconSize + 2;
constexpr int kAfterName = 2 * kGapLabel;
constexpr double kFiner = 0.5; // points
} // namespace

NavigationButton::NavigationButton(const QString& iconName, const QString& text, QWidget* parent)
    : QAbstractButton(parent)
    , m_icon(iconName)
    , m_name(text) {
    setText(text);
    setCheckable(true);
    setAutoExclusive(true); // of a group that sees to it: screen readers take it for one of several by this
    setAccessibleName(text);
    setAttribute(Qt::WA_Hover);
    setFocusPolicy(Qt::StrongFocus);
}

void NavigationButton::setCompact(bool compact) {
    m_compact = compact;
    takeTip();
    update();
}

void NavigationButton::takeTip() {
    setToolTip(m_compact || width() < wholeWidth() ? m_name : QString());
}

int NavigationButton::badgeWidth() const {
    if (m_badge.isEmpty()) return 0;
    return QFontMetrics(Theme::instance().font(TypeRole::Caption)).horizontalAdvance(m_badge) + kGapInside;
}

int NavigationButton::widthIn(const QFont& letters) const {
    const int name = QFontMetrics(letters).horizontalAdvance(m_name) + 1; // it may be rounded down
    return kBeforeName + name + badgeWidth() + kAfterName;
}

void NavigationButton::resizeEvent(QResizeEvent* event) {
    QAbstractButton::resizeEvent(event);
    takeTip();
}

void NavigationButton::changeEvent(QEvent* event) {
    QAbstractButton::changeEvent(event);
    if (event->type() == QEvent::FontChange) takeTip();
}

void NavigationButton::setBadge(const QString& badge, const QString& words) {
    m_badge = badge;
    setAccessibleName(words.isEmpty() ? m_name : m_name + QStringLiteral(", ") + words);
    takeTip();
    update();
}

QSize NavigationButton::sizeHint() const {
    return {0, qMax(kEntryHeight, fontMetrics().height() + 4 * kGapInside)};
}

void NavigationButton::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Colours& c = colours();
    if (!isEnabled()) painter.setOpacity(c.strong ? kStrongDisabledOpacity : kDisabledOpacity);
    const QRectF box = QRectF(rect()).adjusted(kGapLabel, 1, -kGapLabel, -1);
    painter.setPen(Qt::NoPen);
    const bool here = isChecked() && isEnabled();
    if (here)
        painter.setBrush(mixed(c.accent, c.window, c.dark ? 0.34 : 0.13));
    else
        painter.setBrush(underMouse() ? c.hover : QColor(Qt::transparent));
    painter.drawRoundedRect(box, kRadius, kRadius);
    if (here) {
        painter.setBrush(c.link);
        painter.drawRoundedRect(QRectF(box.left(), box.top() + 9, kMark, box.height() - 18), 1.5, 1.5);
    }
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(c.link, 2));
        painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), kRadius - 1, kRadius - 1);
    }
    const int left = m_compact ? (width() - kNavIconSize) / 2 : int(box.left()) + kGapBlock;
    const QPixmap sign = iconPixmap(m_icon, here ? c.link : c.text, kNavIconSize, devicePixelRatioF());
    painter.drawPixmap(QPointF(left, (height() - kNavIconSize) / 2.0), sign);
    paintWords(painter, box, here);
}

void NavigationButton::paintWords(QPainter& painter, const QRectF& box, bool here) const {
    painter.setPen(colours().text);
    if (!m_compact) {
        const QRectF place = QRectF(rect()).adjusted(kBeforeName, 0, -kAfterName, 0);
        const int room = int(place.width()) - badgeWidth();
        QFont strong = font();
        strong.setWeight(QFont::DemiBold);
        // The whole word before a bold one: German ones are long, and the mark says the same.
        const bool fits = QFontMetrics(strong).horizontalAdvance(m_name) <= room;
        painter.setFont(here && fits ? strong : font());
        painter.drawText(place, Qt::AlignVCenter | Qt::AlignLeft,
                         painter.fontMetrics().elidedText(m_name, Qt::ElideRight, room));
    }
    if (m_badge.isEmpty()) return;
    painter.setFont(Theme::instance().font(TypeRole::Caption));
    painter.setPen(here ? colours().text : colours().link); // which the tint takes the contrast from
    painter.drawText(box.adjusted(0, 0, m_compact ? -2 : -kGapLabel, 0),
                     (m_compact ? Qt::AlignTop : Qt::AlignVCenter) | Qt::AlignRight, m_badge);
}

Navigation::Navigation(QWidget* parent)
    : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, kGapBlock, 0, kGapBlock);
    column->setSpacing(2);
    setFixedWidth(kSidebarWidth);
    setAccessibleName(tr("Pages"));
    letTabFollowChoice(m_group);
    connect(&Theme::instance(), &Theme::changed, this, &Navigation::fit);
}

NavigationButton* Navigation::add(PageId page, const QString& iconName, const QString& text) {
    auto* button = new NavigationButton(iconName, text, this);
    m_group.addButton(button);
    m_buttons[page] = button;
    layout()->addWidget(button);
    connect(button, &QAbstractButton::clicked, this, [this, page] { Q_EMIT chosen(page); });
    return button;
}

void Navigation::addRule() {
    auto* column = static_cast<QVBoxLayout*>(layout());
    column->addSpacing(kGapLabel);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(kPageMargin, 0, kPageMargin, 0);
    row->addWidget(makeRule(Qt::Horizontal, this));
    column->addLayout(row);
    column->addSpacing(kGapLabel);
}

void Navigation::addStretch() {
    static_cast<QVBoxLayout*>(layout())->addStretch();
}

void Navigation::select(PageId page) {
    if (button(page) == nullptr) { // a page without an entry: none is chosen
        m_group.setExclusive(false);
        if (m_group.checkedButton() != nullptr) m_group.checkedButton()->setChecked(false);
        m_group.setExclusive(true);
    }
    if (auto* found = button(page)) found->setChecked(true);
}

NavigationButton* Navigation::button(PageId page) const {
    const auto found = m_buttons.find(page);
    return found == m_buttons.end() ? nullptr : found->second;
}

void Navigation::setCompact(bool compact) {
    m_compact = compact;
    for (const auto& [page, one] : m_buttons) one->setCompact(compact);
    fit();
}

void Navigation::fit() {
    if (m_compact) return setFixedWidth(kSidebarCompactWidth);
    const int most = kSidebarWidth + std::max(0, window()->width() - kCompactBelow);
    QFont letters = Theme::instance().font(TypeRole::Body);
    const auto wanted = [this, &letters] {
        int widest = kSidebarWidth;
        for (const auto& [page, one] : m_buttons) widest = std::max(widest, one->widthIn(letters));
        return widest;
    };
    const double usual = QFontDatabase::systemFont(QFontDatabase::GeneralFont).pointSizeF();
    while (wanted() > most && letters.pointSizeF() > usual)
        letters.setPointSizeF(std::max(usual, letters.pointSizeF() - kFiner));
    if (letters.pointSizeF() != font().pointSizeF()) setFont(letters);
    setFixedWidth(std::min(wanted(), most));
}

void Navigation::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), colours().side);
    painter.fillRect(QRect(width() - 1, 0, 1, height()), colours().hairline);
}

} // namespace homebooth::app
