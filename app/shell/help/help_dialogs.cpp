// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/help/help_dialogs.h"

#include "app/shell/help/help_texts.h"
#include "app/shell/help/licence_view.h"
#include "app/shell/main_window.h"
#include "app/theme/metrics.h"
#include "app/widgets/parts.h"
#include "core/base/util/version.h"

#include <QAction>
#include <QApplication>
#include <QBoxLayout>
#include <QDialog>
#include <QDialogButtonBox>
#include <QEvent>
#include <QGridLayout>
#include <QMenuBar>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QShortcut>

#include <algorithm>

namespace homebooth::app {
namespace {

/// What may be longer than its room, and has nothing to use in it: Tab stops there, and keys scroll.
class Reading : public QWidget {
public:
    Reading(QWidget* content, const QString& name)
        : m_scroll(makeScroll(content)) {
        auto* column = new QVBoxLayout(this);
        tidy(column, kGapInside, 0); // the ring of the focus lies there
        column->addWidget(m_scroll);
        m_scroll->setFocusPolicy(Qt::StrongFocus);
        m_scroll->setAccessibleName(name);
        m_scroll->installEventFilter(this);
        setFocusProxy(m_scroll);
        QScrollBar* bar = m_scroll->verticalScrollBar();
        for (const auto& [key, end] : {std::pair(Qt::Key_Home, QAbstractSlider::SliderToMinimum),
                                       std::pair(Qt::Key_End, QAbstractSlider::SliderToMaximum)}) {
            auto* press = new QShortcut(QKeySequence(key), m_scroll); // Qt's own keys are the others
            press->setContext(Qt::WidgetShortcut);
            connect(press, &QShortcut::activated, bar, [bar, to = end] { bar->triggerAction(to); });
        }
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) update();
        return QWidget::eventFilter(watched, event);
    }
    void paintEvent(QPaintEvent*) override {
        if (!m_scroll->hasFocus()) return;
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(colours().link, 2));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), kRadius - 1, kRadius - 1);
    }

private:
    QScrollArea* m_scroll;
};

QDialog* makeDialog(QMainWindow& window, const QString& title, QWidget* content, const QSize& size) {
    auto* dialog = new QDialog(&window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    auto* column = new QVBoxLayout(dialog);
    tidy(column, kPageMargin, kGapBlock);
    content->layout()->setContentsMargins(kGapLabel, kGapLabel, kGapLabel, kGapLabel); // within the ring
    auto* reading = new Reading(content, title);
    column->addWidget(reading, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::Close)
        ->setText(MainWindow::tr("Close")); // Qt's own words may be missing
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    column->addWidget(buttons);
    reading->setFocus();
    dialog->resize(size.boundedTo(window.size())); // the rest scrolls
    return dialog;
}

/// A grid of what there is and its key, in two columns that wrap: words have other lengths in every language.
class KeyGrid {
public:
    explicit KeyGrid(QGridLayout* grid)
        : m_grid(grid) {
        grid->setHorizontalSpacing(kGapSection);
        grid->setColumnStretch(0, 3);
        grid->setColumnStretch(1, 2);
    }
    void addHeading(const QString& text) {
        QLabel* heading = makeLabel(text, TypeRole::Section);
        if (m_rows > 0) heading->setContentsMargins(0, kGapBlock, 0, 0);
        m_grid->addWidget(heading, m_rows++, 0, 1, 2);
    }
    void add(const QString& what, const QString& key) {
        int column = 0;
        for (const QString& text : {what, key}) {
            auto* label = new QLabel(text);
            label->setWordWrap(true);
            m_grid->addWidget(label, m_rows, column++, Qt::AlignTop);
        }
        ++m_rows;
    }

private:
    QGridLayout* m_grid;
    int m_rows = 0;
};

} // namespace

void showHelp(QMainWindow& window, const Page& page) {
    const HelpText help = helpOf(page.id());
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    tidy(column, 0, kGapBlock);
    column->addWidget(makeLabel(page.accessibleName(), TypeRole::Title));
    const auto add = [column](const QString& text) {
        auto* label = new QLabel(text);
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        column->addWidget(label);
    };
    add(help.purpose);
    for (qsizetype i = 0; i < help.steps.size(); ++i)
        add(QStringLiteral("%1.  %2").arg(i + 1).arg(help.steps[i]));
    column->addWidget(makeLabel(MainWindow::tr("Keys"), TypeRole::Section));
    auto* grid = new QGridLayout;
    KeyGrid keys(grid);
    for (const auto& [what, key] : help.keys) {
        const bool plain = key.startsWith(QLatin1String("Ctrl+")) && !key.contains(' ');
        keys.add(what, plain
                           ? QKeySequence(key, QKeySequence::PortableText).toString(QKeySequence::NativeText)
                           : key);
    }
    column->addLayout(grid);
    column->addStretch();
    QDialog* dialog = makeDialog(window, MainWindow::tr("Help"), content, {520, 480});
    dialog->setObjectName(QStringLiteral("help"));
    dialog->open();
}

void showKeys(QMainWindow& window) {
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    tidy(column, 0, 0);
    auto* grid = new QGridLayout;
    column->addLayout(grid);
    column->addStretch();
    KeyGrid keys(grid);
    for (QAction* top : window.menuBar()->actions()) {
        const auto hasKey = [](const QAction* action) { return !action->shortcut().isEmpty(); };
        if (top->menu() == nullptr || !std::ranges::any_of(top->menu()->actions(), hasKey)) continue;
        keys.addHeading(QString(top->text()).remove('&'));
        for (QAction* action : top->menu()->actions())
            if (hasKey(action))
                keys.add(action->iconText().trimmed(),
                         QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText));
    }
    const std::pair<QString, QString> others[] = {
        {MainWindow::tr("Large view; of a subject's photo: crop"), MainWindow::tr("Space")},
        {MainWindow::tr("Open what is chosen, press a button"), MainWindow::tr("Return")},
        {MainWindow::tr("Back, close, keep as it was"), MainWindow::tr("Esc")},
        {MainWindow::tr("What can be done with what is chosen"), MainWindow::tr("Menu key, Shift+F10")},
        {MainWindow::tr("Choose all"), QKeySequence(Qt::CTRL | Qt::Key_A).toString(QKeySequence::NativeText)},
        {MainWindow::tr("Pictures: choose several that lie apart"),
         MainWindow::tr("Ctrl+arrows, Ctrl+Space")},
        {MainWindow::tr("Large view: pixel by pixel, words, favourite"), QStringLiteral("1  I  F")},
        {MainWindow::tr("Crop: move, size"), MainWindow::tr("Arrows, Shift+arrows")},
        {MainWindow::tr("Queue: earlier, later"), MainWindow::tr("Alt+Up, Alt+Down")},
        {MainWindow::tr("Charts: crosshair"), MainWindow::tr("Arrows, Home, End")},
        {MainWindow::tr("Charts: crosshair, ten times as far"), MainWindow::tr("Shift+arrows")},
        {MainWindow::tr("Charts: fix the crosshair, let it go"), MainWindow::tr("Return")},
        {MainWindow::tr("Charts: another curve"), MainWindow::tr("Up, Down")},
        {MainWindow::tr("Charts and pictures: zoom"), QStringLiteral("+  -  0")},
    };
    keys.addHeading(MainWindow::tr("In lists, pictures and charts"));
    for (const auto& [what, key] : others) keys.add(what, key);
    QDialog* dialog = makeDialog(window, MainWindow::tr("All keys"), content, {460, 560});
    dialog->setObjectName(QStringLiteral("keys"));
    dialog->open();
}

void showAbout(QMainWindow& window) {
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    tidy(column, 0, kGapBlock);
    auto* top = new QHBoxLayout;
    top->setSpacing(kGapBlock);
    auto* sign = new QLabel;
    constexpr int kSign = 72;
    sign->setPixmap(QApplication::windowIcon().pixmap(QSize(kSign, kSign), window.devicePixelRatioF()));
    top->addWidget(sign, 0, Qt::AlignTop);
    auto* words = new QVBoxLayout;
    words->setSpacing(kGapLabel);
    words->addWidget(makeLabel(QStringLiteral("Homebooth %1").arg(QString::fromLatin1(core::versionText())),
                               TypeRole::Title));
    auto* text = new QLabel(
        MainWindow::tr("Teaches an image model your own subject, on this computer alone. "
                       "Homebooth sends nothing.\n\nThe window is under GPL-3.0-or-later, the engine "
                       "under Apache-2.0. Homebooth is built on these:"));
    text->setWordWrap(true);
    words->addWidget(text);
    top->addLayout(words, 1);
    column->addLayout(top);
    column->addWidget(new LicenceView, 1);
    QDialog* dialog = makeDialog(window, MainWindow::tr("About Homebooth"), content, {1000, 640});
    dialog->setObjectName(QStringLiteral("about"));
    dialog->open();
}

} // namespace homebooth::app
