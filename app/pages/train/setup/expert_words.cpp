// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/train/setup/expert_words.h"

#include "app/engine/figures.h"
#include "app/engine/plans/setting_clashes.h"
#include "app/engine/runs/run_cards.h"
#include "app/engine/runs/training_recipe.h"
#include "app/pages/train/setup/expert_form.h"
#include "core/base/system/cpu_facts.h"

#include <QDir>
#include <QLocale>
#include <QRegularExpression>
#include <QUrl>

#include <algorithm>
#include <cmath>

namespace homebooth::app {
namespace {

constexpr const char* kShared = "parallel.zero";
constexpr const char* kPrediction = "loss.predictionType";
constexpr const char* kWeights = "quantization";
constexpr const char* kPreviews = kPreviewPromptPath;

/// What decides the course of learning: plain name, the field's real name, what it does to the result.
std::vector<SettingWords> aboutLearning() {
    return {
        {"steps", ExpertForm::tr("Steps"), ExpertForm::tr("optimizer steps"),
         ExpertForm::tr("More steps learn the subject closer, until it only copies the photos.")},
        {"optimizer.learningRate", ExpertForm::tr("Learning speed"), ExpertForm::tr("learning rate"),
         ExpertForm::tr("Higher learns faster and goes astray sooner.")},
        {"optimizer.schedule", ExpertForm::tr("Course of the speed"), ExpertForm::tr("schedule"),
         ExpertForm::tr("Constant, linear or cosine: it stays, falls evenly, or falls in a curve. One that "
                        "falls ends gently, which keeps details.")},
        {"optimizer.warmupSteps", ExpertForm::tr("Gentle start"), ExpertForm::tr("warm-up steps"),
         ExpertForm::tr("The speed rises over these steps instead of at once.")},
        {"batchSize", ExpertForm::tr("Pictures at a time"), ExpertForm::tr("batch size"),
         ExpertForm::tr("More are steadier and need more memory.")},
        {"optimizer.accumulationSteps", ExpertForm::tr("Batches in a step"),
         ExpertForm::tr("gradient accumulation"),
         ExpertForm::tr("As a larger batch, slower, with little more memory.")},
    };
}

/// What decides which pictures are learned, and from what.
std::vector<SettingWords> aboutData() {
    return {
        {"data.resolutionPixels", ExpertForm::tr("Picture size"), ExpertForm::tr("resolution, px"),
         ExpertForm::tr("Smaller is faster and needs less memory; details are lost.")},
        {"data.startResolutionPixels", ExpertForm::tr("Picture size at first"),
         ExpertForm::tr("start resolution, px"),
         ExpertForm::tr("Smaller pictures first: rough shapes are learned in less time, details "
                        "afterwards. 0: off.")},
        {"data.startSteps", ExpertForm::tr("Steps at that size"), ExpertForm::tr("start steps"),
         ExpertForm::tr("More save more time; fewer steps are left for details.")},
        {"data.framing", ExpertForm::tr("Shapes"), ExpertForm::tr("framing"),
         ExpertForm::tr(
             "Crop or buckets: pictures are cut square, or keep their shapes and are grouped by them.")},
        {"data.flip", ExpertForm::tr("Also mirrored"), ExpertForm::tr("flip"),
         ExpertForm::tr("More variety; wrong for faces, text and anything with a left and a right.")},
        {"data.captionDropout", ExpertForm::tr("Pictures without words"), ExpertForm::tr("caption dropout"),
         ExpertForm::tr("The part that is learned without its caption: looks are learned apart from words.")},
        {"data.skipBrokenImages", ExpertForm::tr("Skip broken pictures"),
         ExpertForm::tr("go on without those that cannot be read"),
         ExpertForm::tr("Pictures that cannot be read or have no caption are left out and listed beside the "
                        "charts. Else they end the training.")},
        {"trainTextEncoder", ExpertForm::tr("Learn words, too"), ExpertForm::tr("train the text encoder"),
         ExpertForm::tr("Follows the trigger word better, needs more memory.")},
        {"optimizer.textEncoderLearningRate", ExpertForm::tr("Learning speed of words"),
         ExpertForm::tr("text encoder learning rate"),
         ExpertForm::tr("Lower keeps the meaning of other words. 0: as fast as pictures.")},
    };
}

/// What many pictures with captions bring along.
std::vector<SettingWords> aboutDatasets() {
    return {
        {"data.captionColumns", ExpertForm::tr("Where captions stand"), ExpertForm::tr("caption columns"),
         ExpertForm::tr("Names in metadata.jsonl or in the JSON of shards, with commas between; one of "
                        "them is learned at a time. Empty: texts, or else text.")},
        {"data.shuffleTags", ExpertForm::tr("Tags in any order"), ExpertForm::tr("shuffle tags"),
         ExpertForm::tr("For captions that are lists with commas: each tag counts, wherever it stands.")},
        {"data.keepTags", ExpertForm::tr("Tags that stay in front"), ExpertForm::tr("keep tags"),
         ExpertForm::tr("So a trigger word keeps its place and its weight.")},
        {"data.validationShare", ExpertForm::tr("Pictures held out"), ExpertForm::tr("validation share"),
         ExpertForm::tr("This part is never learned. Its loss is a second curve, which rises when the "
                        "others are copied. 0: none.")},
        {"output.validateEverySteps", ExpertForm::tr("Look at them every"),
         ExpertForm::tr("steps between validations"),
         ExpertForm::tr("More often shows sooner when to stop, and takes time.")},
        {"data.encode", ExpertForm::tr("When pictures are prepared"), ExpertForm::tr("encode"),
         ExpertForm::tr(
             "While it learns: training begins at once, and each picture is prepared shortly before "
             "it is learned. That takes some more memory. The result is the same.")},
    };
}

/// How it is computed.
std::vector<SettingWords> aboutNumbers() {
    return {
        {"precision", ExpertForm::tr("Number format"), ExpertForm::tr("precision"),
         ExpertForm::tr("bf16 and fp16 halve the memory of the model; fp32 is the most exact.")},
        {"optimizer.kind", ExpertForm::tr("Way of learning"), ExpertForm::tr("optimizer"),
         ExpertForm::tr("AdamW in 8 bit needs a quarter of the optimizer's memory, Adafactor almost none.")},
        {"optimizer.states", ExpertForm::tr("Memory of its steps"),
         ExpertForm::tr("format of the optimizer's moments"),
         ExpertForm::tr("bf16 halves the optimizer's memory; fp32 is the most exact.")},
        {"optimizer.master", ExpertForm::tr("Exact copy that learns"), ExpertForm::tr("master weights"),
         ExpertForm::tr(
             "An fp32 copy keeps steps that bf16 would round away, for twice the model's memory.")},
        {"memory.policy", ExpertForm::tr("Where the model waits"), ExpertForm::tr("placement"),
         ExpertForm::tr("In RAM, a graphics card with little memory suffices and steps take longer.")},
        {"optimizer.weightDecay", ExpertForm::tr("Forgetting"), ExpertForm::tr("weight decay"),
         ExpertForm::tr("Keeps weights small; rarely worth a change.")},
        {"optimizer.maxGradientNorm", ExpertForm::tr("Limit of a step"), ExpertForm::tr("gradient clipping"),
         ExpertForm::tr("Stops single bad steps from doing harm. 0: none.")},
        {"optimizer.emaDecay", ExpertForm::tr("Average of the past"), ExpertForm::tr("EMA decay"),
         ExpertForm::tr("Smoother results from many steps; needs the weights once more. 0: none.")},
    };
}

/// Who computes.
std::vector<SettingWords> aboutProcesses() {
    return {
        {kCardsPath, ExpertForm::tr("Graphics cards"), ExpertForm::tr("GPUs that train together"),
         ExpertForm::tr(
             "Several share each step, which takes less time then; the pictures at a time must be as "
             "many for each. The training begins when all of them are free. By default it takes "
             "the fastest one, or another that is free.")},
        {"parallel.processes", ExpertForm::tr("Processes"), ExpertForm::tr("that train together"),
         ExpertForm::tr("Several share each step and the computer's cores. That pays on computers with very "
                        "many cores; each process needs memory of its own. The pictures at a time must be "
                        "as many for each.")},
        {kShared, ExpertForm::tr("Shared among them"), ExpertForm::tr("ZeRO stage"),
         ExpertForm::tr("Of this each process keeps its part alone and borrows the rest from the others: "
                        "less memory, slower steps, the same result. ZeRO 2 shares gradients and what the "
                        "optimizer remembers, ZeRO 3 the model, too.")},
    };
}

/// Examples of what a subject is one of.
std::vector<SettingWords> aboutExamples() {
    return {
        {kClassPromptPath, ExpertForm::tr("Prompt of the examples"), ExpertForm::tr("class prompt"),
         ExpertForm::tr("What example pictures show, and what they are learned as: the kind, without the "
                        "trigger word. Empty: by what the subject is.")},
        {kClassFolderPath, ExpertForm::tr("Own example pictures"), ExpertForm::tr("class folder"),
         ExpertForm::tr("A folder with pictures of others of the kind, in place of those that the model "
                        "makes. All of them are learned; where you want more, the model makes the rest in "
                        "that folder.")},
        {"data.classImageCount", ExpertForm::tr("Example pictures"), ExpertForm::tr("class images"),
         ExpertForm::tr("More keep the class varied, and take longer to make.")},
        {"data.classGuidanceScale", ExpertForm::tr("Follow the prompt in examples"),
         ExpertForm::tr("class image guidance"),
         ExpertForm::tr(
             "Lower keeps the class more varied; higher makes clearer pictures that are more alike.")},
        {"data.priorLossWeight", ExpertForm::tr("Weight of the examples"),
         ExpertForm::tr("prior loss weight"),
         ExpertForm::tr("Higher keeps others of the kind normal and learns the subject slower.")},
    };
}

/// What the kinds of training bring along.
std::vector<SettingWords> aboutKinds() {
    return {
        {"lora.rank", ExpertForm::tr("Room of the add-on"), ExpertForm::tr("LoRA rank"),
         ExpertForm::tr("Higher holds more detail in a larger file.")},
        {"lora.alpha", ExpertForm::tr("Strength of the add-on"), ExpertForm::tr("LoRA alpha"),
         ExpertForm::tr("The learned change counts alpha / rank.")},
        {"lora.dropout", ExpertForm::tr("Left out by chance"), ExpertForm::tr("LoRA dropout"),
         ExpertForm::tr("This part of what the add-on sees is left out at each step, always another: it "
                        "copies the photos later, and learns slower. 0: nothing.")},
        {"lora.convolutions", ExpertForm::tr("Add-on in more layers"),
         ExpertForm::tr("LoRA of convolutions, LoCon"),
         ExpertForm::tr("Shapes and textures are learned closer, in a larger file and with more memory. "
                        "Other programs must know LoCon to use it.")},
        {kWeights, ExpertForm::tr("Weights beside the add-on"), ExpertForm::tr("quantization"),
         ExpertForm::tr("Those of the model, which do not learn. In 8 bits they take half the memory of "
                        "bf16, a quarter of fp32's, and results differ a little.")},
        {"loss.minSnrGamma", ExpertForm::tr("Even out noise levels"), ExpertForm::tr("min-SNR gamma"),
         ExpertForm::tr("5 often learns faster; 0: off.")},
        {"loss.noiseOffset", ExpertForm::tr("Darker darks"), ExpertForm::tr("noise offset"),
         ExpertForm::tr("Around 0.05 allows very dark and very bright pictures.")},
        {kPrediction, ExpertForm::tr("What is predicted"), ExpertForm::tr("prediction type"),
         ExpertForm::tr(
             "What the model tells in a noisy picture: the noise, as most do, or the velocity, which "
             "mixes noise and picture. Velocity keeps colours and brightness steadier, and can "
             "begin with noise alone. A model that has learned the one makes grey noise until it "
             "has learned the other: change it for new models only.")},
        {"loss.zeroTerminalSnr", ExpertForm::tr("Begin with noise alone"),
         ExpertForm::tr("zero-terminal SNR"),
         ExpertForm::tr("Allows very dark and very bright pictures, and shifts what the model knew. Only for "
                        "models that predict velocity.")},
    };
}

/// What is saved and shown, and what makes it the same again.
std::vector<SettingWords> aboutOutput() {
    return {
        {"output.checkpointEverySteps", ExpertForm::tr("Save every"),
         ExpertForm::tr("steps between checkpoints"),
         ExpertForm::tr("Each saved moment takes room on the disk.")},
        {"output.previewEverySteps", ExpertForm::tr("Preview every"),
         ExpertForm::tr("steps between previews"),
         ExpertForm::tr("Each preview costs the time of a picture. 0: none.")},
        {kPreviews, ExpertForm::tr("Preview prompts"), ExpertForm::tr("sample prompts, with | between them"),
         ExpertForm::tr("A picture of each at every preview. Beside the sentence that is learned, what else "
                        "the subject can be, and others of its kind show whether the photos are only "
                        "copied. Empty: the sentence that is learned, or captions.")},
        {"output.keepCheckpoints", ExpertForm::tr("Saved moments kept"), ExpertForm::tr("checkpoints"),
         ExpertForm::tr("Older ones are removed; favourites and at least two stay.")},
        {"output.keepOptimizerState", ExpertForm::tr("Can be trained further"),
         ExpertForm::tr("keep optimizer states"),
         ExpertForm::tr("Keeps what a later training goes on from; takes room on the disk.")},
        {"seed", ExpertForm::tr("Seed"), ExpertForm::tr("seed"),
         ExpertForm::tr("The same seed and settings give the same result.")},
    };
}

/// An autoencoder learns from crops, at once with all its parts: no noise, no words, no stages.
bool autoencoderHas(const QString& path) {
    constexpr const char* kOthers[] = {"data.startResolutionPixels",
                                       "data.startSteps",
                                       "data.captionDropout",
                                       "data.shuffleTags",
                                       "data.keepTags",
                                       "data.encode",
                                       "trainTextEncoder",
                                       "optimizer.textEncoderLearningRate",
                                       "memory.policy",
                                       kPreviews};
    const bool others = std::any_of(std::begin(kOthers), std::end(kOthers),
                                    [&path](const char* one) { return path == QLatin1String(one); });
    return !others && !path.startsWith(QLatin1String("loss."));
}

/// Nothing for settings that are none of the data's.
std::optional<bool> dataSettingApplies(const QString& path, const core::TrainConfig& config) {
    const core::DataConfig& data = config.data;
    const bool dataset = config.mode != core::TrainMode::DreamBooth;
    const std::pair<const char*, bool> known[] = {
        {kClassPromptPath, !data.classPrompt.empty()},
        {kClassFolderPath, !data.classPrompt.empty()},
        {"data.classImageCount", !data.classPrompt.empty()},
        {"data.classGuidanceScale", !data.classPrompt.empty()},
        {"data.priorLossWeight", !data.classPrompt.empty()},
        {"data.startSteps", data.startResolutionPixels > 0},
        {"data.captionColumns", dataset},
        {"data.encode", dataset},
        {"data.shuffleTags", dataset},
        {"data.keepTags", dataset && data.shuffleTags},
        {"data.validationShare", dataset},
        {"output.validateEverySteps", dataset && data.validationShare > 0.0},
    };
    for (const auto& [name, applies] : known)
        if (path == QLatin1String(name)) return applies;
    return std::nullopt;
}

/// A folder as it was typed or pasted; empty: none.
QString typedFolder(const QString& text) {
    if (text.isEmpty()) return text;
    if (const QUrl address(text); address.isLocalFile()) return QDir::cleanPath(address.toLocalFile());
    const bool home = text == QLatin1String("~") || text.startsWith(QLatin1String("~/"));
    return QDir::cleanPath(home ? QDir::homePath() + text.mid(1) : text);
}

/// One number with a point, whatever separators it was typed with.
QString plainNumber(QString text, bool whole) {
    text.remove(QRegularExpression(QStringLiteral("[\\s\u00a0\u202f'_]")));
    static const QRegularExpression groups(QStringLiteral("^[+-]?\\d{1,3}([.,]\\d{3})+$"));
    if (whole && groups.match(text).hasMatch()) return text.remove(',').remove('.');
    if (text.contains(',') && text.contains('.')) { // the last one is the decimal's
        const QChar group = text.lastIndexOf(',') > text.lastIndexOf('.') ? '.' : ',';
        text.remove(group);
    }
    return text.replace(',', '.');
}

std::optional<double> typedNumber(const core::ConfigField& field, const QString& typed) {
    const bool real = std::holds_alternative<double*>(field.value);
    QString text = typed.trimmed();
    const bool percent = real && text.endsWith('%');
    if (percent) text.chop(1);
    bool fine = false;
    const double value = plainNumber(text, !real).toDouble(&fine);
    if (!fine || !std::isfinite(value)) return std::nullopt;
    return percent ? value / 100.0 : value;
}

} // namespace

std::vector<SettingWords> offeredSettings() {
    std::vector<SettingWords> all;
    for (const auto& part : {aboutLearning(), aboutData(), aboutDatasets(), aboutNumbers(), aboutProcesses(),
                             aboutExamples(), aboutKinds(), aboutOutput()})
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

QString otherWords(const QString& path) {
    const std::pair<const char*, const char*> known[] = {
        {"steps", "epochs iterations max train steps"},
        {"optimizer.learningRate", "lr unet lr"},
        {"optimizer.schedule", "lr scheduler"},
        {"optimizer.textEncoderLearningRate", "text encoder lr"},
        {"data.captionDropout", "caption dropout rate"},
        {"data.flip", "flip aug augmentation"},
        {"data.priorLossWeight", "regularization"},
        {"data.classImageCount", "regularization reg images"},
        {kClassPromptPath, "regularization reg caption prior preservation"},
        {kClassFolderPath, "regularization reg images class data directory prior preservation"},
        {"data.validationShare", "validation"},
        {"precision", "mixed precision"},
        {"memory.policy", "offloading block swap lowvram"},
        {"lora.rank", "network dim dimension"},
        {"lora.alpha", "network alpha"},
        {"lora.dropout", "network dropout"},
        {"lora.convolutions", "conv dim lycoris lora-c3lier"},
        {"output.checkpointEverySteps", "checkpointing save every n steps epochs"},
        {"output.previewEverySteps", "sample every n steps sampling"},
        {kPreviews, "sample prompts sampling"},
    };
    for (const auto& [name, words] : known)
        if (path == QLatin1String(name)) return QString::fromLatin1(words);
    return {};
}

bool isLongText(const QString& path) {
    return path == QLatin1String(kPreviews) || path == QLatin1String(kClassPromptPath) ||
           path == QLatin1String(kClassFolderPath);
}

QString placeholderOf(const QString& path, const core::TrainConfig& defaults) {
    if (path == QLatin1String(kPreviews)) return QString::fromStdString(defaults.data.instancePrompt);
    if (path == QLatin1String(kClassPromptPath)) return QString::fromStdString(defaults.data.classPrompt);
    if (path == QLatin1String(kClassFolderPath)) return ExpertForm::tr("the model makes them");
    return {};
}

QString choiceText(const QString& word) {
    const std::pair<const char*, QString> plain[] = {{"constant", ExpertForm::tr("stays")},
                                                     {"linear", ExpertForm::tr("falls evenly")},
                                                     {"cosine", ExpertForm::tr("falls in a curve")},
                                                     {"crop", ExpertForm::tr("cut square")},
                                                     {"buckets", ExpertForm::tr("keep shapes")},
                                                     {"adamw", QStringLiteral("AdamW")},
                                                     {"adamw8bit", ExpertForm::tr("AdamW, 8 bit")},
                                                     {"adafactor", QStringLiteral("Adafactor")},
                                                     {"none", ExpertForm::tr("none")},
                                                     {"auto", ExpertForm::tr("as it fits best")},
                                                     {"gpu", ExpertForm::tr("where it computes")},
                                                     {"cpu", ExpertForm::tr("in RAM")},
                                                     {"epsilon", ExpertForm::tr("noise")},
                                                     {"v_prediction", ExpertForm::tr("velocity")},
                                                     {"first", ExpertForm::tr("all before training")},
                                                     {"ahead", ExpertForm::tr("while it learns")}};
    for (const auto& [engines, shown] : plain)
        if (word == QLatin1String(engines)) return shown;
    return word;
}

QStringList choicesOf(const core::ConfigField& field) {
    QStringList choices;
    if (const auto* choice = std::get_if<core::ChoiceValue>(&field.value)) {
        for (const std::string& word : choice->words) choices.append(QString::fromStdString(word));
    } else if (std::holds_alternative<bool*>(field.value)) {
        choices = QStringList{QStringLiteral("false"), QStringLiteral("true")};
    } else if (field.path == kShared) { // for the engine stages 1 and 2 are one
        choices = QStringList{QStringLiteral("0"), QStringLiteral("2"), QStringLiteral("3")};
    } else if (field.path == kPrediction) { // empty: as the model has it
        choices = QStringList{QString(), QStringLiteral("epsilon"), QStringLiteral("v_prediction")};
    }
    return choices;
}

QString choiceTerm(const core::ConfigField& field, const QString& choice) {
    if (std::holds_alternative<bool*>(field.value)) return {};
    return field.path == kShared ? QStringLiteral("ZeRO %1").arg(choice) : choice;
}

core::ConfigField onThisMachine(core::ConfigField field) {
    if (field.path != "parallel.processes") return field;
    static const auto cores = double(core::usableThreads());
    field.range.most = std::clamp(cores, 2.0, field.range.most); // one core has no use for several
    return field;
}

bool settingApplies(const QString& path, const core::TrainConfig& config, core::PredictionType prediction) {
    if (learnsAutoencoder(config) && !autoencoderHas(path)) return false;
    if (const auto applies = dataSettingApplies(path, config)) return *applies;
    if (path.startsWith(QLatin1String("lora.")) || path == QLatin1String(kWeights))
        return config.method == core::TrainMethod::Lora;
    const bool whole = config.method == core::TrainMethod::Full; // an add-on predicts what its model does
    if (path == QLatin1String(kPrediction)) return whole;
    if (path == QLatin1String("loss.zeroTerminalSnr")) return whole || predictsVelocity(config, prediction);
    if (path == QLatin1String(kShared)) return config.parallel.processes > 1;
    if (path == QLatin1String(kPreviews)) return config.output.previewEverySteps > 0;
    if (path == QLatin1String("optimizer.states")) return config.optimizer.kind == core::OptimizerKind::AdamW;
    if (path == QLatin1String("optimizer.master")) return whole && config.precision != core::Precision::Fp32;
    if (path == QLatin1String("optimizer.textEncoderLearningRate"))
        return config.trainTextEncoder || config.mode == core::TrainMode::FromScratch;
    if (path == QLatin1String("trainTextEncoder")) return config.mode != core::TrainMode::FromScratch;
    return true;
}

QString whyFixed(const QString& path, core::ModelFamily family) {
    const bool words = path == QLatin1String("trainTextEncoder") ||
                       path == QLatin1String("optimizer.textEncoderLearningRate");
    if (!words || textCanLearn(family)) return {};
    return ExpertForm::tr("The text encoders of %1 cannot be trained here.")
        .arg(QString::fromStdString(std::string(core::familyName(family))));
}

QString shownValue(const core::ConfigField& field, const QString& engines) {
    if (std::holds_alternative<bool*>(field.value))
        return engines == QLatin1String("true") ? ExpertForm::tr("yes") : ExpertForm::tr("no");
    if (field.path == kWeights)
        return engines == QLatin1String("int8") ? ExpertForm::tr("in 8 bits") : ExpertForm::tr("as they are");
    if (std::holds_alternative<core::ChoiceValue>(field.value)) return choiceText(engines);
    if (field.path == kPrediction)
        return engines.isEmpty() ? ExpertForm::tr("as the model") : choiceText(engines);
    if (field.path == kShared)
        return engines == QLatin1String("0")   ? ExpertForm::tr("nothing")
               : engines == QLatin1String("3") ? ExpertForm::tr("also the model")
                                               : ExpertForm::tr("all but the model");
    if (std::holds_alternative<uint64_t*>(field.value) || std::holds_alternative<std::string*>(field.value))
        return engines; // seeds have more digits than a double
    bool fine = false;
    const double value = engines.toDouble(&fine);
    return fine ? numberText(value) : engines;
}

std::optional<QString> engineValue(core::ConfigField& field, const QString& typed) {
    const bool real = std::holds_alternative<double*>(field.value);
    const bool whole =
        std::holds_alternative<int64_t*>(field.value) || std::holds_alternative<uint64_t*>(field.value);
    QString text = typed.trimmed();
    const bool percent = real && text.endsWith('%');
    if (percent) text.chop(1);
    if (real || whole) text = plainNumber(text, whole);
    if (field.folder) text = typedFolder(text);
    bool fine = false;
    const double value = text.toDouble(&fine);
    if (real && !fine) return std::nullopt;
    if (real) text = QString::number(percent ? value / 100.0 : value, 'g', 15);
    const bool round = fine && value == std::floor(value) && std::abs(value) < 1e15;
    if (whole && round && text.contains('e', Qt::CaseInsensitive)) text = QString::number(qint64(value));
    if (!core::setFieldFromText(field, text.toStdString()) || !core::fieldViolation(field).empty())
        return std::nullopt;
    return text;
}

std::optional<QString> nearestValue(core::ConfigField& field, const QString& typed) {
    const bool real = std::holds_alternative<double*>(field.value);
    const bool seed = std::holds_alternative<uint64_t*>(field.value); // without a range
    if (!real && !seed && !std::holds_alternative<int64_t*>(field.value)) return std::nullopt;
    const std::optional<double> number = typedNumber(field, typed);
    if (!number) return std::nullopt;
    const core::FieldRange& range = field.range;
    double near = seed ? std::max(0.0, *number) : std::clamp(*number, range.least, range.most);
    if (!real) {
        const auto unit = static_cast<double>(std::max<int64_t>(1, range.multipleOf));
        near = unit * std::round(near / unit);
        if (!seed && near < range.least) near += unit;
        if (!seed && near > range.most) near -= unit;
    }
    return engineValue(field, QString::number(near, 'g', 15)); // an end may not belong to the range
}

QString rangeText(const core::ConfigField& field) {
    const core::FieldRange& range = field.range;
    if (range.least == 0.0 && range.most == 0.0) return {};
    const auto number = [](double value) { return numberText(value); };
    constexpr double kAnyAmount = 1e6;
    if (range.most >= kAnyAmount)
        return (range.leastExcluded ? ExpertForm::tr("more than %1") : ExpertForm::tr("from %1"))
            .arg(number(range.least));
    if (range.leastExcluded)
        return (range.mostExcluded ? ExpertForm::tr("more than %1, less than %2")
                                   : ExpertForm::tr("more than %1, at most %2"))
            .arg(number(range.least), number(range.most));
    if (range.mostExcluded)
        return ExpertForm::tr("%1 to less than %2").arg(number(range.least), number(range.most));
    return ExpertForm::tr("%1 to %2").arg(number(range.least), number(range.most));
}

QString expectedText(const core::ConfigField& field) {
    const bool whole = !std::holds_alternative<double*>(field.value);
    if (!whole || std::holds_alternative<int64_t*>(field.value) ||
        std::holds_alternative<uint64_t*>(field.value)) {
        const core::FieldRange& range = field.range;
        const auto text = [whole](double value) {
            return whole ? QLocale().toString(qint64(value)) : numberText(value);
        };
        QString number = whole ? ExpertForm::tr("a whole number") : ExpertForm::tr("a number");
        if (range.leastExcluded || range.mostExcluded) // only real ones are
            return ExpertForm::tr("Give %1: %2.", "a number: 0 to less than 1").arg(number, rangeText(field));
        if (range.least != 0.0 || range.most != 0.0)
            number = ExpertForm::tr("%1 from %2 to %3", "a number from 1 to 9")
                         .arg(number, text(range.least), text(range.most));
        if (range.multipleOf > 1) number += ExpertForm::tr(", divisible by %1").arg(range.multipleOf);
        return ExpertForm::tr("Give %1.", "a whole number from 1 to 9, divisible by 8").arg(number);
    }
    return ExpertForm::tr("This is not possible here.");
}

} // namespace homebooth::app
