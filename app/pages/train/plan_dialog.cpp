// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/train/plan_dialog.h"

#include "app/engine/plan_words.h"
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
} // namespace

void showRunPlan(QWidget* parent, const core::PlanEvent& plan, const QString& title) {
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(TrainPage::tr("Plan of %1").arg(title));
    auto* column = new QVBoxLayout(dialog);
    tidy(column, kPageMargin, kGapBlock);
    QStringList lines;
    for (const QString& sentence : planSentences(plan)) lines.append(QStringLiteral("\u2022 ") + sentence);
    auto* field = new QPlainTextEdit(lines.join('\n'));
    field->setReadOnly(true);
    field->setAccessibleName(TrainPage::tr("Plan"));
    column->addWidget(field, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    column->addWidget(buttons);
    dialog->resize(kSize);
    dialog->show();
}

} // namespace homebooth::app
