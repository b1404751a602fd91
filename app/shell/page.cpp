// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/page.h"

#include "app/theme/metrics.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"
#include "app/widgets/plain_tip.h"

#include <QBoxLayout>
#include <QButtonGroup>
#include <QResizeEvent>
#include <QTextLayout>

namespace homebooth::app {
namespace {

/// Of two lines where one has no room for what is said. What is below it moves down for the second one, and
/// not up again before the width is another one.
class Subtitle : public ElidedLabel {
public:
    using ElidedLabel::ElidedLabel;
    /// Breaks what is said into two lines where it needs them; after each change of it.
    void fold();

protected:
    void resizeEvent(QResizeEvent* event) override {
        ElidedLabel::resizeEvent(event);
        if (event->size().width() == event->oldSize().width()) return fold();
        m_tall = false;
        fold();
    }
    void changeEvent(QEvent* event) override {
        ElidedLabel::changeEvent(event);
        if (event->type() == QEvent::FontChange) fold();
    }

private:
    bool m_tall = false;
};

void Subtitle::fold() {
    QTextLayout words(fullText(), font());
    words.beginLayout();
    QTextLine line = words.createLine();
    if (line.isValid()) line.setLineWidth(width());
    words.endLayout();
    const QString rest = line.isValid() ? fullText().mid(line.textLength()) : QString();
    if (!rest.isEmpty()) {
        const QString second = fontMetrics().elidedText(rest, Qt::ElideRight, width());
        setText(fullText().chopped(rest.size()).trimmed() + QLatin1Char('\n') + second);
        setPlainTip(*this, second == rest ? QString() : fullText());
    }
    m_tall = !fullText().isEmpty() && (m_tall || !rest.isEmpty());
    setFixedHeight(fontMetrics().height() + (m_tall ? fontMetrics().lineSpacing() : 0));
}

} // namespace

Page::Page(PageId id, const QString& title, QWidget* parent)
    : QWidget(parent)
    , m_id(id)
    , m_title(new ElidedLabel(title))
    , m_subtitle(new Subtitle)
    , m_header(new QBoxLayout(QBoxLayout::LeftToRight))
    , m_buttons(new QHBoxLayout)
    , m_column(new QVBoxLayout(this))
    , m_messages(new MessageBar) {
    setAccessibleName(title);
    tidy(m_column, kPageMargin, kGapBlock);
    setTypeRole(m_title, TypeRole::Title);
    auto* texts = new QVBoxLayout;
    tidy(texts, 0, 2);
    texts->addWidget(m_title);
    texts->addWidget(m_subtitle);
    m_subtitle->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    QSizePolicy policy = m_subtitle->sizePolicy();
    policy.setRetainSizeWhenHidden(true); // or what is below would jump
    m_subtitle->setSizePolicy(policy);
    m_subtitle->hide();
    m_buttons->setSpacing(kGapLabel);
    m_header->setSpacing(kPageMargin);
    m_header->addLayout(texts, 1);
    m_header->addLayout(m_buttons);
    m_header->setAlignment(m_buttons, Qt::AlignTop);
    m_column->addLayout(m_header);
}

bool Page::event(QEvent* event) {
    const bool known = QWidget::event(event);
    if (m_wraps && (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest))
        arrangeHeader();
    return known;
}

void Page::arrangeHeader() {
    const int needed = m_title->sizeHint().width() + kPageMargin + m_buttons->sizeHint().width();
    const bool below = needed > contentsRect().width() - 2 * kPageMargin;
    const auto direction = below ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight;
    if (m_header->direction() == direction) return; // or each layout would ask for the next one
    m_header->setDirection(direction);
    m_header->setSpacing(below ? kGapLabel : kPageMargin);
    m_header->setAlignment(m_buttons, below ? Qt::AlignTop | Qt::AlignRight : Qt::AlignTop);
}

void Page::setTitle(const QString& title) {
    m_title->setFullText(title);
}

void Page::setSubtitle(const QString& text) {
    if (text == m_subtitle->fullText()) return;
    m_subtitle->setFullText(text);
    static_cast<Subtitle*>(m_subtitle)->fold();
    m_subtitle->setVisible(!text.isEmpty());
}

QList<QPushButton*> Page::actionButtons() const {
    QList<QPushButton*> buttons;
    QStringList names; // of several of one name nobody knows which is meant
    for (QPushButton* button : findChildren<QPushButton*>()) {
        const bool choice = button->isCheckable() && button->group() != nullptr; // one of several views
        const bool thing = button->property(kThingProperty).toBool();
        if (!button->isVisible() || button->text().isEmpty() || choice || thing) continue;
        names.append(button->text());
        buttons.append(button);
    }
    const auto unclear = [this, &names](const QPushButton* one) {
        return one != m_main && names.count(one->text()) > 1;
    };
    buttons.removeIf(unclear);
    return buttons;
}

void Page::setCommands(const QList<Command>& commands) {
    if (commands == m_commands) return;
    m_commands = commands;
    Q_EMIT commandsChanged();
}

QPushButton* Page::addButton(const QString& text, const QString& iconName) {
    auto* button = makeButton(text, iconName);
    takeQuickClicksAsOne(button); // they come and go beside the main one
    m_buttons->addWidget(button);
    return button;
}

QPushButton* Page::addMainButton(const QString& text) {
    m_main = makeButton(text, {}, "primary");
    m_buttons->addWidget(m_main);
    return m_main;
}

void Page::setContent(QWidget* content) {
    m_column->addWidget(m_messages); // behind the header's buttons, for Tab as for the eye
    m_column->addWidget(content, 1);
}

} // namespace homebooth::app
