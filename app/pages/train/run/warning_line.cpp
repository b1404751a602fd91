// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/train/run/warning_line.h"

#include "app/engine/engine_words.h"
#include "app/theme/icons.h"
#include "app/theme/metrics.h"
#include "app/widgets/parts.h"
#include "app/widgets/plain_tip.h"

#include <QBoxLayout>

#include <algorithm>

namespace homebooth::app {
namespace {

constexpr size_t kMostTold = 5; // in the tooltip: the log has the rest

/// The newest first, each with what the engine says of it.
QString detailsOf(const std::vector<core::WarningEvent>& warnings) {
    QStringList lines;
    const size_t count = std::min(kMostTold, warnings.size());
    for (auto warning = warnings.rbegin(); warning != warnings.rbegin() + std::ptrdiff_t(count); ++warning)
        lines.append(QStringLiteral("%1\n%2").arg(warningHeadline(*warning),
                                                  QString::fromStdString(warning->message)));
    return lines.join(QStringLiteral("\n\n"));
}

} // namespace

WarningLine::WarningLine(QWidget* parent)
    : QWidget(parent)
    , m_sign(new QLabel)
    , m_text(new ElidedLabel) {
    auto* row = new QHBoxLayout(this);
    tidy(row, 0, kGapLabel);
    auto* log = makeButton(tr("Log"), {}, "quiet");
    log->setAccessibleName(tr("Log with all warnings"));
    row->addWidget(m_sign);
    row->addWidget(m_text, 1);
    row->addWidget(log);
    row->insertWidget(row->count() - 1, m_leftOut = makeButton({}, {}, "quiet"));
    m_leftOut->setAccessibleName(tr("List of what was left out")); // until there is a number
    setTabOrder(m_leftOut, log);
    m_leftOut->hide();
    connect(m_leftOut, &QPushButton::clicked, this, &WarningLine::leftOutWanted);
    connect(log, &QPushButton::clicked, this, &WarningLine::logWanted);
    connect(&Theme::instance(), &Theme::changed, this, &WarningLine::drawSign);
    drawSign();
    hide();
}

void WarningLine::drawSign() {
    m_sign->setPixmap(
        iconPixmap(QStringLiteral("caution"), colours().caution, kNavIconSize, devicePixelRatioF()));
}

void WarningLine::setLeftOut(int count) {
    m_leftOut->setVisible(count > 0);
    m_leftOut->setText(tr("%n left out", nullptr, count));
    if (count > 0) m_leftOut->setAccessibleName(m_leftOut->text());
}

void WarningLine::set(const std::vector<core::WarningEvent>& warnings) {
    setVisible(!warnings.empty());
    if (warnings.empty()) return;
    QString text = warningHeadline(warnings.back());
    const auto before = static_cast<int>(warnings.size()) - 1;
    if (before > 0) text += ' ' + tr("(%n more before)", nullptr, before);
    m_text->setFullText(text);
    setPlainTip(*this, detailsOf(warnings));
}

} // namespace homebooth::app
