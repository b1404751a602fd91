// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/runs/held_out.h"

#include "core/base/run/journal/journal.h"
#include "core/base/run/run_folder.h"

#include <QDir>

#include <algorithm>
#include <variant>

namespace homebooth::app {
namespace {

/// Reads a journal no further than to its first step.
bool madeAStep(const core::RunFolder& run) {
    core::JournalReader journal(run.journalFile());
    while (true) {
        const auto entries = journal.poll(1);
        if (!entries || entries->empty()) return false;
        const bool found = std::any_of(entries->begin(), entries->end(), [](const core::JournalEntry& entry) {
            return std::holds_alternative<core::StepEvent>(entry.event);
        });
        if (found) return true;
    }
}

std::optional<int64_t> picturesHeldOut(const core::RunFolder& run) {
    const auto facts = run.facts();
    if (!facts) return std::nullopt;
    const auto found = facts->find(core::kHeldOutFact);
    if (found == facts->end()) return std::nullopt;
    bool number = false;
    const qlonglong count = QString::fromStdString(found->second).toLongLong(&number);
    return number ? std::optional<int64_t>(count) : std::nullopt;
}

} // namespace

HeldOut heldOutOf(const QStringList& runs, const QString& dataset) {
    const QString wanted = QDir::cleanPath(dataset);
    for (const QString& folder : runs) {
        const auto run = core::RunFolder::open(folder.toStdString());
        if (!run) continue;
        const auto config = run->config();
        if (!config || config->data.datasetDir.empty()) continue;
        if (QDir::cleanPath(QString::fromStdString(config->data.datasetDir)) == wanted && madeAStep(*run))
            return {config->data.validationShare, picturesHeldOut(*run)};
    }
    return {};
}

} // namespace homebooth::app
