// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/train/run/further_line.h"

#include "app/engine/figures.h"
#include "app/engine/runs/run_session.h"
#include "app/pages/train/train_page.h"
#include "app/theme/metrics.h"
#include "app/widgets/count_box.h"
#include "app/widgets/flow_layout.h"
#include "app/widgets/parts.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>

#include <algorithm>
#include <utility>

namespace homebooth::app {
namespace {

constexpr int kMostFurther = 1'000'000;

/// How many steps a training that is done goes on for: those left of one that was ended early, else half
/// as many again.
int64_t furtherSteps(const RunSession& run) {
    constexpr int64_t kLeast = 20;
    const int64_t planned = run.config().steps;
    const int64_t left = planned - run.data().step();
    return left > 0 ? left : std::max(kLeast, planned / 2);
}

QWidget* beside(const QString& name, QWidget* field) {
    auto* whole = new QWidget;
    auto* row = new QHBoxLayout(whole);
    tidy(row, 0, kGapLabel);
    auto* label = new QLabel(name);
    label->setBuddy(field);
    field->setAccessibleName(name);
    row->addWidget(label);
    row->addWidget(field);
    return whole;
}

} // namespace

FurtherLine::FurtherLine(QWidget* parent)
    : QWidget(parent)
    , m_steps(new CountBox)
    , m_speed(new QComboBox) {
    auto* row = new FlowLayout(this, kGapBlock);
    m_steps->setRange(1, kMostFurther);
    row->addWidget(beside(tr("More steps"), m_steps));
    row->addWidget(beside(tr("Learning speed"), m_speed));
    m_speed->setSizeAdjustPolicy(QComboBox::AdjustToContents); // of the next run they may be longer
    connect(m_steps, &QSpinBox::valueChanged, this, [this] {
        nameSpeeds();
        Q_EMIT changed();
    });
    connect(m_speed, &QComboBox::currentIndexChanged, this, &FurtherLine::changed);
}

void FurtherLine::offer(const RunSession& run) {
    const QString end =
        QStringLiteral("%1 at %2 of %3 by %4")
            .arg(run.folder(), QString::number(run.data().step()), QString::number(run.config().steps),
                 QString::number(run.config().optimizer.learningRate));
    if (std::exchange(m_offered, end) == end) return;
    const QSignalBlocker quietSteps(m_steps);
    const QSignalBlocker quietSpeed(m_speed);
    m_falls = rateFalls(run.config());
    m_rate = run.config().optimizer.learningRate;
    m_left = run.config().steps - run.data().step();
    m_steps->setValue(static_cast<int>(std::min<int64_t>(furtherSteps(run), kMostFurther)));
    m_speed->clear();
    m_speed->addItems({QString(), QString()});
    nameSpeeds();
}

void FurtherLine::nameSpeeds() {
    const auto named = [](const QString& name, double rate) { return name.arg(numberText(rate)); };
    const QString half = named(tr("half, %1"), m_rate / 2);
    m_speed->setItemText(0, steady() ? half : named(tr("as before, %1"), m_rate));
    m_speed->setItemText(1, steady() ? named(tr("a quarter, %1"), m_rate / 4) : half);
}

bool FurtherLine::steady() const {
    return m_falls && m_steps->value() != m_left;
}

ResumeOptions FurtherLine::options(const RunSession& run) const {
    ResumeOptions options;
    const int64_t all = run.data().step() + m_steps->value();
    if (all != run.config().steps) options.steps = all;
    options.halfRate = m_speed->currentIndex() == 1;
    options.steadyRate = steady();
    return options;
}

QString FurtherLine::text() const {
    const bool slower = m_speed->currentIndex() == 1;
    const QString text = !steady() && !slower ? TrainPage::tr("%1 more steps with the same settings")
                         : steady() && slower
                             ? TrainPage::tr("%1 more steps, each at a quarter of the learning speed")
                             : TrainPage::tr("%1 more steps, each at half the learning speed");
    return text.arg(countText(m_steps->value()));
}

} // namespace homebooth::app
