// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/card_line.h"

#include "app/engine/gpu_answer.h"
#include "app/settings/settings.h"
#include "app/theme/icons.h"
#include "app/theme/metrics.h"
#include "app/widgets/parts.h"

#include <QGridLayout>

namespace homebooth::app {

CardLine::CardLine(Settings& settings, const GpuAnswer& gpus, QWidget* parent)
    : QWidget(parent)
    , m_settings(settings)
    , m_gpus(gpus)
    , m_sign(new QLabel)
    , m_words(new QLabel)
    , m_use(makeButton(tr("Use the graphics card"))) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(kGapLabel);
    grid->setVerticalSpacing(kGapLabel);
    grid->setColumnStretch(1, 1);
    m_words->setWordWrap(true);
    grid->addWidget(m_sign, 0, 0, Qt::AlignTop);
    grid->addWidget(m_words, 0, 1);
    grid->addWidget(m_use, 1, 1, Qt::AlignLeft);
    connect(m_use, &QPushButton::clicked, this, [this] { m_settings.set(keys::kProcessorOnly, false); });
    connect(&gpus, &GpuAnswer::changed, this, &CardLine::refresh);
    connect(&settings, &Settings::changed, this, [this](const QByteArray& key) {
        if (key == keys::kProcessorOnly) refresh();
    });
    connect(&Theme::instance(), &Theme::changed, this, &CardLine::drawSign);
    drawSign();
    refresh();
}

QString CardLine::words() const {
    const core::GpuFacts* gpus = m_gpus.facts();
    if (gpus != nullptr && gpus->withoutDriver)
        return tr("The processor computes, far slower: an NVIDIA card is there, but its driver does not "
                  "work. "
                  "Install NVIDIA's driver %1 or newer; one that is installed may be kept from loading by "
                  "Secure Boot or after an update of the system.")
            .arg(core::kOldestDriver);
    if (!m_settings.flag(keys::kProcessorOnly)) return {};
    if (gpus != nullptr && gpus->state == core::GpuState::Ready)
        return tr(
            "The processor computes, far slower: the graphics card is not used, as chosen in Settings.");
    if (gpus != nullptr && gpus->state == core::GpuState::DriverTooOld)
        return tr("The processor computes, as chosen in Settings: the graphics card's driver is too old.");
    if (gpus == nullptr && m_gpus.driverSilent())
        return tr("The processor computes, as chosen in Settings: the graphics card does not answer.");
    return {};
}

void CardLine::refresh() {
    const QString text = words();
    m_words->setText(text);
    // Without a driver it would change nothing.
    const bool drives = m_gpus.facts() == nullptr || !m_gpus.facts()->withoutDriver;
    m_use->setVisible(drives && m_settings.flag(keys::kProcessorOnly));
    const bool told = !text.isEmpty();
    if (!told || parentWidget() != nullptr) setVisible(told); // without one it would be a window
}

void CardLine::drawSign() {
    m_sign->setPixmap(
        iconPixmap(QStringLiteral("caution"), colours().caution, kNavIconSize, devicePixelRatioF()));
}

} // namespace homebooth::app
