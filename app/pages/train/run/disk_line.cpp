// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/train/run/disk_line.h"

#include "app/engine/figures.h"
#include "app/library/background.h"
#include "core/base/system/disk_facts.h"

#include <utility>

namespace homebooth::app {

DiskLine::DiskLine(QWidget* parent)
    : QLabel(parent) {
    setWordWrap(true);
}

void DiskLine::show(int64_t neededBytes, const QString& folder) {
    m_needed = neededBytes;
    if (std::exchange(m_folder, folder) != folder) m_free.reset();
    write();
    if (std::exchange(m_asking, true)) return;
    const auto ask = [path = folder.toStdString()] { return core::diskFacts(path); };
    inBackground(this, ask, [this, folder](const core::Result<core::DiskFacts>& disk) {
        m_asking = false;
        if (folder != m_folder) return show(m_needed, m_folder);
        if (disk) m_free = disk->freeBytes;
        write();
    });
}

void DiskLine::write() {
    setText(m_free ? tr("%1, %2 free").arg(diskText(m_needed), diskText(*m_free)) : diskText(m_needed));
}

} // namespace homebooth::app
