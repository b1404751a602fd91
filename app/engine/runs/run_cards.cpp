// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/runs/run_cards.h"

#include "core/base/config/config_fields.h"
#include "core/base/run/queue/rank_gpus.h"
#include "core/base/run/run_folder.h"
#include "core/base/system/gpu_facts.h"

#include <QCoreApplication>

#include <algorithm>

namespace homebooth::app {
namespace {

class Words {
    Q_DECLARE_TR_FUNCTIONS(homebooth::app::RunCards)
};

/// Their numbers are asked for once, and only where cards are named, which may be by these.
core::GpuOffer offerFor(const std::vector<core::JobSlot>& places, const core::TrainConfig& config) {
    if (config.parallel.gpus.empty()) return {places, {}};
    static const std::vector<std::string> numbered = core::numberedGpus();
    return core::offerOf(places, numbered);
}

} // namespace

bool engineTakesCards() {
    core::TrainConfig config;
    const std::vector<core::ConfigField> fields = core::configFields(config);
    return std::any_of(fields.begin(), fields.end(),
                       [](const core::ConfigField& field) { return field.path == kCardsPath; });
}

QStringList cardsOfText(const QString& text) {
    QStringList cards;
    for (const QString& one : text.split(','))
        if (const QString card = one.trimmed(); !card.isEmpty() && !cards.contains(card)) cards.append(card);
    return cards;
}

QStringList cardsOf(const core::TrainConfig& config) {
    QStringList cards;
    for (const std::string& one : config.parallel.gpus) cards.append(QString::fromStdString(one));
    return cards;
}

QList<int> slotsWanted(const std::string& runDir, const std::vector<core::JobSlot>& places) {
    if (places.size() < 2) return {};
    const auto run = core::RunFolder::open(runDir);
    if (!run) return {};
    const auto config = run->config();
    if (!config) return {};
    const auto wanted = core::slotsWanted(*config, offerFor(places, *config));
    return wanted ? QList<int>(wanted->begin(), wanted->end()) : QList<int>();
}

QList<int> slotsUsed(const core::QueuedJob& job, const std::vector<core::JobSlot>& places) {
    const QList<int> wanted = slotsWanted(job.runDir, places);
    return wanted.isEmpty() ? QList<int>{job.slot} : wanted;
}

QString cardsText(const QList<int>& slots) {
    QStringList numbers;
    for (const int slot : slots) numbers.append(QString::number(slot));
    const QString last = numbers.takeLast();
    if (numbers.isEmpty()) return Words::tr("GPU %1").arg(last);
    return Words::tr("GPU %1 and %2", "GPU 0, 1 and 2").arg(numbers.join(QStringLiteral(", ")), last);
}

} // namespace homebooth::app
