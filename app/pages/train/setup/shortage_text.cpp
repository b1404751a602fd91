// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/train/setup/shortage_text.h"

#include "app/engine/figures.h"
#include "app/pages/train/setup/plan_panel.h"
#include "core/media/picture_list.h"

#include <cstdlib>

namespace homebooth::app {
namespace {

using core::FailureCause;

QString fileText(const PlanFacts& facts) {
    const QString file = diskText(facts.neededBytes);
    const QString most = diskText(facts.haveBytes);
    if (file == most)
        return PlanPanel::tr("It writes a file that is larger than the drive takes. Nothing was started.");
    return PlanPanel::tr("It writes a file of %1, and the drive takes none above %2. Nothing was started.")
        .arg(file, most);
}

QString diskLackText(const PlanFacts& facts) {
    const QString needed = diskText(facts.neededBytes);
    const QString free = diskText(facts.haveBytes);
    if (facts.neededBytes <= facts.haveBytes) // rounded figures, or none
        return PlanPanel::tr("It needs more room on the disk than is free. Nothing was started.");
    if (needed == free)
        return PlanPanel::tr("It needs %1 more on the disk than are free. Nothing was started.")
            .arg(diskText(facts.neededBytes - facts.haveBytes));
    return PlanPanel::tr("It needs %1 on the disk, and %2 are free. Nothing was started.").arg(needed, free);
}

/// What is short, with its kind.
struct Lack {
    QString needed;
    QString have; ///< empty where it would read as what is needed: `needed` is then what lacks
};

/// @param kind  "%1 of memory"
Lack lackOfOne(const QString& kind, int64_t needed, int64_t have) {
    const bool alike = memoryText(needed) == memoryText(have);
    return {kind.arg(memoryText(alike ? needed - have : needed)), alike ? QString() : memoryText(have)};
}

Lack lackOf(const PlanFacts& facts) {
    if (facts.cause == FailureCause::SwapLimit)
        return lackOfOne(PlanPanel::tr("%1 in the swap folder"), facts.neededBytes, facts.haveBytes);
    if (facts.neededRamBytes == 0)
        return lackOfOne(PlanPanel::tr("%1 of memory"), facts.neededBytes, facts.haveBytes);
    if (facts.neededBytes == 0)
        return lackOfOne(PlanPanel::tr("%1 of RAM"), facts.neededRamBytes, facts.haveRamBytes);
    return {PlanPanel::tr("%1 of graphics memory and %2 of RAM")
                .arg(memoryText(facts.neededBytes), memoryText(facts.neededRamBytes)),
            PlanPanel::tr("%1 and %2", "5.9 GB and 12.0 GB, of memory")
                .arg(memoryText(facts.haveBytes), memoryText(facts.haveRamBytes))};
}

/// @param processes  that share the memory: the engine names what one of them needs of its share
QString memoryLackText(const PlanFacts& facts, int64_t processes) {
    if (facts.neededBytes <= facts.haveBytes && facts.neededRamBytes <= facts.haveRamBytes)
        return PlanPanel::tr("It needs more memory than is free. Nothing was started."); // as of a disk
    const Lack lack = lackOf(facts);
    if (processes > 1 && lack.have.isEmpty())
        return PlanPanel::tr("Each of %1 processes needs %2 more than it may use. Nothing was started.")
            .arg(processes)
            .arg(lack.needed);
    if (processes > 1)
        return PlanPanel::tr("Each of %1 processes needs %2, and it may use %3. Nothing was started.")
            .arg(processes)
            .arg(lack.needed, lack.have);
    if (lack.have.isEmpty())
        return PlanPanel::tr("It needs %1 more than it may use. Nothing was started.").arg(lack.needed);
    return PlanPanel::tr("It needs %1, and it may use %2. Nothing was started.").arg(lack.needed, lack.have);
}

QString lackText(const PlanFacts& facts, int64_t processes) {
    switch (facts.cause) {
    case FailureCause::FileTooLarge:
        return fileText(facts);
    case FailureCause::DiskFull:
        return diskLackText(facts);
    case FailureCause::SwapLimit: // of all of them
        return memoryLackText(facts, 1);
    default:
        return memoryLackText(facts, processes);
    }
}

/// @param have  as the engine names it, with three digits
bool binds(int64_t limit, int64_t needed, int64_t have) {
    constexpr int64_t kRounded = 100;
    return limit > 0 && needed >= have && std::abs(have - limit) <= limit / kRounded;
}

} // namespace

QString shortageText(const PlanFacts& facts, const core::TrainConfig& config) {
    const QString lack = lackText(facts, config.parallel.processes);
    if (!ownLimitBinds(facts, config)) return lack;
    return lack + ' ' + PlanPanel::tr("The limit is your own, in Settings, Device.");
}

bool ownLimitBinds(const PlanFacts& facts, const core::TrainConfig& config) {
    if (facts.verdict != PlanFacts::Verdict::DoesNotFit) return false;
    if (facts.cause == FailureCause::SwapLimit) return true;
    if (facts.cause != FailureCause::TooLittleMemory) return false;
    const int64_t ram = config.memory.ramBytes / config.parallel.processes; // each has its share
    return binds(config.memory.deviceBytes, facts.neededBytes, facts.haveBytes) ||
           binds(ram, facts.neededRamBytes, facts.haveRamBytes) ||
           binds(ram, facts.neededBytes, facts.haveBytes); // without a card it computes in RAM
}

bool lacksPictureFolder(const PlanFacts& facts) {
    return facts.verdict == PlanFacts::Verdict::Refused &&
           facts.problem.toStdString().find(core::kNoPictureFolderWords) != std::string::npos;
}

QString gonePhoto(const PlanFacts& facts) {
    const std::string problem = facts.problem.toStdString();
    const size_t words = problem.find(core::kPhotoGoneWords);
    constexpr size_t kBetween = 2; // ": "
    const bool gone =
        facts.verdict == PlanFacts::Verdict::Refused && words != std::string::npos && words > kBetween;
    return gone ? QString::fromStdString(problem.substr(0, words - kBetween)) : QString();
}

} // namespace homebooth::app
