// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/plans/setting_clashes.h"

#include "app/engine/figures.h"
#include "app/engine/pictures/picture_sizes.h"
#include "app/engine/runs/run_cards.h"
#include "app/engine/runs/training_recipe.h"
#include "core/base/config/parallel_check.h"

#include <QCoreApplication>

namespace homebooth::app {
namespace {

constexpr const char* kVelocity = "v_prediction"; // as the engine calls it

class ClashWords {
    Q_DECLARE_TR_FUNCTIONS(homebooth::app::SettingClashes)
};

PlanChange valueOf(const char* path, int64_t value, const QString& label) {
    return {label, {}, {{QString::fromLatin1(path), QString::number(qlonglong(value))}}};
}

/// @param reason  with a place for the step, and one for the sizes that are near
SettingClash clashOfSize(const char* path, int64_t pixels, int64_t step, const QString& reason) {
    const int64_t below = pixels / step * step;
    QStringList near{ClashWords::tr("%1 px").arg(below + step)};
    if (below > 0) near.prepend(ClashWords::tr("%1 px").arg(below));
    const int64_t nearest = nearestSize(pixels, step);
    return {QString::fromLatin1(path), reason.arg(step).arg(near.join(QStringLiteral(", "))),
            valueOf(path, nearest, ClashWords::tr("Use %1 px").arg(nearest))};
}

/// What several processes cannot do together (core/base/config/parallel_check.h).
void addProcessClashes(const core::TrainConfig& config, std::vector<SettingClash>& clashes) {
    constexpr const char* kShared = "parallel.zero";
    const int64_t processes = config.parallel.processes;
    if (processes == 1) return;
    if (config.batchSize % processes != 0) {
        const int64_t more = core::sharedBatch(config.batchSize, processes);
        const bool cards = trainsOnCards(config);
        const QString reason =
            cards ? ClashWords::tr("%1 graphics cards cannot share the pictures at a time, %2, equally.")
                  : ClashWords::tr("%1 processes cannot share the pictures at a time, %2, equally.");
        clashes.push_back(
            {QString::fromLatin1(cards ? kCardsPath : "parallel.processes"),
             reason.arg(processes).arg(config.batchSize),
             valueOf("batchSize", more, ClashWords::tr("Learn %1 pictures at a time").arg(more))});
    }
    if (config.parallel.zero > 2 && learnsAutoencoder(config))
        clashes.push_back({QString::fromLatin1(kShared),
                           ClashWords::tr("Processes cannot share an autoencoder as a whole."),
                           valueOf(kShared, 2, ClashWords::tr("Share all but the model"))});
    if (config.parallel.zero > 0 && config.optimizer.kind == core::OptimizerKind::Adafactor)
        clashes.push_back({QString::fromLatin1(kShared),
                           ClashWords::tr("Processes cannot share what Adafactor remembers."),
                           valueOf(kShared, 0, ClashWords::tr("Share nothing"))});
}

/// A new model learns whatever it is told to predict; an old one would have to unlearn what it knows.
void addNoiseClash(const core::TrainConfig& config, core::PredictionType prediction,
                   std::vector<SettingClash>& clashes) {
    constexpr const char* kNoiseAlone = "loss.zeroTerminalSnr";
    if (!config.loss.zeroTerminalSnr || predictsVelocity(config, prediction)) return;
    const bool fresh = config.mode == core::TrainMode::FromScratch;
    PlanChange remedy{
        fresh ? ClashWords::tr("Predict velocity") : ClashWords::tr("Do not begin with noise alone"), {}, {}};
    if (fresh)
        remedy.expert.insert(QStringLiteral("loss.predictionType"), QString::fromLatin1(kVelocity));
    else
        remedy.expert.insert(QString::fromLatin1(kNoiseAlone), QStringLiteral("false"));
    clashes.push_back(
        {QString::fromLatin1(kNoiseAlone),
         ClashWords::tr("Only a model that predicts velocity can begin with noise alone: where all "
                        "is noise, telling the noise "
                        "teaches nothing."),
         remedy});
}

} // namespace

bool predictsVelocity(const core::TrainConfig& config, core::PredictionType prediction) {
    const std::string& chosen = config.loss.predictionType;
    return chosen.empty() ? prediction == core::PredictionType::VPrediction : chosen == kVelocity;
}

std::vector<SettingClash> settingClashes(const core::TrainConfig& config, int64_t sizeStep,
                                         core::PredictionType prediction) {
    constexpr const char* kSize = "data.resolutionPixels";
    constexpr const char* kStart = "data.startResolutionPixels";
    constexpr const char* kWarmup = "optimizer.warmupSteps";
    std::vector<SettingClash> clashes;
    const core::DataConfig& data = config.data;
    if (data.resolutionPixels % sizeStep != 0)
        clashes.push_back(clashOfSize(
            kSize, data.resolutionPixels, sizeStep,
            ClashWords::tr("The picture size must be a multiple of %1 px for this model. Nearest: %2.")));
    if (data.startResolutionPixels > data.resolutionPixels) {
        const int64_t half = std::max(sizeStep, data.resolutionPixels / 2 / sizeStep * sizeStep);
        clashes.push_back({QString::fromLatin1(kStart),
                           ClashWords::tr("The picture size at first is larger than the picture size, %1 px.")
                               .arg(data.resolutionPixels),
                           valueOf(kStart, half, ClashWords::tr("Begin with %1 px").arg(half))});
    } else if (data.startResolutionPixels % sizeStep != 0) {
        clashes.push_back(
            clashOfSize(kStart, data.startResolutionPixels, sizeStep,
                        ClashWords::tr("The picture size at first must be a multiple of %1 px for "
                                       "this model. Nearest: %2.")));
    }
    if (config.optimizer.warmupSteps > config.steps) {
        const int64_t tenth = std::max<int64_t>(1, config.steps / 10);
        clashes.push_back(
            {QString::fromLatin1(kWarmup),
             ClashWords::tr("The gentle start is longer than the training, %1 steps.")
                 .arg(countText(config.steps)),
             valueOf(kWarmup, tenth, ClashWords::tr("Start gently for %1 steps").arg(countText(tenth)))});
    }
    addNoiseClash(config, prediction, clashes);
    addProcessClashes(config, clashes);
    return clashes;
}

} // namespace homebooth::app
