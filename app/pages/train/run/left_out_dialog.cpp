// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/train/run/left_out_dialog.h"

#include "app/library/background.h"
#include "app/pages/train/run/run_window.h"
#include "app/pages/train/train_page.h"
#include "app/theme/metrics.h"
#include "app/widgets/parts.h"
#include "app/widgets/plain_tip.h"
#include "core/base/run/journal/left_out_line.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QDesktopServices>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QUrl>

namespace homebooth::app {
namespace {

constexpr QSize kSize(640, 400);

void fill(QLabel& count, QPlainTextEdit& field, const std::set<std::string>& lines) {
    count.setText(TrainPage::tr("The training went on without %n file(s):", nullptr, int(lines.size())));
    QStringList shown;
    for (const std::string& line : lines) shown.append(QString::fromStdString(line));
    field.setPlainText(shown.join('\n'));
}

QDialogButtonBox* makeButtons(QDialog* dialog, QPlainTextEdit* field, const QString& file) {
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* copy = buttons->addButton(TrainPage::tr("Copy all"), QDialogButtonBox::ActionRole);
    auto* open = buttons->addButton(TrainPage::tr("Open the list"), QDialogButtonBox::ActionRole);
    open->setEnabled(false); // the engine writes it when it ends
    inBackground(
        open, [file] { return QFileInfo::exists(file); }, [open](bool there) { open->setEnabled(there); });
    setPlainTip(*open, file);
    QObject::connect(copy, &QPushButton::clicked, field,
                     [field] { QGuiApplication::clipboard()->setText(field->toPlainText()); });
    QObject::connect(open, &QPushButton::clicked, dialog,
                     [file] { QDesktopServices::openUrl(QUrl::fromLocalFile(file)); });
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    return buttons;
}

} // namespace

void showLeftOut(QWidget* parent, const QString& runFolder, const QString& title,
                 const std::set<std::string>& lines) {
    const QString key = QStringLiteral("left out ") + runFolder;
    if (const QDialog* open = raisedRunWindow(*parent, key); open != nullptr)
        return fill(*open->findChild<QLabel*>(), *open->findChild<QPlainTextEdit*>(), lines); // perhaps more
    QDialog* dialog = makeRunWindow(parent, key, TrainPage::tr("Left out of %1").arg(title));
    auto* column = new QVBoxLayout(dialog);
    tidy(column, kPageMargin, kGapBlock);
    auto* count = makeLabel({});
    column->addWidget(count);
    auto* field = new QPlainTextEdit;
    field->setReadOnly(true);
    fill(*count, *field, lines);
    field->setAccessibleName(TrainPage::tr("Left out"));
    column->addWidget(field, 1);
    column->addWidget(makeButtons(dialog, field, runFolder + '/' + QLatin1String(core::kLeftOutName)));
    dialog->resize(kSize);
    dialog->show();
}

} // namespace homebooth::app
