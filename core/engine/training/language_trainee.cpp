// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/language_trainee.h"

#include "core/base/model/language/language_writer.h"
#include "core/base/plan/model_dropout.h"
#include "core/base/plan/training/learning_schedule.h"
#include "core/base/plan/training/train_plan.h"
#include "core/base/plan/weight_format.h"
#include "core/base/run/learned_texts.h"
#include "core/base/schedule/adapters.h"
#include "core/base/text/byte_level_tokenizer.h"
#include "core/base/text/documents.h"
#include "core/engine/io/precision.h"
#include "core/engine/io/weights.h"
#include "core/engine/learning/step_random.h"
#include "core/engine/parallel/packed_homes.h"
#include "core/engine/parallel/rank_disk.h"
#include "core/engine/training/language_result.h"
#include "core/engine/training/rank_turns.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace homebooth::core {
namespace {

constexpr int64_t kMostValidated = 256; // windows that a validation looks at

/// A tokenizer may know fewer tokens than the model has rows for, never more.
Result<void> checkVocabulary(const ByteLevelTokenizer& tokenizer, const LanguagePart& model) {
    if (tokenizer.vocabularySize() <= model.config.vocabularySize) return {};
    return badInput("preparing the training: expected a tokenizer of at most " +
                        std::to_string(model.config.vocabularySize) + " tokens, as config.json says, found " +
                        std::to_string(tokenizer.vocabularySize()) + "; take the files of one model",
                    model.folder);
}

std::string runTogether(int64_t textCount) {
    return "neither config.json nor the tokenizer names a token that ends texts: the " +
           std::to_string(textCount) +
           " texts run together, and where one ends is not learned. Name one that the vocabulary has, as "
           "\"eos_token_id\" in config.json or as \"eos_token\" in tokenizer_config.json, and begin again";
}

/// What RAM has room for as tokens. Where that is next to nothing the plan, which comes next, says more.
int64_t roomForTexts(const JobContext& job) {
    constexpr int64_t kLeftToThePlan = int64_t{64} << 20;
    return std::max(ramBeyond(job.config.memory, job.ranks().onThisMachine()), kLeftToThePlan);
}

/// Tells once what is left out: a run that goes on has told it.
Result<Documents> openTexts(const JobContext& job) {
    const DataConfig& data = job.config.data;
    HOMEBOOTH_ASSIGN(Documents texts, Documents::open(data.textPath, data.textColumn));
    if (!texts.notice().empty() && !hasCheckpoints(job.config))
        job.events.emit(WarningEvent{"texts-left-out", texts.notice()});
    return texts;
}

} // namespace

Result<std::unique_ptr<LanguageTrainee>> LanguageTrainee::make(const JobContext& job) {
    std::unique_ptr<LanguageTrainee> trainee(new LanguageTrainee(job));
    HOMEBOOTH_ASSIGN(trainee->m_source, openModel(job.config.model));
    HOMEBOOTH_CHECK(checkLearning(job.config, trainee->m_source));
    const bool whole = job.config.method == TrainMethod::Full;
    if (whole) HOMEBOOTH_CHECK(keepAlong(trainee->m_source));
    if (const auto text = leftAsideText(trainee->m_source); text && whole)
        job.events.emit(WarningEvent{kLeftAside, *text});
    if (const auto warning = dropoutWarning(trainee->m_source); warning && !hasCheckpoints(job.config))
        job.events.emit(WarningEvent{kDropoutNotApplied, *warning}); // once: a run that goes on has told it
    HOMEBOOTH_ASSIGN(const bool read, trainee->readTexts());
    if (job.ranks().any(!read)) return std::unique_ptr<LanguageTrainee>();
    if (!hasCheckpoints(job.config)) // likewise
        for (const std::string& deviation : trainee->m_source.deviations)
            job.events.emit(WarningEvent{"model", deviation});
    // Behind the texts, which stay in RAM: the steps get what is left.
    HOMEBOOTH_ASSIGN(trainee->m_plan,
                     planRun(job, trainee->m_source, {.textBytes = trainee->m_texts->heldBytes()}));
    addExchangeOfRanks(job, trainee->m_plan);
    job.events.emit(StateEvent{"loading", "model", 0, 0});
    HOMEBOOTH_CHECK(trainee->loadModel());
    if (job.ranks().any(job.control.stop.requested())) return std::unique_ptr<LanguageTrainee>();
    HOMEBOOTH_CHECK(trainee->makeLearner());
    return trainee;
}

Result<bool> LanguageTrainee::readTexts() {
    const TierScope notTheSteps(Tier::Ram);
    const LanguagePart& model = *m_source.language;
    HOMEBOOTH_ASSIGN(const ByteLevelTokenizer tokenizer, ByteLevelTokenizer::loadFolder(model.folder));
    HOMEBOOTH_CHECK(checkVocabulary(tokenizer, model));
    const DataConfig& data = m_job.config.data;
    TokenSetOptions options;
    options.textPath = data.textPath;
    options.contextTokens = data.contextTokens;
    options.validationShare = data.validationShare;
    HOMEBOOTH_ASSIGN(const int64_t end, learnedEndOf(model, tokenizer.endToken()));
    options.separator = static_cast<int32_t>(end);
    m_separator = options.separator;
    options.start = tokenizer.startToken();
    options.mostBytes = roomForTexts(m_job);
    options.ramIsLimited = m_job.config.memory.ramBytes > 0;
    HOMEBOOTH_ASSIGN(Documents texts, openTexts(m_job));
    const auto progress = [this](int64_t done, int64_t count) {
        m_job.events.emit(StateEvent{"caching", "texts", done, count});
    };
    HOMEBOOTH_ASSIGN(m_texts,
                     TokenSet::read(std::move(texts), options, tokenizer, m_job.control.stop, progress));
    if (!m_texts) return false;
    if (data.validationShare > 0.0 && m_texts->heldOutCount() == 0)
        m_job.events.emit(WarningEvent{"validation", "there are too few texts to hold any out of training: "
                                                     "there is no validation curve"});
    const bool bordered = options.separator >= 0 || options.start >= 0 || m_texts->textCount() == 1;
    if (!bordered && !hasCheckpoints(m_job.config)) // once, as above
        m_job.events.emit(WarningEvent{"texts-run-together", runTogether(m_texts->textCount())});
    m_order.emplace(m_job.config.seed, std::vector<int64_t>(static_cast<size_t>(m_texts->windowCount()), 0));
    return true;
}

Result<void> LanguageTrainee::loadModel() {
    HOMEBOOTH_ASSIGN(std::vector<Schedule> schedules, learningSchedules(m_job.config, m_source));
    const StepPlacement& placement = m_plan.steps.placement;
    ParameterStore::Options options;
    options.type = scalarTypeOf(m_job.config.precision);
    options.device = m_job.options.device;
    options.streaming = placement.streamingOf(0);
    options.resident = placement.residentOf(0);
    options.disk = diskOf(m_job.config.memory, m_job.ranks(), *m_job.options.swapDevice);
    if (m_job.spreadsParameters())
        options.spread = spreadFor(m_job.ranks(), schedules.front(), options.device,
                                   options.streaming && options.streaming->homeOnDisk);
    m_network = std::make_unique<Component>(std::move(schedules.front()), options);
    initialiseParameters(m_network->store(), mixedSeed(m_job.config.seed, DrawPurpose::Initialisation),
                         isAdapter);
    LoadOptions loading;
    loading.filter = [](const ParameterSpec& spec) { return !isAdapter(spec); };
    loading.cancel = m_job.control.stop;
    const auto loaded = loadParameters(m_network->store(), *m_source.language->tensors, loading);
    if (loaded) return {};
    Error error = loaded.error();
    if (error.context.empty()) error.context = m_source.path;
    return error;
}

Result<void> LanguageTrainee::makeLearner() {
    const TrainConfig& config = m_job.config;
    const StepPlacement& placement = m_plan.steps.placement;
    const std::vector<LearningPart> parts = {{kLanguagePart, m_network.get(), config.optimizer.learningRate}};
    m_learner = std::make_unique<Learner>(config, parts, placement, *m_job.options.swapDevice, m_job.ranks());
    if (config.optimizer.master != MasterWeights::None)
        HOMEBOOTH_CHECK(m_learner->beginMasters(0, *m_source.language->tensors));
    for (const std::string& note : m_learner->swapNotes()) m_job.events.emit(WarningEvent{"swap", note});
    m_learner->place(placement);
    m_step = std::make_unique<LanguageStep>(*m_network);
    PlannedRun run{m_source, m_plan};
    run.decisions = {
        aboutLearnedTexts(config, {m_texts->tokenCount(), m_texts->windowCount(), m_texts->heldOutCount()})};
    m_planned = std::make_unique<PlannedSteps>(m_job, std::move(run), *m_learner);
    return {};
}

/// Shapes: [count of windows, context] of tokens and of what follows each.
LanguageBatch LanguageTrainee::batchOf(const std::vector<int64_t>& windows, bool heldOut) const {
    const TierScope onTheHost(Tier::Ram);
    const int64_t context = m_job.config.data.contextTokens;
    const auto count = static_cast<int64_t>(windows.size());
    const at::Tensor ids = at::empty({count, context + 1}, at::kLong);
    for (int64_t row = 0; row < count; ++row) {
        const std::span<int64_t> into(ids.data_ptr<int64_t>() + row * (context + 1),
                                      static_cast<size_t>(context + 1));
        const int64_t window = windows[static_cast<size_t>(row)];
        heldOut ? m_texts->heldOut(window, into) : m_texts->window(window, into);
    }
    LanguageBatch batch;
    batch.tokens = ids.slice(1, 0, context).contiguous();
    batch.targets = ids.slice(1, 1).contiguous();
    return batch;
}

StepReport LanguageTrainee::step(int64_t step) {
    const std::vector<int64_t> windows =
        m_order->next(m_job.config.batchSize * m_job.config.optimizer.accumulationSteps);
    return m_planned->run(step, /*asPlanned=*/true, [&] { return compute(step, windows); });
}

StepReport LanguageTrainee::compute(int64_t step, const std::vector<int64_t>& windows) {
    using Clock = std::chrono::steady_clock;
    const int64_t microSteps = m_job.config.optimizer.accumulationSteps;
    const BatchPart part = m_job.ownPart(1);
    m_learner->beginStep(step);
    StepReport report;
    for (int64_t micro = 0; micro < microSteps; ++micro) {
        const auto began = Clock::now();
        const auto first = windows.begin() + (micro * part.whole + part.first);
        LanguageBatch batch = batchOf({first, first + part.own}, /*heldOut=*/false);
        batch.part = part;
        batch.dropoutSeed = mixedSeed(m_job.config.seed, DrawPurpose::Adapter, static_cast<uint64_t>(step),
                                      static_cast<uint64_t>(micro));
        report.dataSeconds += std::chrono::duration<double>(Clock::now() - began).count();
        report.loss += m_step->run(batch, *m_learner) / static_cast<double>(microSteps);
        report.sampleCount += part.own;
    }
    report.outcome = m_learner->endStep();
    report.epoch = m_order->epoch();
    return report;
}

std::optional<double> LanguageTrainee::validate() {
    const int64_t there = m_texts->heldOutCount();
    const int64_t count = std::min(there, kMostValidated);
    std::vector<std::optional<double>> losses(static_cast<size_t>(count));
    bool stopped = false;
    for (const RankTurn& turn : ownTurns(m_job, losses.size())) {
        stopped = m_job.stopBetweenSteps().requested();
        if (stopped) break;
        const int64_t window = static_cast<int64_t>(turn.place) * there / count; // spread over all
        const double loss = m_step->lossOf(batchOf({window}, /*heldOut=*/true));
        if (turn.counts) losses[turn.place] = loss;
    }
    return meanOfAll(m_job.ranks(), losses, stopped);
}

Result<std::vector<PreviewPicture>> LanguageTrainee::preview(int64_t /*step*/) {
    return std::vector<PreviewPicture>();
}

Result<std::vector<std::string>> LanguageTrainee::writeResult(const std::string& resultDir,
                                                              int64_t /*step*/) {
    return writeLanguageResult(m_job, *m_source.language, *m_learner, resultDir, m_separator);
}

TierMemory LanguageTrainee::memory() const {
    TierMemory memory;
    memory.parameterBytes = m_network->store().residentBytes();
    memory.cacheBytes = m_texts->heldBytes();
    return memory;
}

} // namespace homebooth::core
