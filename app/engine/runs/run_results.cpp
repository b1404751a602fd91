// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/runs/run_results.h"

#include "app/engine/figures.h"
#include "app/engine/runs/moments.h"
#include "app/engine/runs/run_centre.h"
#include "app/library/background.h"
#include "app/library/drive_pools.h"
#include "core/base/run/run_folder.h"

#include <QDateTime>
#include <QFileInfo>
#include <QSet>

#include <tuple>
#include <utility>

namespace homebooth::app {
namespace {

constexpr int kTellResultsMs = 100;

QString folderOf(const core::RunRecord& run) {
    return QString::fromStdString(run.folder);
}

QString modelOf(const QString& runFolder) {
    return runFolder + QStringLiteral("/result/model");
}

/// The result of a training; nothing if there is none. It stays while the training goes on, and after a crash
/// of that: the engine makes a new one beside it and puts it in its place in one move.
std::optional<ModelEntry> resultOf(const core::RunRecord& run) {
    ModelEntry entry;
    entry.origin = ModelEntry::Origin::Run;
    entry.name = QString::fromStdString(run.title);
    entry.runFolder = folderOf(run);
    entry.base = QString::fromStdString(run.model);
    entry.baseSha256 = QString::fromStdString(modelHashOf(entry.runFolder));
    entry.prompt = QString::fromStdString(run.prompt);
    const QString model = modelOf(entry.runFolder);
    const QString lora = entry.runFolder + QStringLiteral("/result/lora.safetensors");
    const bool addOn = !QFileInfo::exists(model) && QFileInfo::exists(lora);
    entry.kind = addOn ? ModelEntry::Kind::Lora : ModelEntry::Kind::Model;
    entry.path = addOn ? lora : model;
    const QFileInfo made(entry.path);
    if (!made.exists()) return std::nullopt;
    entry.addedMs = run.state == "done" ? run.endedMs : made.lastModified().toMSecsSinceEpoch();
    return entry;
}

std::vector<MomentEntry> momentsIn(const core::RunRecord& run) {
    const QString folder = folderOf(run);
    const QString result = modelOf(folder);
    const QString model = QString::fromStdString(run.model);
    const QString base = QFileInfo::exists(result) ? result : model;
    const QString sha256 = QString::fromStdString(modelHashOf(folder));
    const auto hashOf = [&](const QString& path) {
        return path.startsWith(folder + '/') ? QString() : sha256;
    };
    std::vector<MomentEntry> moments;
    for (const Moment& moment : momentsOf(folder)) {
        const QString& own = moment.lora ? model : base;
        moments.push_back(
            {ModelShelf::tr("%1, step %2").arg(QString::fromStdString(run.title), countText(moment.step)),
             moment.path, own, hashOf(own), moment.step, moment.lora,
             moment.lora ? momentLoraFile(moment.path) : momentFolder(moment.path)});
    }
    return moments;
}

/// Whether two looks found the same. Of a model nothing else is known here yet.
bool isSame(const std::optional<ModelEntry>& a, const std::optional<ModelEntry>& b) {
    const auto found = [](const ModelEntry& one) {
        return std::tie(one.path, one.name, one.kind, one.base, one.baseSha256, one.prompt, one.addedMs);
    };
    return a && b ? found(*a) == found(*b) : !a && !b;
}

} // namespace

std::string modelHashOf(const QString& runFolder) {
    const auto run = core::RunFolder::open(runFolder.toStdString());
    if (!run) return {};
    const auto facts = run->facts();
    if (!facts) return {};
    const auto hash = facts->find("modelSha256");
    return hash != facts->end() ? hash->second : std::string();
}

RunResults::RunResults(RunCentre& runs, QObject* parent)
    : QObject(parent)
    , m_runs(runs) {
    m_tell.setSingleShot(true);
    connect(&m_tell, &QTimer::timeout, this, &RunResults::tell);
    connect(&runs, &RunCentre::runsChanged, this, [this] {
        m_runsKnown = true;
        look();
    });
}

const MomentEntry* RunResults::moment(const QString& path) const {
    const auto at = m_momentAt.constFind(path);
    return at != m_momentAt.cend() ? &m_moments[*at] : nullptr;
}

void RunResults::look() {
    QSet<QString> folders;
    for (const core::RunRecord& run : m_runs.runs()) {
        const QString folder = folderOf(run);
        folders.insert(folder);
        if (const auto going = m_looks.find(folder); going != m_looks.end())
            going->again = true;
        else
            lookAt(run);
    }
    const auto isGone = [&folders](const auto& one) { return !folders.contains(one.key()); };
    m_looks.removeIf(isGone);
    const bool fewer = m_found.removeIf(isGone) > 0;
    if (fewer || !looking()) tellSoon();
}

void RunResults::lookAt(const core::RunRecord& run) {
    const QString folder = folderOf(run);
    const int turn = ++m_turn;
    m_looks.insert(folder, {turn, false});
    const auto take = [this, run, turn](std::optional<ModelEntry>& result) { takeResult(run, turn, result); };
    inBackground(
        this, [run] { return resultOf(run); }, take, resultDrives(), modelOf(folder));
}

void RunResults::takeResult(const core::RunRecord& run, int turn, std::optional<ModelEntry>& result) {
    const QString folder = folderOf(run);
    if (!isAwaited(folder, turn)) return;
    std::optional<ModelEntry>& known = m_found[folder].result;
    const bool news = !isSame(known, result);
    known = std::move(result);
    if (news) tellSoon();
    const auto take = [this, folder, turn](std::vector<MomentEntry>& moments) {
        takeMoments(folder, turn, moments);
    };
    inBackground( // they may lie on another drive
        this, [run] { return momentsIn(run); }, take, resultDrives(),
        folder + QStringLiteral("/checkpoints"));
}

void RunResults::takeMoments(const QString& folder, int turn, std::vector<MomentEntry>& moments) {
    if (!isAwaited(folder, turn)) return;
    std::vector<MomentEntry>& known = m_found[folder].moments;
    if (known != moments) tellSoon();
    known = std::move(moments);
    endLook(folder);
}

bool RunResults::isAwaited(const QString& folder, int turn) const {
    const auto going = m_looks.constFind(folder);
    return going != m_looks.cend() && going->turn == turn;
}

void RunResults::endLook(const QString& folder) {
    const bool again = m_looks.take(folder).again;
    const core::RunRecord* run = again ? m_runs.find(folder) : nullptr;
    if (run != nullptr) lookAt(*run); // with what is known of it by now
    if (!looking()) tell();
}

void RunResults::tellSoon() {
    if (!m_tell.isActive()) m_tell.start(kTellResultsMs);
}

void RunResults::tell() {
    m_tell.stop();
    m_models.clear();
    m_moments.clear();
    m_momentAt.clear();
    for (const core::RunRecord& run : m_runs.runs()) {
        const auto found = m_found.constFind(folderOf(run));
        if (found == m_found.cend()) continue;
        if (found->result) m_models.push_back(*found->result);
        for (const MomentEntry& moment : found->moments) {
            for (const QString& path : {moment.path, moment.usable})
                if (!m_momentAt.contains(path)) m_momentAt.insert(path, m_moments.size());
            m_moments.push_back(moment);
        }
    }
    Q_EMIT changed();
}

} // namespace homebooth::app
