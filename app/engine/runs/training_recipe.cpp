// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/runs/training_recipe.h"

#include "app/engine/runs/run_cards.h"
#include "core/base/config/training_size.h"
#include "core/base/model/configs/text_schedule.h"
#include "core/base/model/model_source.h"

#include <QCryptographicHash>

#include <algorithm>

namespace homebooth::app {
namespace {

using core::ModelFamily;

constexpr const char* kAutoencoder = "vae"; // as the engine calls it
constexpr int64_t kSdxlPixels = 1024;       // of one whose configuration does not say it
constexpr int64_t kSmallModelPixels = 128;  // up to it a model is one of those that learn on a processor
constexpr int64_t kSmallBatch = 3;          // of these
constexpr const char* kTrainText = "trainTextEncoder";
constexpr const char* kSteps = "steps";
constexpr const char* kPreviewEvery = "output.previewEverySteps";
constexpr const char* kSaveEvery = "output.checkpointEverySteps";
constexpr QLatin1Char kPromptMark('|');           // between prompts, as the engine has it
constexpr int64_t kMostPreviews = 64;             // that it makes at a step
constexpr const char* kElsewhere = " on a beach"; // of a prompt: animals, people and things can be there

core::TrainingQuality qualityOf(Quality quality) {
    switch (quality) {
    case Quality::Quick:
        return core::TrainingQuality::Quick;
    case Quality::Balanced:
        return core::TrainingQuality::Balanced;
    case Quality::Best:
        break;
    }
    return core::TrainingQuality::Best;
}

bool isSmall(const TrainingChoice& choice) {
    return choice.family == ModelFamily::Other && choice.modelPixels <= kSmallModelPixels;
}

void fillSmall(core::TrainConfig& config) {
    config.trainTextEncoder = true;
    config.batchSize = kSmallBatch;
    config.data.classImageCount = 24;
    config.precision = core::Precision::Fp32;
}

/// The longest quality takes twice the steps, and a rate that falls to nothing, whose mean is half as
/// high: so the weights move as far as in the published settings, in finer steps. Twice the steps at one
/// rate copy the photos instead.
bool endsGently(const TrainingChoice& choice) {
    const bool own = choice.defaults.knows(core::TrainingQuality::Best);
    return choice.quality == Quality::Best && !isSmall(choice) && !choice.scratch && !own;
}

/// As many as are not learned by heart in those steps.
int64_t classPictures(Quality quality) {
    return quality == Quality::Quick ? 50 : quality == Quality::Balanced ? 100 : 200;
}

void fillLarge(const TrainingChoice& choice, core::TrainConfig& config) {
    config.batchSize = 1;
    config.precision = choice.half;
    config.optimizer.kind = core::OptimizerKind::AdamW8bit;
    if (endsGently(choice)) config.optimizer.schedule = core::LearningRateSchedule::Cosine;
    config.data.classImageCount = classPictures(choice.quality);
}

void fillData(const TrainingChoice& choice, core::TrainConfig& config) {
    core::DataConfig& data = config.data;
    data.resolutionPixels = choice.modelPixels;
    data.background = core::colourText(choice.backgroundRgb);
    data.skipBrokenImages = choice.skipBroken;
    if (needsCaptions(choice)) {
        config.mode = choice.scratch ? core::TrainMode::FromScratch : core::TrainMode::Dataset;
        if (choice.scratch) config.scratch.configDir = config.model;
        if (choice.scratch && choice.autoencoder) config.scratch.component = kAutoencoder;
        data.datasetDir =
            (choice.datasetFolder.isEmpty() ? choice.photoFolder : choice.datasetFolder).toStdString();
        return;
    }
    config.mode = core::TrainMode::DreamBooth;
    data.instanceDir = choice.photoFolder.toStdString();
    data.instancePrompt = choice.sentences.value(0).toStdString();
    if (choice.keepOthersNormal) data.classPrompt = choice.classes.value(0).toStdString();
}

/// Of a folder of the user's all examples are learned: where more are wanted, the engine makes the rest.
void countExamples(const TrainingChoice& choice, core::TrainConfig& config) {
    const QString folder = choice.expert.value(QLatin1String(kClassFolderPath));
    if (!folder.isEmpty() && choice.ownExamples > 0) config.data.classImageCount = choice.ownExamples;
}

/// Takes one expert setting, or all of them. @returns  which could be read
core::GivenFields takeExpert(const TrainingChoice& choice, core::TrainConfig& config,
                             const char* alone = nullptr) {
    core::GivenFields taken;
    if (choice.expert.isEmpty()) return taken;
    std::vector<core::ConfigField> fields = core::configFields(config);
    for (auto it = choice.expert.cbegin(); it != choice.expert.cend(); ++it)
        for (core::ConfigField& field : fields)
            if (field.path == it.key().toStdString() && (alone == nullptr || field.path == alone) &&
                core::setFieldFromText(field, it->toStdString()))
                taken.insert(field.path);
    return taken;
}

/// What the model's folder brings for this quality; else the learning rate of its family, which depends
/// on whether the text encoder learns.
void fillDefaults(const TrainingChoice& choice, core::TrainConfig& config) {
    core::GivenFields given = takeExpert(choice, config, kTrainText);
    given.insert(kSteps);
    if (choice.defaults.own() && !choice.scratch) {
        config = choice.defaults.fill(config, given, qualityOf(choice.quality)).config;
        return;
    }
    given.insert("data.resolutionPixels");
    const auto family = core::TrainingDefaults::ofFamily(choice.family, choice.modelPixels);
    config = family.fill(config, given).config;
}

/// Steps between previews, at least 1: eight of them or a few more or less, all as far from each other where
/// the number of steps allows it. The last step has one in any case.
int64_t stepsBetweenPreviews(int64_t steps) {
    constexpr int64_t kPreviews = 8;
    const auto between = [steps](int64_t previews) { return std::max<int64_t>(1, steps / previews); };
    for (int64_t previews = kPreviews; previews <= kPreviews * 2; ++previews)
        if (steps % previews == 0) return between(previews);
    for (int64_t previews = kPreviews - 1; previews >= kPreviews / 2; --previews)
        if (steps % previews == 0) return between(previews);
    return between(kPreviews);
}

/// Whether as many previews again cost next to nothing: on a graphics card, or beside very many steps.
bool previewsCostLittle(const TrainingChoice& choice, int64_t steps) {
    constexpr int64_t kStepsOfOne = 8; // of a small model: what a preview takes
    constexpr int64_t kLittle = 8;     // at most this part of the steps
    if (!isSmall(choice)) return choice.onGpu;
    return steps / stepsBetweenPreviews(steps) * kStepsOfOne * kLittle <= steps;
}

/// Of several subjects the sentence of each. Of one its sentence, and the same subject where no photo
/// shows it: a model that only copies the photos still draws the first one well. None: the engine
/// previews what is learned as it stands there; of a sentence with "|" in it, it would make several.
QStringList previewPromptsOf(const TrainingChoice& choice, int64_t steps) {
    const QStringList& sentences = choice.sentences;
    const auto parted = [](const QString& sentence) { return sentence.contains(kPromptMark); };
    if (sentences.isEmpty() || std::any_of(sentences.begin(), sentences.end(), parted)) return {};
    if (needsCaptions(choice)) return sentences;
    if (!previewsCostLittle(choice, steps)) return {};
    return {sentences.front(), sentences.front() + QLatin1String(kElsewhere)};
}

int64_t previewCountOf(qsizetype prompts) {
    return std::clamp<int64_t>(prompts, 1, kMostPreviews);
}

/// What is saved can be seen. Moments of an add-on are small beside its model and all kept, up to a number.
/// Of others at most one more is saved than is kept, so that those lie all over the training.
/// @param rhythm  steps between previews, or between what would be
void fillSaving(const TrainingChoice& choice, core::TrainConfig& config, int64_t rhythm) {
    const int64_t most = isSmall(choice) ? 64 : 16; // of an add-on: some gigabytes of a large model's
    core::OutputConfig& output = config.output;
    const int64_t previews = std::max<int64_t>(1, timesIn(config.steps, rhythm));
    const int64_t kept = std::max<int64_t>(2, choice.keptMoments);
    const int64_t apart = choice.lora ? (previews + most - 1) / most : (previews + kept) / (kept + 1);
    output.checkpointEverySteps = apart * rhythm;
    (void)takeExpert(choice, config, kSaveEvery); // by which it is counted what is kept
    const int64_t saved = std::min(most, timesIn(config.steps, output.checkpointEverySteps));
    output.keepCheckpoints = choice.lora ? std::max(kept, saved) : choice.keptMoments;
}

void fillOutput(const TrainingChoice& choice, core::TrainConfig& config) {
    core::OutputConfig& output = config.output;
    const int64_t usual = stepsBetweenPreviews(config.steps);
    output.previewEverySteps = output.validateEverySteps = usual;
    (void)takeExpert(choice, config, kPreviewEvery);
    const QStringList prompts = previewPromptsOf(choice, config.steps);
    output.previewPrompt = prompts.join(QStringLiteral(" | ")).toStdString();
    output.previewCount = previewCountOf(std::max(prompts.size(), choice.sentences.size()));
    fillSaving(choice, config, output.previewEverySteps > 0 ? output.previewEverySteps : usual);
}

QStringList promptsIn(const core::TrainConfig& config) {
    QStringList prompts;
    for (const QString& one : QString::fromStdString(config.output.previewPrompt).split(kPromptMark))
        if (const QString words = one.trimmed(); !words.isEmpty()) prompts.append(words);
    return prompts;
}

/// A preview of each prompt that was typed; where all were taken out, of each subject.
void countPreviews(const TrainingChoice& choice, core::TrainConfig& config) {
    if (!choice.expert.contains(QLatin1String(kPreviewPromptPath))) return;
    const qsizetype typed = promptsIn(config).size();
    config.output.previewCount = previewCountOf(typed > 0 ? typed : choice.sentences.size());
}

/// A first size and its steps, or neither: the engine refuses one without the other, and either for crops.
void pairStart(const TrainingChoice& choice, core::TrainConfig& config) {
    core::DataConfig& data = config.data;
    const bool chosen = choice.expert.contains(QStringLiteral("data.startSteps"));
    if (data.startSteps == 0 && !chosen) data.startSteps = usualStartSteps(config);
    if (data.startSteps == 0 || data.startResolutionPixels == 0 || learnsAutoencoder(config))
        data.startSteps = data.startResolutionPixels = 0;
}

/// What the model brings and what was chosen beside it: the engine refuses formats that nothing has, 8 bits
/// for weights that learn, text encoders that cannot learn, and examples beside a dataset.
void dropIdle(const TrainingChoice& choice, core::TrainConfig& config) {
    if (config.mode != core::TrainMode::DreamBooth || !choice.keepOthersNormal) {
        config.data.classPrompt.clear();
        config.data.classDir.clear();
    }
    if (!textCanLearn(choice.family)) config.trainTextEncoder = false;
    core::OptimizerConfig& optimizer = config.optimizer;
    if (optimizer.kind != core::OptimizerKind::AdamW) optimizer.states = core::StateType::Fp32;
    if (config.method == core::TrainMethod::Lora || config.precision == core::Precision::Fp32)
        optimizer.master = core::MasterWeights::None;
    if (config.method != core::TrainMethod::Lora) config.quantization = core::Quantization::None;
}

/// Each of several cards has a process of its own. Without cards several compute on processors. Either is so
/// also where the run goes on on another machine.
void placeProcesses(const TrainingChoice& choice, core::TrainConfig& config) {
    const QStringList cards = cardsOfText(choice.expert.value(QString::fromLatin1(kCardsPath)));
    if (!cards.isEmpty()) {
        config.parallel.processes = cards.size();
        config.memory.device = core::ComputeDevice::Gpu;
    } else if (config.parallel.processes > 1) {
        config.memory.device = core::ComputeDevice::Cpu;
    }
    if (config.parallel.processes == 1) config.parallel.zero = 0;
}

/// What a step is divided among; empty where one finds a device of its own.
QString crewKey(const core::TrainConfig& config) {
    const core::ParallelConfig& parallel = config.parallel;
    QString key;
    if (parallel.processes > 1)
        key = QStringLiteral("-%1-%2-%3")
                  .arg(parallel.processes)
                  .arg(trainsOnCards(config) ? QStringLiteral("cards") : QStringLiteral("processes"))
                  .arg(parallel.zero);
    for (const QString& card : cardsOf(config)) key += '-' + card; // they may be of several kinds
    return key;
}

/// Steps of the three take different times.
const char* whatLearns(const core::TrainConfig& config) {
    if (learnsAutoencoder(config)) return kAutoencoder;
    return config.method == core::TrainMethod::Lora ? "lora" : "full";
}

/// What such a training of the model's family usually takes, as on the command line.
int64_t usualSteps(const TrainingChoice& choice) {
    core::TrainConfig config;
    config.method = choice.lora ? core::TrainMethod::Lora : core::TrainMethod::Full;
    if (choice.keepOthersNormal && !needsCaptions(choice))
        config.data.classPrompt = choice.classes.value(0).toStdString();
    const auto family = core::TrainingDefaults::ofFamily(choice.family, choice.modelPixels);
    return family.fill(config, {}).config.steps;
}

/// Of few pictures, as subjects have them.
int64_t stepsOfFew(const TrainingChoice& choice, Quality quality) {
    if (choice.defaults.knows(qualityOf(quality))) {
        core::TrainConfig config;
        config.method = choice.lora ? core::TrainMethod::Lora : core::TrainMethod::Full;
        return choice.defaults.fill(config, {}, qualityOf(quality)).config.steps;
    }
    const int64_t usual = usualSteps(choice);
    switch (quality) {
    case Quality::Quick:
        return isSmall(choice) ? 80 : usual / 2;
    case Quality::Balanced:
        return isSmall(choice) ? 250 : usual;
    case Quality::Best:
        break;
    }
    return isSmall(choice) ? 600 : 2 * usual;
}

/// In how many steps each picture of a dataset is seen often enough; of very many, as many as of two
/// thousand, since one waits for no more. 0: nobody knows how many there are.
int64_t stepsOfPictures(const TrainingChoice& choice, Quality quality) {
    constexpr int64_t kMostPictures = 2000;
    if (choice.datasetFolder.isEmpty()) return 0; // photos of subjects are few, also of several together
    const int64_t times = quality == Quality::Quick ? 4 : quality == Quality::Balanced ? 10 : 30;
    const int64_t batch = isSmall(choice) ? kSmallBatch : 1;
    return (times * std::min(choice.pictures, kMostPictures) + batch - 1) / batch;
}

} // namespace

bool learnsAutoencoder(const core::TrainConfig& config) {
    return config.mode == core::TrainMode::FromScratch && config.scratch.component == kAutoencoder;
}

bool textCanLearn(core::ModelFamily family) {
    return family != ModelFamily::StableDiffusionXl;
}

int64_t usualStartSteps(const core::TrainConfig& config) {
    return config.data.startResolutionPixels > 0 ? std::max<int64_t>(1, config.steps / 2) : 0;
}

bool needsCaptions(const TrainingChoice& choice) {
    return !choice.datasetFolder.isEmpty() || choice.sentences.size() > 1;
}

int64_t stepsOf(const TrainingChoice& choice, Quality quality) {
    if (choice.scratch) { // nothing is known yet: a first look takes what is else the best
        constexpr int64_t kScratchSteps = 2000;
        return quality == Quality::Quick      ? kScratchSteps
               : quality == Quality::Balanced ? 10 * kScratchSteps
                                              : 50 * kScratchSteps;
    }
    const int64_t subjects = std::max<int64_t>(1, choice.sentences.size());
    return std::max(stepsOfFew(choice, quality) * subjects, stepsOfPictures(choice, quality));
}

QString speedKey(const core::TrainConfig& config) {
    constexpr qsizetype kDigits = 12;
    const QByteArray path = QByteArray::fromStdString(config.model);
    const QByteArray model = QCryptographicHash::hash(path, QCryptographicHash::Sha256).toHex().left(kDigits);
    return QStringLiteral("speed/%1-%2-%3-%4%5")
        .arg(QString::fromLatin1(model))
        .arg(QString::fromLatin1(whatLearns(config)))
        .arg(config.data.resolutionPixels)
        .arg(config.batchSize)
        .arg(crewKey(config));
}

QString paceKey(const core::TrainConfig& config) {
    return speedKey(config) + QStringLiteral("-pace");
}

QString examplesKey(const core::TrainConfig& config) {
    constexpr qsizetype kDigits = 12;
    std::string text = config.model + '\n' + config.data.classPrompt + '\n' +
                       std::to_string(config.data.resolutionPixels) + '\n' +
                       std::to_string(config.data.classGuidanceScale) + '\n' +
                       std::to_string(static_cast<int>(config.precision));
    if (config.quantization != core::Quantization::None)
        text += std::string("\n") + core::quantizationName(config.quantization);
    const QByteArray hash =
        QCryptographicHash::hash(QByteArray::fromStdString(text), QCryptographicHash::Sha256).toHex();
    return QStringLiteral("examples/%1").arg(QString::fromLatin1(hash.left(kDigits)));
}

core::TrainConfig trainConfigOf(const TrainingChoice& choice) {
    core::TrainConfig config;
    config.model = choice.model.toStdString();
    config.method = choice.lora ? core::TrainMethod::Lora : core::TrainMethod::Full;
    config.steps = stepsOf(choice, choice.quality);
    config.seed = 1;
    if (isSmall(choice))
        fillSmall(config);
    else
        fillLarge(choice, config);
    fillData(choice, config);
    fillDefaults(choice, config);
    (void)takeExpert(choice, config, kSteps); // after which the rhythm of previews goes
    fillOutput(choice, config);
    countExamples(choice, config);
    (void)takeExpert(choice, config);
    countPreviews(choice, config);
    pairStart(choice, config);
    dropIdle(choice, config);
    placeProcesses(choice, config);
    return config;
}

core::TrainConfig defaultsOf(const TrainingChoice& choice) {
    TrainingChoice plain = choice;
    plain.expert.clear();
    core::TrainConfig config = trainConfigOf(plain);
    const auto with = [&choice, &plain](const char* path) { // beside those before
        const QString one = QString::fromLatin1(path);
        if (choice.expert.contains(one)) plain.expert.insert(one, choice.expert.value(one));
        return trainConfigOf(plain);
    };
    config.optimizer.learningRate = with(kTrainText).optimizer.learningRate;
    config.data.classImageCount = with(kClassFolderPath).data.classImageCount;
    plain.expert.clear();
    config.output = with(kSteps).output;
    config.output.checkpointEverySteps = with(kPreviewEvery).output.checkpointEverySteps;
    config.output.keepCheckpoints = with(kSaveEvery).output.keepCheckpoints;
    return config;
}

bool previewsElsewhere(const core::TrainConfig& config) {
    return config.output.previewCount == 2 && config.output.previewPrompt.ends_with(kElsewhere);
}

QString firstPreview(const core::TrainConfig& config) {
    return promptsIn(config).value(0);
}

int64_t timesIn(int64_t steps, int64_t every) {
    return every > 0 ? (steps + every - 1) / every : 0;
}

int64_t picturesLearned(const core::TrainConfig& config) {
    return config.steps * config.batchSize * config.optimizer.accumulationSteps;
}

double timesSeen(const TrainingChoice& choice, const core::TrainConfig& config) {
    if (choice.datasetFolder.isEmpty() || choice.pictures <= 0) return 0.0;
    const auto learned = double(choice.pictures) * (1.0 - config.data.validationShare);
    return double(picturesLearned(config)) / std::max(1.0, learned);
}

ModelFacts modelFacts(const QString& path) {
    core::OpenOptions options;
    options.weightsOptional = true;
    const auto model = core::openModel(path.toStdString(), options);
    ModelFacts facts;
    if (!model) {
        facts.problem = QString::fromStdString(model.error().text());
        return facts;
    }
    if (model->language) { // for the command line alone
        facts.drawsPictures = facts.packsPictures = false;
        return facts;
    }
    facts.usable = true;
    facts.drawsPictures = model->unetTensors != nullptr;
    facts.packsPictures = model->vaeTensors != nullptr;
    facts.family = model->family;
    facts.mostClipSkip = std::max<int64_t>(0, core::mostClipSkip(*model));
    facts.predictionKnown = model->predictionTypeKnown;
    facts.predictionSaid = model->predictionTypeSaid;
    facts.prediction = model->predictionType;
    if (const auto scheduler = core::parseSchedulerConfig(model->schedulerJson, model->path))
        facts.stepsTrail = scheduler->timestepSpacing == core::TimestepSpacing::Trailing;
    const int64_t factor = int64_t{1} << (std::max<size_t>(1, model->vae.blockOutChannels.size()) - 1);
    facts.pixels = model->unet.sampleSize * factor;
    if (facts.pixels == 0 && model->family == ModelFamily::StableDiffusionXl) facts.pixels = kSdxlPixels;
    facts.sizeStep = std::max(kLeastSizeStep, factor);
    facts.bucketStep = core::bucketMultiple(factor, std::max<size_t>(1, model->unet.blockOutChannels.size()));
    if (auto defaults = core::TrainingDefaults::of(*model)) {
        facts.defaults = std::move(defaults).value();
    } else {
        facts.usable = false;
        facts.problem = QString::fromStdString(defaults.error().text());
    }
    return facts;
}

} // namespace homebooth::app
