// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The colour that stands behind transparent parts of a dataset's pictures, as the user chooses it.
#include "app/library/library_service.h"
#include "app/pages/datasets/datasets_page.h"
#include "app/widgets/colour_behind.h"

#include <QPointer>
#include <QUndoStack>

namespace homebooth::app {

void DatasetsPage::takeColour() {
    const int row = m_datasets.rowOf(m_model.folder());
    m_model.setBackground(row >= 0 ? m_datasets.at(row).backgroundRgb : core::kWhite);
}

void DatasetsPage::chooseColour() {
    const int row = m_datasets.rowOf(m_model.folder());
    if (row < 0) return;
    const core::DatasetRecord record = m_datasets.at(row); // another one may be shown by the answer
    askForColour(this, tr("Colour behind the pictures"), record.backgroundRgb, [this, record](uint32_t rgb) {
        if (rgb == record.backgroundRgb) return;
        const auto after = [self = QPointer(this), folder = QString::fromStdString(record.folder)] {
            if (!self) return;
            self->m_wanted = folder;
            self->load();
        };
        m_services.undo.push(new DatasetColour(m_services.library, record, rgb, after));
    });
}

} // namespace homebooth::app
