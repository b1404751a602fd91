// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/lighter_weights.h"

#include "app/engine/engine_words.h"
#include "app/engine/pictures/picture_device.h"
#include "core/base/run/failure_cause.h"
#include "core/base/util/result.h"

#include <QCoreApplication>

namespace homebooth::app {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(homebooth::app::LighterWeights)
};

} // namespace

bool lacksMemory(const QString& headline, const QString& detail) {
    constexpr int kCode = static_cast<int>(core::ErrorCode::OutOfResources);
    const core::FailureCause cause = core::causeOf(kCode, detail.toStdString());
    return headline == picturesTrouble(kCode) &&
           (cause == core::FailureCause::OutOfMemory || cause == core::FailureCause::TooLittleMemory ||
            cause == core::FailureCause::MemoryKill);
}

void proposeLighterWeights(Message& message, const core::SampleConfig& job, Settings& settings,
                           const std::function<void()>& then) {
    if (!couldHaveLighterWeights(job)) return;
    message.text +=
        QStringLiteral("<br>") +
        Words::tr("With weights in 8 bits the model takes half the memory, and pictures differ a little.")
            .toHtmlEscaped();
    message.remedies.push_back({Words::tr("Use weights in 8 bits"), [&settings, then] {
                                    setPictureWeights(settings, core::Quantization::Int8);
                                    then();
                                }});
}

} // namespace homebooth::app
