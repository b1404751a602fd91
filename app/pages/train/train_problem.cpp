// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of the page Train that tells why a run failed, and what can be done.
#include "app/engine/figures.h"
#include "app/engine/models/model_shelf.h"
#include "app/engine/plans/plan_facts.h"
#include "app/engine/request_pool.h"
#include "app/engine/runs/resume_options.h"
#include "app/engine/runs/run_centre.h"
#include "app/engine/runs/run_end.h"
#include "app/engine/runs/run_log.h"
#include "app/engine/runs/run_results.h"
#include "app/engine/runs/run_session.h"
#include "app/library/background.h"
#include "app/pages/train/run/log_dialog.h"
#include "app/pages/train/train_page.h"
#include "app/settings/settings.h"
#include "app/widgets/file_dialog.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/room_message.h"

#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <iterator>
#include <utility>

namespace homebooth::app {
namespace {

using Cause = core::FailureCause;

/// One setting with which a run goes on that failed for this cause.
struct Way {
    Cause cause;
    const char* label;
    bool ResumeOptions::*setting;
    bool (*isFor)(const RunSession& run) = nullptr; ///< null: every one
};

bool savedNothing(const RunSession& run) {
    return !run.data().savedStep();
}

bool savedSome(const RunSession& run) {
    return !savedNothing(run);
}

bool isLimited(const RunSession& run) {
    const core::MemoryConfig& memory = run.config().memory;
    return memory.deviceBytes > 0 || memory.ramBytes > 0;
}

bool isOfSeveral(const RunSession& run) {
    return run.config().parallel.processes > 1;
}

bool isOfOne(const RunSession& run) {
    return !isOfSeveral(run);
}

constexpr Way kWays[] = {
    {Cause::TooLittleMemory,
     QT_TRANSLATE_NOOP("homebooth::app::TrainPage", "Resume without a limit of memory"),
     &ResumeOptions::unlimited, isLimited},
    {Cause::RankLost, QT_TRANSLATE_NOOP("homebooth::app::TrainPage", "Resume with one process"),
     &ResumeOptions::alone, isOfSeveral},
    {Cause::CardMissing, QT_TRANSLATE_NOOP("homebooth::app::TrainPage", "Resume with one process"),
     &ResumeOptions::alone, isOfSeveral},
    {Cause::CardMissing, QT_TRANSLATE_NOOP("homebooth::app::TrainPage", "Resume on another card"),
     &ResumeOptions::alone, isOfOne},
    {Cause::Diverged, QT_TRANSLATE_NOOP("homebooth::app::TrainPage", "Resume at half the learning speed"),
     &ResumeOptions::halfRate},
    {Cause::BeyondFp16, QT_TRANSLATE_NOOP("homebooth::app::TrainPage", "Train in bf16"),
     &ResumeOptions::inBf16, savedNothing}, // else there are weights in fp16
    {Cause::BrokenPictures, QT_TRANSLATE_NOOP("homebooth::app::TrainPage", "Skip broken pictures"),
     &ResumeOptions::skipBroken, savedNothing}, // later data must stay
};

/// What to do where this run has not the way that others have after this cause.
struct OwnAdvice {
    Cause cause;
    const char* text;
    bool (*isFor)(const RunSession& run);
};

constexpr OwnAdvice kOwnAdvice[] = {
    {Cause::BeyondFp16,
     QT_TRANSLATE_NOOP("homebooth::app::TrainPage",
                       "What is saved is in fp16, too: begin a new training. The number format bf16, under "
                       "Expert settings, takes as much memory and holds them."),
     savedSome},
    {Cause::CardMissing,
     QT_TRANSLATE_NOOP("homebooth::app::TrainPage", "Put it back and resume, or resume on another card."),
     isOfOne},
};

/// Whether it is the file to swap to that is too large for its drive: the training need not move.
bool swapIsTooLarge(const RunEnd& end) {
    const auto says = [&end](const char* part) { return end.detail.contains(QLatin1String(part)); };
    return end.cause == Cause::FileTooLarge &&
           (says("for swapping") || says("the swap file") || says("(--swap)"));
}

/// Whether what is saved has no room where it lies, which another folder has.
bool lacksPlace(const RunEnd& end) {
    // Neither where it swaps nor what it keeps in the cache goes there with it.
    constexpr const char* kOthers[] = {"swap", "XDG_CACHE_HOME", "/homebooth/class-pictures"};
    const bool ofOthers = std::any_of(std::begin(kOthers), std::end(kOthers), [&end](const char* one) {
        return end.detail.contains(QLatin1String(one));
    });
    const bool full = end.cause == Cause::DiskFull && !ofOthers;
    return full || (end.cause == Cause::FileTooLarge && !swapIsTooLarge(end));
}

/// How much a disk lacks, as the engine's sentence names it; empty where it does not.
QString shortageIn(const RunEnd& end) {
    if (end.cause != Cause::DiskFull) return {};
    static const QRegularExpression reserved(QStringLiteral("cannot reserve ([0-9]+) bytes"));
    const PlanFacts facts = planFactsOf(static_cast<int>(core::ErrorCode::OutOfResources), {}, end.detail);
    if (facts.neededBytes > 0) return shortageText({facts.neededBytes, facts.haveBytes});
    const QRegularExpressionMatch found = reserved.match(end.detail);
    return found.hasMatch() ? shortageText({found.captured(1).toLongLong(), -1}) : QString();
}

/// Whether the engine's sentence says no more than the words before it.
bool repeats(const RunEnd& end) {
    return end.cause == Cause::Killed || (end.cause == Cause::DiskFull && lacksPlace(end));
}

/// Whether the model that it learns from is not where it was.
bool lacksModel(const RunSession& run, const RunEnd& end) {
    return end.cause == Cause::BadInput && !run.config().model.empty() &&
           end.detail.contains(QLatin1String("cannot open the model: it does not exist"));
}

QString adviceFor(const RunSession& run, const RunEnd& end) {
    if (swapIsTooLarge(end))
        return TrainPage::tr(
            "A drive with FAT32 takes no file of 4 GB or more: name a folder on another drive in "
            "Settings, then let the training swap as they say.");
    if (lacksModel(run, end))
        return TrainPage::tr("The model that it learns from is not where it was. Connect its drive and "
                             "resume, or say where the model is now.");
    for (const OwnAdvice& own : kOwnAdvice)
        if (own.cause == end.cause && own.isFor(run)) return TrainPage::tr(own.text);
    return end.advice;
}

SwapPlace swapOf(const Settings& settings) {
    return {settings.text(keys::kSwap).toStdString(), settings.bytes(keys::kSwapSize)};
}

} // namespace

void TrainPage::showProblem(RunSession& run, const QString& saved) {
    const RunEnd end = runEndOf(run.data().outcome, run.data().lastSignMs);
    // Once for each end: shown again at every look it would cover whatever else there is to say.
    if (std::exchange(m_told, end.headline + end.detail) == end.headline + end.detail) return;
    QString text = QStringLiteral("<b>%1</b>").arg(end.headline.toHtmlEscaped());
    for (const QString& sentence : {end.who, shortageIn(end), saved, adviceFor(run, end)})
        if (!sentence.isEmpty()) text += ' ' + sentence.toHtmlEscaped();
    if (!repeats(end)) text += quotedDetail(end.detail);
    messages().show({MessageKind::Error, text, remediesOf(run, end), QLatin1String(kEndMessage)});
    const auto take = [this, told = m_told](const QString& lines) {
        if (told == m_told) messages().setLines(QLatin1String(kEndMessage), lines);
    };
    inBackground(
        this, [folder = run.folder()] { return lastLines(folder); }, take);
}

/// Beside resuming as it was, which is the page's next step.
std::vector<Remedy> TrainPage::remediesOf(const RunSession& run, const RunEnd& end) {
    std::vector<Remedy> remedies;
    const auto offer = [&](const QString& label, const ResumeOptions& options) {
        remedies.push_back({label, [this, folder = run.folder(), options] { goOn(folder, options); }});
    };
    const core::ResourceUse most = mostUsedOfLacking(run.data());
    const bool outOfMemory = end.cause == Cause::OutOfMemory || end.cause == Cause::MemoryKill;
    if (outOfMemory && most.deviceBytes + most.ramBytes > 0) {
        const core::MemoryConfig less = withLessMemory(run.config(), most).memory;
        const int64_t limit = most.deviceBytes > 0 ? less.deviceBytes : less.ramBytes;
        offer(tr("Resume with less memory (%1)").arg(memoryText(limit)), {.lessMemory = true});
    }
    for (const Way& way : kWays) {
        if (way.cause != end.cause || (way.isFor != nullptr && !way.isFor(run))) continue;
        ResumeOptions options;
        options.*way.setting = true;
        offer(tr(way.label), options);
    }
    if (lacksModel(run, end))
        remedies.push_back({tr("Find the model..."), [this, folder = run.folder(),
                                                      model = QString::fromStdString(run.config().model)] {
                                findModel(folder, model);
                            }});
    for (Remedy& remedy : swapRemedies(run, end)) remedies.push_back(std::move(remedy));
    if (lacksPlace(end))
        remedies.push_back(otherFolder(*this, [this, folder = run.folder()](const QString& other) {
            goOn(folder, {.savesIn = other.toStdString()});
        }));
    if (end.cause == Cause::DiskFull)
        remedies.push_back({tr("Free room"), [this, folder = run.folder()] { Q_EMIT roomWanted(folder); }});
    if (core::processorCanGoOn(end.detail.toStdString()))
        offer(tr("Go on with the processor"), {.onProcessor = true});
    remedies.push_back({tr("Whole log"), [this, folder = run.folder(), title = run.title()] {
                            showRunLog(this, folder, title);
                        }});
    return remedies;
}

std::vector<Remedy> TrainPage::swapRemedies(const RunSession& run, const RunEnd& end) {
    const bool fails =
        end.cause == Cause::SwapLimit || end.cause == Cause::SwapMissing || swapIsTooLarge(end);
    const bool wouldHelp = end.cause == Cause::TooLittleMemory && run.config().memory.swapDir.empty() &&
                           !swapOf(m_services.settings).folder.empty();
    if (!fails && !wouldHelp) return {};
    // Asked for when it is pressed: somebody may have been in the settings by then.
    std::vector<Remedy> remedies{{tr("Swap as the settings say"), [this, folder = run.folder()] {
                                      goOn(folder, {.swap = swapOf(m_services.settings)});
                                  }}};
    if (fails) remedies.push_back({tr("Open Settings"), [this] { Q_EMIT wanted(PageId::Settings); }});
    return remedies;
}

void TrainPage::findModel(const QString& folder, const QString& model) {
    const auto go = [this, folder](const QString& found) { goOn(folder, {.model = found.toStdString()}); };
    const auto look = [this, model, go](const std::string& hash) {
        for (const ModelEntry& one : m_services.models.entries())
            if (one.isModel() && one.facts.usable && one.path != model && !hash.empty() &&
                one.sha256.toStdString() == hash)
                return go(one.path);
        const QString ending = QFileInfo(model).suffix().toLower();
        const bool file = ending == QLatin1String("safetensors") || ending == QLatin1String("ckpt");
        askForFile(this,
                   {tr("Find the model"), file ? QFileDialog::ExistingFile : QFileDialog::Directory,
                    file ? tr("Models (*.safetensors *.ckpt)") : QString(), QFileInfo(model).path()},
                   go);
    };
    inBackground(
        this, [folder] { return modelHashOf(folder); }, look, &requestPool());
}

void TrainPage::goOn(const QString& folder, const ResumeOptions& options) {
    messages().drop(QLatin1String(kEndMessage));
    m_services.runs.resume(folder, options);
}

} // namespace homebooth::app
