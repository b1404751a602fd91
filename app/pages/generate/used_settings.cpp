// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/generate/used_settings.h"

#include "app/engine/learned_words.h"
#include "app/engine/model_hash_cache.h"
#include "app/library/picture_facts.h"
#include "app/pages/generate/others_prompt.h"
#include "core/base/model/model_hash.h"
#include "core/base/text/generation_parameters.h"

#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <utility>
#include <vector>

namespace homebooth::app {
namespace {

constexpr qint64 kMostReadBytes = 2'000'000'000; // of add-ons with other names, which takes seconds

/// A model or an add-on that a text names.
struct Wanted {
    std::string name;
    std::string hash; ///< empty: it says none
    ModelEntry::Kind kind = ModelEntry::Kind::Model;
};

/// What it may be.
struct Found {
    QString path;                                  ///< what is taken, or for now; empty: nothing
    std::optional<FileToHash> next = std::nullopt; ///< decides more
    bool missing = false;                          ///< it is known not to be here
    bool nameIsTaken = false;                      ///< by what it is not
    bool several = false;                          ///< have the name, and nothing tells them apart
};

using Entries = std::vector<const ModelEntry*>;

bool isOurs(const core::GenerationParameters& found) {
    return found.version.starts_with("Homebooth");
}

/// Of the hashes that programs write, those that are worked out here, too; older ones are of a part.
bool isComparable(const Wanted& wanted) {
    const size_t digits = wanted.hash.size();
    return digits == 10 || digits == 64 || (wanted.kind == ModelEntry::Kind::Lora && digits == 12);
}

/// What of a file may have such a hash; first what is read at once. What the header says need not be of
/// the tensors, but A1111 takes its word.
std::vector<FileToHash::Of> hashedParts(const Wanted& wanted) {
    if (wanted.hash.size() == 12) return {FileToHash::Of::Header, FileToHash::Of::Tensors};
    return {FileToHash::Of::Whole};
}

/// Case is as programs like it.
bool isHash(const std::string& whole, const std::string& wanted) {
    const QString digits = QString::fromStdString(whole);
    return digits.startsWith(QString::fromStdString(wanted), Qt::CaseInsensitive);
}

/// As modelNameOf, but without a look at the disk, whose drive may sleep.
QString fileNameOf(const ModelEntry& entry) {
    static const QStringList kEndings{QStringLiteral("safetensors"), QStringLiteral("ckpt"),
                                      QStringLiteral("pt"), QStringLiteral("pth"), QStringLiteral("bin")};
    const QFileInfo path(entry.path);
    const bool isFile = entry.isAddOn() || kEndings.contains(path.suffix(), Qt::CaseInsensitive);
    return isFile ? path.completeBaseName() : path.fileName();
}

/// As core::modelName, likewise.
QString pictureNameOf(const ModelEntry& entry) {
    const QString name = fileNameOf(entry);
    const QFileInfo folder(QFileInfo(entry.path).path());
    const bool isResult = folder.fileName() == QStringLiteral("result") &&
                          (name == QStringLiteral("model") || name == QStringLiteral("lora"));
    const QString run = QFileInfo(folder.path()).fileName();
    return isResult && !run.isEmpty() ? run : name;
}

/// Lists of add-ons lack what parts them.
QString comparable(const QString& name, ModelEntry::Kind kind) {
    return kind == ModelEntry::Kind::Lora ? QString::fromStdString(core::listedLoraName(name.toStdString()))
                                          : name;
}

bool hasPictureName(const ModelEntry& entry, const Wanted& wanted) {
    return comparable(pictureNameOf(entry), entry.kind) ==
           comparable(QString::fromStdString(wanted.name), entry.kind);
}

/// Whether people see it under the name, also with the number that the shelf tells trainings apart by.
bool hasTitle(const ModelEntry& entry, const Wanted& wanted) {
    static const QRegularExpression number(QStringLiteral(" \\(\\d+\\)$"));
    const QString name = comparable(QString::fromStdString(wanted.name), entry.kind);
    QString title = comparable(entry.name, entry.kind);
    if (title == name) return true;
    return entry.origin == ModelEntry::Origin::Run && title.remove(number) == name;
}

/// Those of the name; first what present pictures call so, folders of trainings being unlike each other.
Entries entriesCalled(const Wanted& wanted, const ModelShelf& models) {
    Entries called;
    for (const ModelEntry& entry : models.entries())
        if (entry.kind == wanted.kind &&
            (hasTitle(entry, wanted) || hasPictureName(entry, wanted) ||
             fileNameOf(entry) == QString::fromStdString(wanted.name))) // as older pictures say it
            called.push_back(&entry);
    std::stable_partition(called.begin(), called.end(),
                          [&wanted](const ModelEntry* entry) { return hasPictureName(*entry, wanted); });
    return called;
}

QString momentCalled(const Wanted& wanted, const ModelShelf& models) {
    const QString name = QString::fromStdString(wanted.name);
    for (const MomentEntry& moment : models.moments())
        if (wanted.kind == ModelEntry::Kind::Lora && moment.lora &&
            QFileInfo(moment.usable).completeBaseName() == name)
            return moment.path;
    return {};
}

/// The one that pictures call so, else the one that people see under the name; empty: none, or several.
QString likelyOne(const Wanted& wanted, const Entries& called) {
    for (const auto& has : {hasPictureName, hasTitle}) {
        Entries those;
        for (const ModelEntry* entry : called)
            if (has(*entry, wanted)) those.push_back(entry);
        if (!those.empty()) return those.size() == 1 ? those.front()->path : QString();
    }
    return {};
}

/// What a name means that comes without a hash.
Found byName(const Wanted& wanted, const Entries& called) {
    if (const QString path = likelyOne(wanted, called); !path.isEmpty()) return {path};
    if (called.size() == 1) return {called.front()->path};
    Found none;
    none.missing = called.empty();
    none.several = !called.empty();
    return none;
}

/// An entry with the hash, or what is to be read to find it; neither: none has it.
struct Match {
    QString path;
    std::optional<FileToHash> next = std::nullopt;
};

Match matchOf(const Entries& entries, FileToHash::Of part, const Wanted& wanted, const FileHashes& hashes) {
    for (const ModelEntry* entry : entries) {
        const FileToHash file{entry->path, part};
        const auto known = hashes.find(file);
        if (known == hashes.end()) return {{}, file};
        if (isHash(known->second, wanted.hash)) return {entry->path};
    }
    return {};
}

/// Leaves so many as can be read in seconds. @returns the next whose size is to be known for that
std::optional<FileToHash> keepReadable(Entries& entries, const FileHashes& hashes) {
    qint64 bytes = 0;
    Entries kept;
    for (const ModelEntry* entry : entries) {
        const FileToHash file{entry->path, FileToHash::Of::Size};
        const auto known = hashes.find(file);
        if (known == hashes.end()) return file;
        const qint64 own = QString::fromStdString(known->second).toLongLong();
        if (bytes + own > kMostReadBytes) continue;
        bytes += own;
        kept.push_back(entry);
    }
    entries = std::move(kept);
    return std::nullopt;
}

/// An add-on whose file has another name by now.
Match byHashAlone(const Wanted& wanted, const ModelShelf& models, const FileHashes& hashes) {
    Entries all;
    for (const ModelEntry& entry : models.entries())
        if (entry.kind == ModelEntry::Kind::Lora && wanted.kind == entry.kind) all.push_back(&entry);
    for (const FileToHash::Of part : hashedParts(wanted)) {
        if (part != FileToHash::Of::Header) // which is read at once
            if (const auto next = keepReadable(all, hashes)) return {{}, next};
        if (Match match = matchOf(all, part, wanted, hashes); match.next || !match.path.isEmpty())
            return match;
    }
    return {};
}

Found find(const Wanted& wanted, const ModelShelf& models, const FileHashes& hashes) {
    const Entries called = entriesCalled(wanted, models);
    if (called.empty())
        if (const QString moment = momentCalled(wanted, models); !moment.isEmpty()) return {moment};
    if (!isComparable(wanted)) return byName(wanted, called);
    for (const FileToHash::Of part : hashedParts(wanted)) {
        const Match match = matchOf(called, part, wanted, hashes);
        if (match.next) return {likelyOne(wanted, called), match.next};
        if (!match.path.isEmpty()) return {match.path};
    }
    const Match other = byHashAlone(wanted, models, hashes);
    if (other.next || !other.path.isEmpty()) return {other.path, other.next};
    // Without an add-on there is a picture; a model has to be chosen.
    const bool needed = wanted.kind == ModelEntry::Kind::Model;
    return {needed ? likelyOne(wanted, called) : QString(), std::nullopt, true, !called.empty()};
}

/// Says of one that is not taken why. @param taken  another one stands in its place
void noteUntaken(const std::string& name, const Found& found, bool taken, UsedSettings& used) {
    const QString text = QString::fromStdString(name);
    if (found.several)
        used.untaken.append(UsedSettings::tr("Several here are called \"%1\", and nothing says which one is "
                                             "meant: choose it yourself.")
                                .arg(text));
    else if (found.next)
        used.undecided.append(text);
    else
        used.missing.append(text);
    if (!found.missing || !found.nameIsTaken) return;
    used.nameIsTaken = used.nameIsTaken || !taken;
    used.modelStandsIn = used.modelStandsIn || taken;
}

Wanted modelOf(const core::GenerationParameters& found) {
    return {found.model, found.modelHash, ModelEntry::Kind::Model};
}

void takeModel(const core::GenerationParameters& found, const QString& modelPath, const ModelShelf& models,
               const FileHashes& hashes, UsedSettings& used) {
    const Found model = modelPath.isEmpty() ? find(modelOf(found), models, hashes) : Found{modelPath};
    const bool taken = models.knows(model.path);
    used.modelIsOpen = model.next.has_value();
    if (taken) used.config.model = model.path.toStdString();
    if ((!taken || model.missing) && !found.model.empty()) noteUntaken(found.model, model, taken, used);
}

/// Add-ons that stand in the prompt, as other programs have them, beside those that are listed. @returns
/// names of what is no add-on here
QStringList takeTagsOf(core::GenerationParameters& found) {
    QString prompt = QString::fromStdString(found.prompt);
    QStringList unknown;
    for (const PromptTag& tag : takeTags(prompt)) {
        const std::string name = tag.name.toStdString();
        const std::string listedName = core::listedLoraName(name);
        if (tag.kind != QStringLiteral("lora")) {
            unknown.append(tag.name);
            continue;
        }
        found.loraWeights.emplace_back(name, tag.weight);
        const auto listed =
            std::find_if(found.loraHashes.begin(), found.loraHashes.end(), [&listedName](const auto& hash) {
                return core::listedLoraName(hash.first) == listedName;
            });
        if (listed == found.loraHashes.end())
            found.loraHashes.emplace_back(name, std::string());
        else
            listed->first = name; // as the file is called, whose weight follows it
    }
    found.prompt = prompt.toStdString();
    return unknown;
}

/// What a text of another program says in its prompts; ours are meant to the letter.
void takePrompts(core::GenerationParameters& found, UsedSettings& used) {
    if (isOurs(found)) return;
    used.missing += takeTagsOf(found);
    if (found.steps == 0 && found.sampler.empty()) return; // it may be somebody's own words
    bool weighed = false;
    for (std::string* prompt : {&found.prompt, &found.negativePrompt}) {
        QString plain = QString::fromStdString(*prompt);
        weighed = takeBrackets(plain) || weighed;
        *prompt = plain.toStdString();
    }
    if (weighed)
        used.untaken.append(UsedSettings::tr("Brackets gave some of its words more or less weight, which is "
                                             "not done here: all of them count alike."));
}

void takeSampler(const core::GenerationParameters& found, UsedSettings& used) {
    used.config.karrasSigmas = core::usedKarrasSpacing(found);
    if (const auto sampler = core::samplerOfDisplayName(found.sampler))
        used.config.sampler = sampler->first;
    else if (!found.sampler.empty())
        used.untaken.append(UsedSettings::tr("The sampler \"%1\" is not known here: \"%2\" stays chosen.")
                                .arg(QString::fromStdString(found.sampler),
                                     QString::fromUtf8(core::samplerDisplayName(used.config.sampler))));
}

/// Of two with one name each has its own.
double weightOf(const core::GenerationParameters& found, size_t index) {
    const std::string& name = found.loraHashes[index].first;
    const auto& weights = found.loraWeights;
    if (index < weights.size() && weights[index].first == name) return weights[index].second;
    const auto weight =
        std::find_if(weights.begin(), weights.end(), [&name](const auto& one) { return one.first == name; });
    return weight == weights.end() ? 1.0 : weight->second;
}

void takeLoras(const core::GenerationParameters& found, const ModelShelf& models, const FileHashes& hashes,
               UsedSettings& used) {
    used.config.loras.clear();
    for (size_t i = 0; i < found.loraHashes.size(); ++i) {
        const auto& [name, hash] = found.loraHashes[i];
        const Found lora = find({name, hash, ModelEntry::Kind::Lora}, models, hashes);
        used.lorasAreOpen = used.lorasAreOpen || lora.next;
        if (lora.path.isEmpty())
            noteUntaken(name, lora, false, used);
        else
            used.config.loras.push_back({lora.path.toStdString(), weightOf(found, i)});
    }
}

/// The prompt names those that are here.
void noteMissingWords(const core::GenerationParameters& found, const ModelShelf& models, UsedSettings& used) {
    for (const auto& [word, hash] : found.embeddingHashes)
        if (!hasLearnedWord(models, word)) used.missing.append(QString::fromStdString(word));
}

/// Another model that went on with the picture, which is done nowhere here: "sd_xl_refiner_1.0 [7440042bbd]".
void noteRefiner(const core::GenerationParameters& found, UsedSettings& used) {
    for (const auto& [key, value] : found.others)
        if (key == "Refiner") used.missing.append(QString::fromStdString(value).section(" [", 0, 0));
}

/// Homebooth tells of weights in 8 bits, and of nothing where they were whole; other programs tell nothing.
void takeWeights(const core::GenerationParameters& found, UsedSettings& used) {
    const core::Quantization weights = weightsOf(found);
    if (weights != core::Quantization::None || isOurs(found)) used.weights = weights;
}

/// Whether the strength is that of enlarging the picture ("Hires upscale: 1.5"), which is done nowhere here.
bool wasEnlarged(const core::GenerationParameters& found) {
    return std::any_of(found.others.begin(), found.others.end(),
                       [](const auto& one) { return one.first.starts_with("Hires"); });
}

} // namespace

UsedSettings usedSettings(const QString& text, core::SampleConfig before, const QString& modelPath,
                          const ModelShelf& models, const FileHashes& hashes) {
    core::GenerationParameters found = core::parseGenerationParameters(text.toStdString());
    UsedSettings used{std::move(before), {}, QString::fromStdString(found.initImage)};
    takePrompts(found, used);
    core::SampleConfig& config = used.config;
    config.prompt = found.prompt;
    config.negativePrompt = found.negativePrompt;
    if (found.steps > 0) config.steps = found.steps;
    if (found.guidanceScale > 0.0) config.guidanceScale = found.guidanceScale;
    if (found.seed) config.seed = *found.seed;
    if (found.widthPixels > 0) {
        config.widthPixels = found.widthPixels;
        config.heightPixels = found.heightPixels;
    }
    takeSampler(found, used);
    takeModel(found, modelPath, models, hashes, used);
    const auto family = models.familyOf(QString::fromStdString(config.model));
    config.clipSkip = core::clipSkipOf(found.clipSkip, family == core::ModelFamily::StableDiffusionXl);
    takeLoras(found, models, hashes, used);
    noteMissingWords(found, models, used);
    noteRefiner(found, used);
    takeWeights(found, used);
    config.initImage.clear();
    if (found.strength > 0.0 && !wasEnlarged(found)) config.strength = found.strength;
    return used;
}

std::optional<FileToHash> fileToHash(const QString& text, const QString& modelPath, const ModelShelf& models,
                                     const FileHashes& hashes) {
    core::GenerationParameters found = core::parseGenerationParameters(text.toStdString());
    if (!isOurs(found)) takeTagsOf(found);
    for (const auto& [name, hash] : found.loraHashes) // which are small
        if (const Found lora = find({name, hash, ModelEntry::Kind::Lora}, models, hashes); lora.next)
            return lora.next;
    return modelPath.isEmpty() ? find(modelOf(found), models, hashes).next : std::nullopt;
}

std::string readHash(const FileToHash& file, const core::CancelToken& cancel) {
    switch (file.of) {
    case FileToHash::Of::Whole:
        break;
    case FileToHash::Of::Header: {
        const auto said = core::loraHashSaid(file.path.toStdString());
        return said ? *said : std::string();
    }
    case FileToHash::Of::Size:
        return std::to_string(QFileInfo(file.path).size());
    case FileToHash::Of::Tensors: {
        const auto hash = knownLoraHash(file.path, cancel);
        return hash && *hash ? **hash : std::string();
    }
    }
    const auto hash = knownModelHash(file.path, {}, cancel);
    return hash && *hash ? (*hash)->sha256 : std::string();
}

} // namespace homebooth::app
