// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of the form that takes a dataset, and looks at what is in its folder.
#include "app/library/background.h"
#include "app/pages/datasets/dataset_reading.h"
#include "app/pages/train/setup/learn_choice.h"
#include "app/pages/train/setup/train_setup.h"

#include <QButtonGroup>
#include <QRadioButton>

#include <algorithm>
#include <utility>

namespace homebooth::app {
namespace {

/// What is in the folder of a dataset, as the page of the datasets counts it.
struct DatasetLook {
    bool answered = false; ///< else nothing is known: its drive may be away
    bool packed = false;   ///< in shards, whose pictures nobody looks at
    bool broken = false;   ///< some cannot be read
    int64_t pictures = 0;  ///< that can be learned; 0: nobody knows
    std::shared_ptr<const DatasetKnown> known = {};
};

DatasetLook lookInto(const QString& folder, const DatasetKnown& before, WorkCount& count) {
    auto reading = readDatasetAgain(folder, before, count);
    if (!reading) {
        const bool packed = saysShards(reading.error());
        return {packed, packed, false, 0, {}};
    }
    const std::vector<DatasetItem>& items = reading->items;
    const bool broken = std::any_of(items.begin(), items.end(), [](const DatasetItem& item) {
        return !item.problem.isEmpty() && !item.missing;
    });
    const auto whole = std::count_if(items.begin(), items.end(),
                                     [](const DatasetItem& item) { return item.problem.isEmpty(); });
    return {true, false, broken, int64_t(whole),
            std::make_shared<const DatasetKnown>(std::move(reading->known))};
}

} // namespace

void TrainSetup::setDataset(const QString& name, const QString& folder, bool scratch, uint32_t background) {
    m_restored = {};
    m_skipBroken = false;
    m_lookAgain = false;
    if (const auto before = std::exchange(m_looking, nullptr)) before->stopped = true;
    m_learn->setDataset(name, folder, background);
    // What was chosen for the last one is not meant for this one.
    if (scratch != (m_result->checkedId() == kScratch))
        m_result->button(scratch ? kScratch : kWhole)->setChecked(true);
}

void TrainSetup::setSkipBroken(bool skip) {
    if (std::exchange(m_skipBroken, skip) != skip) refresh();
}

void TrainSetup::setPictures(int64_t pictures) {
    const std::pair counted(m_learn->datasetFolder(), pictures);
    if (std::exchange(m_counted, counted) != counted) refresh();
}

void TrainSetup::lookAtDataset(bool chosen) {
    const QString folder = m_learn->datasetFolder();
    if (folder.isEmpty()) return;
    m_lookAgain = m_looking != nullptr;
    if (m_looking) return;
    m_looking = std::make_shared<WorkCount>();
    std::shared_ptr<const DatasetKnown> before = m_known.first == folder ? m_known.second : nullptr;
    if (!before) before = std::make_shared<const DatasetKnown>();
    const auto look = [folder, before, count = m_looking] { return lookInto(folder, *before, *count); };
    const auto take = [this, folder, chosen, asked = m_looking](const DatasetLook& found) {
        if (asked != m_looking) return;
        m_looking.reset();
        if (found.answered && m_learn->datasetFolder() == folder) {
            m_known = {folder, found.known};
            if (!found.packed || chosen) setSkipBroken(found.broken); // what is packed counts as whole
            setPictures(found.pictures);
        }
        if (std::exchange(m_lookAgain, false)) lookAtDataset();
    };
    inBackground(this, look, take, &lookPool());
}

} // namespace homebooth::app
