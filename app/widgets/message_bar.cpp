// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/message_bar.h"

#include "app/theme/icons.h"
#include "app/theme/metrics.h"
#include "app/widgets/flow_layout.h"
#include "app/widgets/fold.h"
#include "app/widgets/parts.h"
#include "app/widgets/spoken.h"

#include <QApplication>
#include <QBoxLayout>
#include <QEvent>
#include <QLocale>
#include <QPainter>
#include <QTextDocumentFragment>
#include <QTimer>

#include <utility>

namespace homebooth::app {
namespace {

constexpr size_t kBeside = 2;   // remedies in the line of the text
constexpr int kLifeMs = 10'000; // of a good one

QColor colourOf(MessageKind kind) {
    switch (kind) {
    case MessageKind::Good:
        return colours().good;
    case MessageKind::Caution:
        return colours().caution;
    case MessageKind::Error:
        return colours().error;
    case MessageKind::Note:
        break;
    }
    return colours().link;
}

QString signOf(MessageKind kind) {
    switch (kind) {
    case MessageKind::Good:
        return QStringLiteral("ok");
    case MessageKind::Caution:
        return QStringLiteral("caution");
    case MessageKind::Error:
        return QStringLiteral("error");
    case MessageKind::Note:
        break;
    }
    return QStringLiteral("info");
}

} // namespace

QString quotedDetail(const QString& detail) {
    return detail.isEmpty() ? QString()
                            : QStringLiteral("<br>") + QLocale().quoteString(detail).toHtmlEscaped();
}

QString troubleText(const QString& headline, const QString& detail) {
    return QStringLiteral("<b>%1</b>").arg(headline.toHtmlEscaped()) + quotedDetail(detail);
}

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent)
    , m_life(new QTimer(this))
    , m_row(new QHBoxLayout(this))
    , m_sign(new QLabel)
    , m_text(new QLabel)
    , m_more(makeLabel({}, TypeRole::Caption)) // not muted: that is too weak on a coloured ground
    , m_beside(new QHBoxLayout)
    , m_below(new QWidget)
    , m_spoken(new SpokenStatus(this)) {
    m_row->setContentsMargins(kGapBlock, kGapInside, kGapInside, kGapInside);
    m_row->setSpacing(kGapLabel);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::RichText); // Qt would show "&amp;" as it stands where there is no tag
    letCopyByTab(m_text);
    m_text->setMinimumHeight(kControlHeight);
    m_text->setContentsMargins(0, kGapInside, 0, kGapInside); // of several lines none at the frame
    m_row->addWidget(m_sign);
    auto* words = new QVBoxLayout;
    tidy(words, 0, 0);
    words->addWidget(m_text);
    words->addWidget(m_below);
    new FlowLayout(m_below, kGapLabel);
    m_below->layout()->setContentsMargins(0, 0, 0, kGapInside);
    m_lines = new Fold;
    m_lines->setText(tr("Last lines"), {}); // its name, also while there are none
    words->addWidget(m_lines);
    m_row->addLayout(words, 1);
    m_row->addWidget(m_more);
    m_row->addLayout(m_beside);
    auto* close = makeIconButton(QStringLiteral("close"), tr("Close this message"));
    connect(close, &QToolButton::clicked, this, &MessageBar::closeCurrent);
    m_row->addWidget(close);
    m_close = close;
    m_life->setObjectName(QStringLiteral("life"));
    m_life->setInterval(kLifeMs);
    connect(m_life, &QTimer::timeout, this, &MessageBar::age);
    hide();
    connect(&Theme::instance(), &Theme::changed, this, &MessageBar::refresh);
}

void MessageBar::closeCurrent() {
    if (!m_messages.empty()) m_messages.pop_back();
    refresh();
}

QString MessageBar::currentText() const {
    return m_messages.empty() ? QString() : m_messages.back().text;
}

void MessageBar::show(const Message& message) {
    m_lines->setOpen(false);
    if (!message.key.isEmpty())
        std::erase_if(m_messages, [&message](const Message& one) { return one.key == message.key; });
    m_messages.push_back(message);
    m_news = true;
    refresh();
}

void MessageBar::setText(const QString& key, const QString& text) {
    for (Message& one : m_messages)
        if (one.key == key) one.text = text;
    if (m_messages.empty() || m_messages.back().key != key) return;
    m_text->setText(text);
    setAccessibleName(QTextDocumentFragment::fromHtml(text).toPlainText());
}

void MessageBar::setLines(const QString& key, const QString& lines) {
    for (Message& one : m_messages)
        if (one.key == key) one.lines = lines;
    if (!m_messages.empty() && m_messages.back().key == key) m_lines->setLines(tr("Last lines"), lines);
}

void MessageBar::drop(const QString& key) {
    const auto of = [&key](const Message& one) { return one.key == key; };
    if (std::erase_if(m_messages, of) > 0) refresh(); // else its buttons keep the focus
}

void MessageBar::clear() {
    m_messages.clear();
    refresh();
}

void MessageBar::removeRemedies() {
    for (QLayout* place : {static_cast<QLayout*>(m_beside), m_below->layout()})
        while (QLayoutItem* item = place->takeAt(0)) {
            item->widget()->hide();
            item->widget()->deleteLater();
            delete item;
        }
}

void MessageBar::refresh() {
    removeRemedies();
    if (!m_messages.empty()) fill(m_messages.back());
    setVisible(!m_messages.empty());
    live();
}

void MessageBar::fill(const Message& message) {
    m_sign->setPixmap(
        iconPixmap(signOf(message.kind), colourOf(message.kind), kNavIconSize, devicePixelRatioF()));
    m_text->setText(message.text);
    const QString words = QTextDocumentFragment::fromHtml(message.text).toPlainText();
    const bool news = std::exchange(m_news, false) || words != accessibleName();
    setAccessibleName(words);
    if (news) m_spoken->say(words); // also the one below, once another was closed
    m_more->setText(m_messages.size() > 1 ? tr("%n more", nullptr, static_cast<int>(m_messages.size()) - 1)
                                          : QString());
    if (message.lines.isEmpty())
        m_lines->hide();
    else
        m_lines->setLines(tr("Last lines"), message.lines);
    const bool below = message.remedies.size() > kBeside;
    m_below->setVisible(below);
    QList<QWidget*> buttons;
    for (const Remedy& remedy : message.remedies) {
        auto* button = makeButton(remedy.label);
        connect(button, &QPushButton::clicked, this, [act = remedy.act] { act(); });
        (below ? m_below->layout() : m_beside)->addWidget(button);
        buttons.append(button);
    }
    putIntoTabOrder(buttons, *m_close);
    update();
}

void MessageBar::live() {
    const bool goes =
        !m_messages.empty() && m_messages.back().kind == MessageKind::Good && !m_messages.back().stays;
    if (goes && isVisible())
        m_life->start();
    else
        m_life->stop();
}

void MessageBar::age() {
    // Who looks elsewhere has not read it, and what somebody is about to use does not go.
    if (!isActiveWindow() || underMouse() || isAncestorOf(QApplication::focusWidget())) return;
    m_messages.pop_back();
    refresh();
}

void MessageBar::showEvent(QShowEvent* event) {
    QFrame::showEvent(event);
    live();
}

void MessageBar::hideEvent(QHideEvent* event) {
    QFrame::hideEvent(event);
    m_life->stop();
}

bool MessageBar::event(QEvent* event) {
    if (event->type() == QEvent::WindowActivate) live(); // whoever comes back has all of the time
    return QFrame::event(event);
}

void MessageBar::paintEvent(QPaintEvent*) {
    if (m_messages.empty()) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor role = colourOf(m_messages.back().kind);
    painter.setBrush(mixed(role, colours().base, 0.12));
    painter.setPen(QPen(mixed(role, colours().base, 0.45), 1.0));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kRadius, kRadius);
}

} // namespace homebooth::app
