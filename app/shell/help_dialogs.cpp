// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/help_dialogs.h"

#include "app/shell/help_texts.h"
#include "app/shell/main_window.h"
#include "app/theme/icons.h"
#include "app/theme/metrics.h"
#include "app/widgets/parts.h"
#include "core/base/util/version.h"

#include <QAction>
#include <QApplication>
#include <QBoxLayout>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QMenuBar>
#include <QScrollArea>

namespace homebooth::app {
namespace {

QDialog* makeDialog(QMainWindow& window, const QString& title, QWidget* content, const QSize& size) {
    auto* dialog = new QDialog(&window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    auto* column = new QVBoxLayout(dialog);
    tidy(column, kPageMargin, kGapBlock);
    column->addWidget(makeScroll(content), 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::Close)
        ->setText(MainWindow::tr("Close")); // Qt's own words may be missing
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    column->addWidget(buttons);
    dialog->resize(size);
    return dialog;
}

/// Names stay as they are; what is said in words is translated.
struct Part {
    const char* name;
    const char* licence;
};

constexpr const char* kTheirOwn = QT_TRANSLATE_NOOP("homebooth::app::MainWindow", "their own, free");
constexpr const char* kPublic = QT_TRANSLATE_NOOP("homebooth::app::MainWindow", "public domain");
constexpr const char* kVocabulary =
    QT_TRANSLATE_NOOP("homebooth::app::MainWindow", "CLIP's vocabulary (open_clip)");
constexpr const char* kTorch =
    QT_TRANSLATE_NOOP("homebooth::app::MainWindow", "LibTorch, in a program of its own");

constexpr Part kParts[] = {{"Qt 6", "LGPL-3.0"},      {"QCustomPlot 2", "GPL-3.0-or-later"},
                           {"SQLite", kPublic},       {"SQLiteCpp", "MIT"},
                           {"OpenCV", "Apache-2.0"},  {"libheif", "LGPL-3.0"},
                           {"Little CMS", "MIT"},     {"libjpeg, libpng, zlib", kTheirOwn},
                           {"nlohmann json", "MIT"},  {"spdlog", "MIT"},
                           {"OpenSSL", "Apache-2.0"}, {kVocabulary, "MIT"},
                           {kTorch, "BSD-3-Clause"}};

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
    grid->setHorizontalSpacing(kGapSection);
    int row = 0;
    for (const auto& [what, key] : help.keys) {
        grid->addWidget(new QLabel(what), row, 0);
        const bool plain = key.startsWith(QLatin1String("Ctrl+")) && !key.contains(' ');
        grid->addWidget(
            new QLabel(plain
                           ? QKeySequence(key, QKeySequence::PortableText).toString(QKeySequence::NativeText)
                           : key),
            row++, 1);
    }
    grid->setColumnStretch(0, 1);
    column->addLayout(grid);
    column->addStretch();
    QDialog* dialog = makeDialog(window, MainWindow::tr("Help"), content, {520, 480});
    dialog->setObjectName(QStringLiteral("help"));
    dialog->open();
}

void showKeys(QMainWindow& window) {
    auto* content = new QWidget;
    auto* grid = new QGridLayout(content);
    grid->setHorizontalSpacing(kGapSection);
    int row = 0;
    for (QAction* top : window.menuBar()->actions()) {
        if (top->menu() == nullptr) continue;
        grid->addWidget(makeLabel(QString(top->text()).remove('&'), TypeRole::Section), row++, 0, 1, 2);
        for (QAction* action : top->menu()->actions()) {
            if (action->shortcut().isEmpty()) continue;
            grid->addWidget(new QLabel(QString(action->text()).remove('&')), row, 0);
            grid->addWidget(new QLabel(action->shortcut().toString(QKeySequence::NativeText)), row++, 1);
        }
    }
    const std::pair<QString, QString> others[] = {
        {MainWindow::tr("Large view"), MainWindow::tr("Space")},
        {MainWindow::tr("Charts: crosshair"), MainWindow::tr("Arrows, Home, End")},
        {MainWindow::tr("Charts: another curve"), MainWindow::tr("Up, Down")},
        {MainWindow::tr("Charts and pictures: zoom"), QStringLiteral("+  -  0")},
    };
    for (const auto& [what, key] : others) {
        grid->addWidget(new QLabel(what), row, 0);
        grid->addWidget(new QLabel(key), row++, 1);
    }
    grid->setColumnStretch(0, 1);
    makeDialog(window, MainWindow::tr("All keys"), content, {460, 560})->open();
}

void showAbout(QMainWindow& window) {
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    tidy(column, 0, kGapBlock);
    auto* sign = new QLabel;
    constexpr int kSign = 72;
    sign->setPixmap(QApplication::windowIcon().pixmap(QSize(kSign, kSign), window.devicePixelRatioF()));
    column->addWidget(sign);
    column->addWidget(makeLabel(QStringLiteral("Homebooth %1").arg(QString::fromLatin1(core::versionText())),
                                TypeRole::Title));
    auto* text = new QLabel(
        MainWindow::tr("Teaches an image model your own subject, on this computer alone. "
                       "Homebooth sends nothing.\n\nThe window is under GPL-3.0-or-later, the engine "
                       "under Apache-2.0. It stands on these:"));
    text->setWordWrap(true);
    column->addWidget(text);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(kGapSection);
    int row = 0;
    for (const Part& part : kParts) {
        grid->addWidget(new QLabel(MainWindow::tr(part.name)), row, 0);
        grid->addWidget(new MutedLabel(MainWindow::tr(part.licence)), row++, 1);
    }
    grid->setColumnStretch(1, 1);
    column->addLayout(grid);
    column->addStretch();
    makeDialog(window, MainWindow::tr("About Homebooth"), content, {480, 620})->open();
}

} // namespace homebooth::app
