// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/models/model_removal.h"

#include "app/engine/models/model_shelf.h"
#include "app/engine/pictures/generator.h"
#include "app/engine/runs/run_centre.h"
#include "app/engine/runs/run_files.h"
#include "app/pages/models/models_page.h"
#include "core/base/model/other_programs.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <filesystem>
#include <vector>

namespace homebooth::app {
namespace {

/// Whether a path is the entry's file or lies within its run.
bool belongs(const ModelEntry& entry, const QString& path) {
    if (path == entry.path) return true;
    return !entry.runFolder.isEmpty() && (path == entry.runFolder || path.startsWith(entry.runFolder + '/'));
}

/// Whether pictures of a model or an add-on need the entry: a saved moment's are made with links to it and to
/// its base, or with a file that goes with it.
bool needs(const ModelEntry& entry, const ModelShelf& models, const QString& file) {
    const MomentEntry* moment = models.moment(file);
    if (moment == nullptr) return belongs(entry, file);
    return belongs(entry, moment->path) || (!moment->lora && belongs(entry, models.baseOf(*moment)));
}

QString trainingGoes(const ModelRemoval& removal) {
    return removal.model
               ? ModelsPage::tr("The training goes into the trash with the model that came out of it, its "
                                "charts, previews, saved moments and any copies of photos that it made. "
                                "Pictures made with it stay.")
           : removal.addOn
               ? ModelsPage::tr("The training goes into the trash with the add-on that came out of it, its "
                                "charts, previews, saved moments and any copies of photos that it made. "
                                "Pictures made with it stay.")
               : ModelsPage::tr("The training goes into the trash with its charts, previews, saved moments "
                                "and any copies of photos that it made. Pictures made with it stay.");
}

/// Also where its drive is away.
QString nothingGoes(const ModelRemoval& removal) {
    return removal.run ? ModelsPage::tr("Its folder is gone: nothing goes into the trash. Pictures made with "
                                        "it stay.")
                       : ModelsPage::tr("Its files are gone: nothing goes into the trash.");
}

QString whatGoes(const ModelRemoval& removal) {
    if (removal.gone) return nothingGoes(removal);
    if (removal.run) return trainingGoes(removal);
    return ModelsPage::tr("It goes into the trash: other programs lose it, too.");
}

int countIf(const std::vector<ModelRemoval>& several, bool (*condition)(const ModelRemoval&)) {
    return static_cast<int>(std::count_if(several.begin(), several.end(), condition));
}

bool isGone(const ModelRemoval& one) {
    return one.gone;
}

bool isRun(const ModelRemoval& one) {
    return one.run;
}

QString questionAbout(const std::vector<ModelRemoval>& several) {
    const auto count = static_cast<int>(several.size());
    const bool gone = countIf(several, isGone) == count;
    if (countIf(several, isRun) == count)
        return gone ? ModelsPage::tr("Forget %n training(s)?", nullptr, count)
                    : ModelsPage::tr("Delete %n training(s)?", nullptr, count);
    return gone ? ModelsPage::tr("Forget %n model(s)?", nullptr, count)
                : ModelsPage::tr("Delete %n model(s)?", nullptr, count);
}

/// Of each kind that is among them how many, where there are several kinds.
QString whatGoes(const std::vector<ModelRemoval>& several) {
    const auto count = static_cast<int>(several.size());
    const int gone = countIf(several, isGone);
    const int runs = countIf(several, [](const ModelRemoval& one) { return one.run && !one.gone; });
    const int files = count - gone - runs;
    if (gone == count && countIf(several, isRun) == count)
        return ModelsPage::tr("Their folders are gone: nothing goes into the trash. Pictures made with them "
                              "stay.");
    if (gone == count) return ModelsPage::tr("Their files are gone: nothing goes into the trash.");
    if (runs == count)
        return ModelsPage::tr("They go into the trash with what came out of them, their charts, previews, "
                              "saved moments and any copies of photos that they made. Pictures made with "
                              "them stay.");
    if (files == count) return ModelsPage::tr("They go into the trash: other programs lose them, too.");
    QStringList text;
    if (runs > 0)
        text += ModelsPage::tr("%n training(s) go into the trash with what came out of them, their charts, "
                               "previews, saved moments and any copies of photos that they made.",
                               nullptr, runs);
    if (files > 0)
        text += ModelsPage::tr("%n model(s) go into the trash with their files: other programs lose them, "
                               "too.",
                               nullptr, files);
    if (gone > 0)
        text += ModelsPage::tr("%n of them leave the list alone: nothing of them is there any more.", nullptr,
                               gone);
    return text.join(' ') + ' ' + ModelsPage::tr("Pictures made with them stay.");
}

/// Jobs of one name once, with their number.
QStringList counted(const QStringList& names) {
    QStringList jobs = names;
    jobs.removeDuplicates();
    for (QString& one : jobs)
        if (const auto times = names.count(one); times > 1)
            one = ModelsPage::tr("%1 jobs: %2").arg(times).arg(one);
    return jobs;
}

/// What becomes of the models and add-ons that stay.
QString whoSuffers(const QStringList& madeFrom, const QStringList& neededBy) {
    QString text;
    if (!madeFrom.isEmpty())
        text += QStringLiteral("<br>") +
                ModelsPage::tr("Made from it: %1. They go on working, but cannot be trained further from it.")
                    .arg(listOf(madeFrom));
    if (!neededBy.isEmpty())
        text += QStringLiteral("<br>") +
                ModelsPage::tr("Add-ons that need it: %1. They can make no pictures without it.")
                    .arg(listOf(neededBy));
    return text;
}

} // namespace

QString firstOf(const QStringList& names, int most) {
    constexpr qsizetype kMostLetters = 80; // of one, as of a prompt
    QStringList named;
    for (const QString& name : names.mid(0, most))
        named.append(name.size() > kMostLetters ? name.left(kMostLetters - 1) + QChar(0x2026) : name);
    const QString text = named.join(QStringLiteral(", "));
    const qsizetype more = names.size() - named.size();
    return more > 0 ? ModelsPage::tr("%1 and %n more", nullptr, static_cast<int>(more)).arg(text) : text;
}

QString listOf(const QStringList& names) {
    constexpr int kMostNamed = 10;
    return firstOf(names, kMostNamed).toHtmlEscaped();
}

QStringList namesMadeFrom(const ModelShelf& models, const QString& path) {
    std::vector<const ModelEntry*> made;
    for (const ModelEntry& one : models.entries())
        if (one.base == path) made.push_back(&one);
    std::stable_sort(made.begin(), made.end(), [](const ModelEntry* one, const ModelEntry* other) {
        return one->addedMs > other->addedMs;
    });
    QStringList names;
    for (const ModelEntry* one : made) names.append(one->name);
    return names;
}

ModelRemoval removalOf(const Services& services, const ModelEntry& entry, const QStringList& with) {
    ModelRemoval removal;
    removal.run = entry.origin == ModelEntry::Origin::Run;
    removal.path = removal.run ? entry.runFolder : entry.path;
    removal.gone = entry.facts.gone && !removal.run; // of a run its result alone may be
    const RunCentre& runs = services.runs;
    for (const core::RunRecord& run : runs.runs()) {
        const QString folder = QString::fromStdString(run.folder);
        const bool uses = belongs(entry, QString::fromStdString(run.model)) || folder == entry.runFolder;
        if (uses && (runs.works(folder) || runs.queue().contains(folder)))
            removal.usedBy.append(ModelsPage::tr("training of %1").arg(QString::fromStdString(run.title)));
    }
    for (const GenerationJob& job : services.generator.jobs()) {
        bool uses = needs(entry, services.models, QString::fromStdString(job.config.model));
        for (const core::LoraReference& lora : job.config.loras)
            uses = uses || needs(entry, services.models, QString::fromStdString(lora.file));
        for (const std::string& file : job.config.embeddings)
            uses = uses || belongs(entry, QString::fromStdString(file));
        if (uses)
            removal.usedBy.append(
                ModelsPage::tr("pictures of \"%1\"").arg(QString::fromStdString(job.config.prompt)));
    }
    for (const ModelEntry& other : services.models.entries())
        if (removal.run && other.runFolder == entry.runFolder)
            (other.isAddOn() ? removal.addOn : removal.model) = true;
    for (const ModelEntry& other : services.models.entries())
        if (other.path != entry.path && !other.base.isEmpty() && belongs(entry, other.base) &&
            !with.contains(other.runFolder) && !with.contains(other.path))
            (other.isAddOn() ? removal.neededBy : removal.madeFrom).append(other.name);
    return removal;
}

std::optional<TrashedModel> moveModelToTrash(const QString& path) {
    TrashedModel moved;
    QString place;
    if (QFile::moveToTrash(path, &place))
        moved.emplace_back(path, place);
    else if (QFileInfo::exists(path))
        return std::nullopt;
    const QFileInfo file(path);
    if (file.suffix() != QStringLiteral("safetensors")) return moved;
    const QString beside = QStringLiteral("%1/%2.yaml").arg(file.absolutePath(), file.completeBaseName());
    // One that stays goes with the next file that is saved under this name.
    if (core::isConfigurationBeside(std::filesystem::path(beside.toStdString())) &&
        QFile::moveToTrash(beside, &place))
        moved.emplace_back(beside, place);
    return moved;
}

std::optional<TrashedModel> bringBackModel(const QString& path, const TrashedModel& trashed) {
    TrashedModel stays;
    for (const auto& one : trashed) { // the model comes first
        if (!QFileInfo::exists(one.first) && takeOutOfTrash(one.second, one.first)) continue;
        if (one.first == path) return std::nullopt;
        stays.push_back(one);
    }
    return stays;
}

QString removalText(const ModelRemoval& removal, const QString& name) {
    const QString bold = QStringLiteral("<b>%1</b> ");
    if (!removal.usedBy.isEmpty())
        return bold.arg(ModelsPage::tr("%1 is in use.").arg(name.toHtmlEscaped())) +
               ModelsPage::tr("Wait for these, or take them out of the queue: %1.")
                   .arg(listOf(counted(removal.usedBy)));
    const QString question = removal.gone ? ModelsPage::tr("Forget %1?") : ModelsPage::tr("Delete %1?");
    QString text = bold.arg(question.arg(name.toHtmlEscaped()));
    text += whatGoes(removal);
    text += whoSuffers(removal.madeFrom, removal.neededBy);
    return text + QStringLiteral("<br>%1").arg(removal.path.toHtmlEscaped());
}

QString removalText(const std::vector<ModelRemoval>& several, const QStringList& names) {
    QStringList made;
    QStringList needing;
    for (const ModelRemoval& one : several) {
        made.append(one.madeFrom);
        needing.append(one.neededBy);
    }
    return QStringLiteral("<b>%1</b> %2<br>%3")
               .arg(questionAbout(several), whatGoes(several), listOf(names)) +
           whoSuffers(made, needing);
}

} // namespace homebooth::app
