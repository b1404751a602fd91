// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/train/run/log_dialog.h"

#include "app/engine/runs/run_log.h"
#include "app/library/background.h"
#include "app/pages/train/run/run_window.h"
#include "app/pages/train/train_page.h"
#include "app/theme/metrics.h"
#include "app/widgets/parts.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTextCursor>
#include <QTimer>

#include <atomic>

namespace homebooth::app {
namespace {

constexpr int kReadMs = 2000;
constexpr QSize kLogSize(720, 480);

/// The log and whether a thread reads it at the moment.
struct Shared {
    explicit Shared(const QString& folder)
        : log(folder) {}
    RunLog log;
    std::atomic<bool> busy = false;
};

void show(QPlainTextEdit& field, const QString& text) {
    QScrollBar* bar = field.verticalScrollBar();
    const bool atEnd = bar->value() >= bar->maximum();
    const int before = bar->value();
    const QTextCursor chosen = field.textCursor();
    const int from = chosen.anchor();
    const int to = chosen.position();
    // What was chosen to be copied stays so where it is what it was.
    const bool keeps = from != to && text.startsWith(field.toPlainText().left(qMax(from, to)));
    field.setPlainText(text);
    if (keeps) {
        QTextCursor again = field.textCursor();
        again.setPosition(from);
        again.setPosition(to, QTextCursor::KeepAnchor);
        field.setTextCursor(again);
    }
    bar->setValue(atEnd ? bar->maximum() : before); // who scrolled up reads
}

void readSoon(const std::shared_ptr<Shared>& shared, QPlainTextEdit* field) {
    if (shared->busy.exchange(true)) return;
    const auto read = [shared] {
        const bool news = shared->log.read();
        const QString text = news ? shared->log.text() : QString();
        shared->busy = false;
        return std::pair(news, text);
    };
    inBackground(field, read, [field](const std::pair<bool, QString>& now) {
        if (now.first) show(*field, now.second);
        field->setPlaceholderText(TrainPage::tr("Nothing was written yet.")); // seen while it is empty
    });
}

} // namespace

void showRunLog(QWidget* parent, const QString& runFolder, const QString& title) {
    const QString key = QStringLiteral("log ") + runFolder;
    if (raisedRunWindow(*parent, key) != nullptr) return;
    QDialog* dialog = makeRunWindow(parent, key, TrainPage::tr("Log of %1").arg(title));
    auto* column = new QVBoxLayout(dialog);
    tidy(column, kPageMargin, kGapBlock);
    auto* field = new QPlainTextEdit;
    field->setReadOnly(true);
    field->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    field->setLineWrapMode(QPlainTextEdit::WidgetWidth);
    field->setAccessibleName(TrainPage::tr("Log"));
    column->addWidget(field, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* copy = buttons->addButton(TrainPage::tr("Copy all"), QDialogButtonBox::ActionRole);
    QObject::connect(copy, &QPushButton::clicked, field,
                     [field] { QGuiApplication::clipboard()->setText(field->toPlainText()); });
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    column->addWidget(buttons);
    const auto shared = std::make_shared<Shared>(runFolder);
    auto* timer = new QTimer(dialog);
    QObject::connect(timer, &QTimer::timeout, field, [shared, field] { readSoon(shared, field); });
    timer->start(kReadMs);
    readSoon(shared, field);
    dialog->resize(kLogSize);
    dialog->show();
}

} // namespace homebooth::app
