// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/setting_clashes.h"

#include <QCoreApplication>

namespace homebooth::app {
namespace {

class Words {
    Q_DECLARE_TR_FUNCTIONS(homebooth::app::SettingClashes)
};

PlanChange valueOf(const char* path, int64_t value, const QString& label) {
    return {label, {}, {{QString::fromLatin1(path), QString::number(qlonglong(value))}}};
}

} // namespace

std::vector<SettingClash> settingClashes(const core::TrainConfig& config) {
    constexpr const char* kStart = "data.startResolutionPixels";
    constexpr const char* kWarmup = "optimizer.warmupSteps";
    constexpr int64_t kMultiple = 8; // of sizes
    std::vector<SettingClash> clashes;
    const core::DataConfig& data = config.data;
    if (data.startResolutionPixels > data.resolutionPixels) {
        const int64_t half = std::max(kMultiple, data.resolutionPixels / 2 / kMultiple * kMultiple);
        clashes.push_back({QString::fromLatin1(kStart),
                           Words::tr("The picture size at first is larger than the picture size, %1 px.")
                               .arg(data.resolutionPixels),
                           valueOf(kStart, half, Words::tr("Begin with %1 px").arg(half))});
    }
    if (config.optimizer.warmupSteps > config.steps) {
        const int64_t tenth = std::max<int64_t>(1, config.steps / 10);
        clashes.push_back(
            {QString::fromLatin1(kWarmup),
             Words::tr("The gentle start is longer than the training, %1 steps.").arg(config.steps),
             valueOf(kWarmup, tenth, Words::tr("Start gently for %1 steps").arg(tenth))});
    }
    return clashes;
}

} // namespace homebooth::app
