// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/plans/plan_savings.h"

#include "app/engine/number_format.h"
#include "app/engine/runs/run_cards.h"
#include "core/base/config/training_defaults.h"

#include <QCoreApplication>

#include <algorithm>

namespace homebooth::app {
namespace {

constexpr size_t kEnough = 3; // remedies
constexpr const char* kOptimizer = "optimizer.kind";
constexpr const char* kPrecision = "precision";
constexpr const char* kWeights = "quantization";
constexpr const char* kPixels = "data.resolutionPixels";

class SavingWords {
    Q_DECLARE_TR_FUNCTIONS(homebooth::app::PlanSavings)
};

QMap<QString, QString> setting(const char* path, const QString& text) {
    return {{QString::fromLatin1(path), text}};
}

/// Of several processes each has memory of its own, and of the RAM less is left for each. A card has no less
/// with others beside it.
std::vector<PlanChange> processSavings(const core::TrainConfig& config) {
    std::vector<PlanChange> changes;
    if (config.parallel.processes == 1) return changes;
    const bool cards = trainsOnCards(config);
    if (!config.parallel.spreadsParameters() && !learnsAutoencoder(config))
        changes.push_back({cards ? SavingWords::tr("Share the model among the graphics cards")
                                 : SavingWords::tr("Share the model among the processes"),
                           {},
                           setting("parallel.zero", QStringLiteral("3"))});
    if (!cards)
        changes.push_back({SavingWords::tr("Let one process train"),
                           {},
                           setting("parallel.processes", QStringLiteral("1"))});
    return changes;
}

/// The least side that is worth learning at: of SDXL's models smaller pictures make what they draw worse.
int64_t leastSide(const TrainingChoice& choice) {
    constexpr int64_t kLeast = 256;
    const bool xl = choice.family == core::ModelFamily::StableDiffusionXl && !choice.scratch;
    return xl ? std::max(kLeast, core::leastXlPixels(choice.modelPixels)) : kLeast;
}

/// Those that do not touch what is learned come first.
std::vector<PlanChange> memorySavings(const TrainingChoice& choice, const core::TrainConfig& config) {
    std::vector<PlanChange> changes = processSavings(config);
    QMap<QString, QString> all;
    if (config.optimizer.kind != core::OptimizerKind::AdamW8bit) {
        all.insert(setting(kOptimizer, QStringLiteral("adamw8bit")));
        changes.push_back({SavingWords::tr("Keep the optimizer in 8 bits"), {}, all});
    }
    if (config.precision == core::Precision::Fp32) {
        const QString half = QString::fromLatin1(formatName(choice.half));
        const auto format = setting(kPrecision, half);
        all.insert(format);
        changes.push_back({SavingWords::tr("Use the number format %1").arg(half), {}, format});
    }
    const auto eight = setting(kWeights, QStringLiteral("int8"));
    if (choice.lora && config.quantization == core::Quantization::None) {
        all.insert(eight);
        changes.push_back({SavingWords::tr("Keep the model's weights in 8 bits"), {}, eight});
    }
    if (config.batchSize > 1 && config.parallel.processes == 1) { // several could not share one
        const auto single = setting("batchSize", QStringLiteral("1"));
        all.insert(single);
        changes.push_back({SavingWords::tr("Learn one picture at a time"), {}, single});
    }
    const bool adding = !choice.lora && !choice.scratch;
    if (adding) {
        all.insert(eight);
        changes.push_back({SavingWords::tr("Learn a small add-on instead"), true});
    }
    for (const int quarters : {3, 2}) {
        const int64_t side = config.data.resolutionPixels * quarters / 4 / 64 * 64;
        if (side < leastSide(choice)) break;
        changes.push_back(
            {SavingWords::tr("Use %1 px").arg(side), {}, setting(kPixels, QString::number(qlonglong(side)))});
    }
    if (all.size() > 1 || adding)
        changes.push_back({SavingWords::tr("Save memory wherever possible"),
                           adding ? std::optional(true) : std::nullopt, all});
    return changes;
}

} // namespace

TrainingChoice PlanChange::applied(TrainingChoice choice) const {
    if (plain) choice.expert.clear();
    if (lora) choice.lora = *lora;
    for (auto one = expert.cbegin(); one != expert.cend(); ++one)
        choice.expert.insert(one.key(), one.value());
    return choice;
}

std::vector<PlanChange> savingsOf(const TrainingChoice& choice, const core::TrainConfig& config,
                                  const PlanFacts& refused) {
    std::vector<PlanChange> changes;
    const bool lacks = refused.verdict == PlanFacts::Verdict::DoesNotFit;
    const bool tooLarge = refused.cause == core::FailureCause::FileTooLarge;
    if (lacks && (tooLarge || refused.cause == core::FailureCause::DiskFull)) {
        if (tooLarge && config.optimizer.kind != core::OptimizerKind::AdamW8bit)
            changes.push_back({SavingWords::tr("Keep the optimizer in 8 bits"),
                               {},
                               setting(kOptimizer, QStringLiteral("adamw8bit"))});
        if (!tooLarge && config.output.keepCheckpoints > 2)
            changes.push_back({SavingWords::tr("Keep two saved moments"),
                               {},
                               setting("output.keepCheckpoints", QStringLiteral("2"))});
        if (!choice.lora && !choice.scratch)
            changes.push_back({SavingWords::tr("Learn a small add-on instead"), true});
    } else if (lacks) {
        changes = memorySavings(choice, config);
    }
    if (!choice.expert.isEmpty())
        changes.push_back({SavingWords::tr("Take back the expert settings"), {}, {}, /*plain=*/true});
    return changes;
}

RemedyFinder::RemedyFinder(QObject* parent)
    : QObject(parent)
    , m_asker(nullptr, /*delayMs=*/0) {
    connect(&m_asker, &PlanAsker::changed, this, &RemedyFinder::take);
}

void RemedyFinder::look(std::vector<Candidate> candidates, PlanMoment moment) {
    m_moment = moment;
    m_candidates = std::move(candidates);
    m_fitting.clear();
    m_next = 0;
    askNext();
}

void RemedyFinder::stop() {
    m_candidates.clear();
    m_fitting.clear();
    m_next = 0;
}

void RemedyFinder::askNext() {
    if (m_fitting.size() >= kEnough) m_next = m_candidates.size();
    if (looking()) m_asker.ask(m_candidates[m_next].config, m_moment);
    Q_EMIT changed();
}

void RemedyFinder::take() {
    if (!looking() || m_asker.facts().verdict == PlanFacts::Verdict::Working) return;
    if (m_asker.facts().verdict == PlanFacts::Verdict::Fits) {
        m_candidates[m_next].facts = m_asker.facts();
        m_fitting.push_back(m_candidates[m_next]);
    }
    ++m_next;
    askNext();
}

} // namespace homebooth::app
