// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/dataset_list.h"

#include "app/library/library_service.h"
#include "app/pages/datasets/datasets_page.h"
#include "app/theme/icons.h"
#include "app/widgets/plain_tip.h"

#include <QLocale>

#include <utility>

namespace homebooth::app {

void DatasetList::set(std::vector<core::DatasetRecord> records) {
    if (records == m_records) return;
    beginResetModel();
    m_records = std::move(records);
    endResetModel();
}

int DatasetList::rowOf(const QString& folder) const {
    for (size_t i = 0; i < m_records.size(); ++i)
        if (QString::fromStdString(m_records[i].folder) == folder) return static_cast<int>(i);
    return -1;
}

QStringList DatasetList::folders() const {
    QStringList folders;
    for (const core::DatasetRecord& record : m_records) folders.append(QString::fromStdString(record.folder));
    return folders;
}

void DatasetList::setCount(const QString& folder, int pictures, bool read) {
    Count& count = m_counts[folder];
    if ((count.read && !read) || (count.pictures == pictures && count.read == read)) return;
    count = {pictures, read};
    if (const int row = rowOf(folder); row >= 0) Q_EMIT dataChanged(index(row), index(row));
}

int DatasetList::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_records.size());
}

QVariant DatasetList::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const core::DatasetRecord& record = at(index.row());
    const int pictures = m_counts.value(QString::fromStdString(record.folder)).pictures;
    switch (role) {
    case CountTextRole:
        return pictures > 0 ? QLocale().toString(pictures) : QString();
    case Qt::AccessibleTextRole:
        return pictures > 0
                   ? tr("%1, %n picture(s)", nullptr, pictures).arg(QString::fromStdString(record.name))
                   : QString::fromStdString(record.name);
    case Qt::DisplayRole:
        return QString::fromStdString(record.name);
    case Qt::DecorationRole:
        return icon(QStringLiteral("datasets"));
    case Qt::ToolTipRole:
        return plainTip(QString::fromStdString(record.folder));
    case FolderRole:
        return QString::fromStdString(record.folder);
    default:
        return {};
    }
}

DatasetAddition::DatasetAddition(LibraryService& library, core::DatasetRecord record,
                                 std::function<void()> after)
    : QUndoCommand(DatasetsPage::tr("add dataset %1").arg(QString::fromStdString(record.name)))
    , m_library(library)
    , m_record(std::move(record))
    , m_after(std::move(after)) {}

void DatasetAddition::redo() {
    m_library.write(
        [record = m_record](core::Library& library) { return core::saveDataset(library, record); });
    m_after();
}

void DatasetAddition::undo() {
    m_library.write([id = m_record.id](core::Library& library) { return core::removeDataset(library, id); });
    m_after();
}

DatasetRemoval::DatasetRemoval(LibraryService& library, core::DatasetRecord record,
                               std::function<void()> after)
    : QUndoCommand(DatasetsPage::tr("take %1 off the list").arg(QString::fromStdString(record.name)))
    , m_library(library)
    , m_record(std::move(record))
    , m_after(std::move(after)) {}

void DatasetRemoval::redo() {
    m_library.write([id = m_record.id](core::Library& library) { return core::removeDataset(library, id); });
    m_after();
}

void DatasetRemoval::undo() {
    m_library.write(
        [record = m_record](core::Library& library) { return core::saveDataset(library, record); });
    m_after();
}

DatasetColour::DatasetColour(LibraryService& library, const core::DatasetRecord& before, uint32_t rgb,
                             std::function<void()> after)
    : QUndoCommand(DatasetsPage::tr("colour behind %1").arg(QString::fromStdString(before.name)))
    , m_library(library)
    , m_id(before.id)
    , m_before(before.backgroundRgb)
    , m_now(rgb)
    , m_after(std::move(after)) {}

void DatasetColour::tell(uint32_t rgb) {
    m_library.write(
        [id = m_id, rgb](core::Library& library) { return core::setDatasetBackground(library, id, rgb); });
    m_after();
}

DatasetMove::DatasetMove(LibraryService& library, core::DatasetRecord before, core::DatasetRecord now,
                         std::function<void(const QString&)> after)
    : QUndoCommand(DatasetsPage::tr("find folder %1").arg(QString::fromStdString(now.name)))
    , m_library(library)
    , m_before(std::move(before))
    , m_now(std::move(now))
    , m_after(std::move(after)) {}

void DatasetMove::tell(const core::DatasetRecord& record) {
    m_library.write([record](core::Library& library) { return core::moveDataset(library, record); });
    m_after(QString::fromStdString(record.folder));
}

} // namespace homebooth::app
