// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/train/setup/plan_dialog.h"

#include "app/engine/plans/plan_words.h"
#include "app/pages/train/run/run_window.h"
#include "app/pages/train/train_page.h"
#include "app/theme/metrics.h"
#include "app/widgets/parts.h"

#include <QBoxLayout>
#include <QDialog>
#include <QDialogButtonBox>
#include <QPlainTextEdit>

namespace homebooth::app {
namespace {

constexpr QSize kSize(560, 400);

QString textOf(const core::PlanEvent& plan) {
    QStringList lines;
    for (const QString& sentence : planSentences(plan)) lines.append(QStringLiteral("\u2022 ") + sentence);
    return lines.join('\n');
}

} // namespace

void showRunPlan(QWidget* parent, const QString& runFolder, const core::PlanEvent& plan,
                 const QString& title) {
    const QString key = QStringLiteral("plan ") + runFolder;
    if (const QDialog* open = raisedRunWindow(*parent, key); open != nullptr)
        return open->findChild<QPlainTextEdit*>()->setPlainText(textOf(plan)); // it may be another one by now
    QDialog* dialog = makeRunWindow(parent, key, TrainPage::tr("Plan of %1").arg(title));
    auto* column = new QVBoxLayout(dialog);
    tidy(column, kPageMargin, kGapBlock);
    auto* field = new QPlainTextEdit(textOf(plan));
    field->setReadOnly(true);
    field->setPlaceholderText(TrainPage::tr("Nothing was written of what was decided."));
    field->setAccessibleName(TrainPage::tr("Plan"));
    column->addWidget(field, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    column->addWidget(buttons);
    dialog->resize(kSize);
    dialog->show();
}

} // namespace homebooth::app
