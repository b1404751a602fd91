// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The datasets of the library by name, and their places on the list as steps that can be undone. GUI thread.
#pragma once

#include "core/library/dataset_store.h"

#include <QAbstractListModel>
#include <QHash>
#include <QStringList>
#include <QUndoCommand>

#include <functional>
#include <vector>

namespace homebooth::app {

class LibraryService;

class DatasetList : public QAbstractListModel {
    Q_OBJECT
public:
    /// CountTextRole: how many pictures it has, for people; empty while nobody knows. No row has a heading.
    enum Role { FolderRole = Qt::UserRole + 130, CountTextRole, HeadingRole };
    using QAbstractListModel::QAbstractListModel;

    void set(std::vector<core::DatasetRecord> records);
    [[nodiscard]] const core::DatasetRecord& at(int row) const { return m_records[static_cast<size_t>(row)]; }
    /// The row of a folder; -1 if it is not on the list.
    [[nodiscard]] int rowOf(const QString& folder) const;
    [[nodiscard]] QStringList folders() const;
    /// @param read  they were looked at one by one, which no mere count takes back
    void setCount(const QString& folder, int pictures, bool read);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    struct Count {
        int pictures = 0;
        bool read = false;
    };
    std::vector<core::DatasetRecord> m_records;
    QHash<QString, Count> m_counts; ///< by folder
};

/// Puts a folder on the list.
class DatasetAddition : public QUndoCommand {
public:
    /// @param after  called when the library was told
    DatasetAddition(LibraryService& library, core::DatasetRecord record, std::function<void()> after);
    void redo() override;
    void undo() override;

private:
    LibraryService& m_library;
    core::DatasetRecord m_record;
    std::function<void()> m_after;
};

/// Takes a dataset off the list; its files stay.
class DatasetRemoval : public QUndoCommand {
public:
    /// @param after  called when the library was told
    DatasetRemoval(LibraryService& library, core::DatasetRecord record, std::function<void()> after);
    void redo() override;
    void undo() override;

private:
    LibraryService& m_library;
    core::DatasetRecord m_record;
    std::function<void()> m_after;
};

/// Puts another colour behind a dataset's pictures.
class DatasetColour : public QUndoCommand {
public:
    /// @param after  called when the library was told
    DatasetColour(LibraryService& library, const core::DatasetRecord& before, uint32_t rgb,
                  std::function<void()> after);
    void redo() override { tell(m_now); }
    void undo() override { tell(m_before); }

private:
    void tell(uint32_t rgb);

    LibraryService& m_library;
    int64_t m_id;
    uint32_t m_before;
    uint32_t m_now;
    std::function<void()> m_after;
};

/// Tells where a dataset's folder is by now; its files stay.
class DatasetMove : public QUndoCommand {
public:
    /// @param after  called with the folder when the library was told
    DatasetMove(LibraryService& library, core::DatasetRecord before, core::DatasetRecord now,
                std::function<void(const QString&)> after);
    void redo() override { tell(m_now); }
    void undo() override { tell(m_before); }

private:
    void tell(const core::DatasetRecord& record);

    LibraryService& m_library;
    core::DatasetRecord m_before;
    core::DatasetRecord m_now;
    std::function<void(const QString&)> m_after;
};

} // namespace homebooth::app
