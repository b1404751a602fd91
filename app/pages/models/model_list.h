// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The models and add-ons of the shelf as an item model, with a filter by words. GUI thread.
#pragma once

#include "app/engine/models/model_shelf.h"

#include <QAbstractListModel>

namespace homebooth::app {

class ModelList : public QAbstractListModel {
    Q_OBJECT
public:
    /// HeadingRole: of the first whole model and the first add-on, where there are both; empty else.
    enum Role { ModelPathRole = Qt::UserRole + 110, HeadingRole, NoteRole };
    explicit ModelList(ModelShelf& shelf, QObject* parent = nullptr);
    void setFilter(const QString& words);
    [[nodiscard]] const ModelEntry* at(int row) const;
    /// -1: the filter's words hide it, or there is none.
    [[nodiscard]] int rowOf(const QString& path) const { return static_cast<int>(m_paths.indexOf(path)); }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    void refresh();
    [[nodiscard]] QString headingOf(int row) const;
    ModelShelf& m_shelf;
    QString m_words; ///< as a search compares them
    QStringList m_paths;
};

} // namespace homebooth::app
