// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/models/model_list.h"

#include "app/library/search.h"
#include "app/theme/icons.h"
#include "app/widgets/plain_tip.h"

namespace homebooth::app {
namespace {

QString kindText(const ModelEntry& entry) {
    if (entry.kind == ModelEntry::Kind::Embedding) return ModelList::tr("Learned word");
    if (entry.isAddOn()) return ModelList::tr("Add-on");
    if (entry.origin == ModelEntry::Origin::BuiltIn) return ModelList::tr("Built in");
    return entry.origin == ModelEntry::Origin::Imported ? ModelList::tr("Imported")
                                                        : ModelList::tr("Trained here");
}

} // namespace

ModelList::ModelList(ModelShelf& shelf, QObject* parent)
    : QAbstractListModel(parent)
    , m_shelf(shelf) {
    connect(&shelf, &ModelShelf::changed, this, &ModelList::refresh);
    refresh();
}

void ModelList::setFilter(const QString& words) {
    m_words = searchForm(words);
    refresh();
}

void ModelList::refresh() {
    QStringList paths;
    for (const bool addOns : {false, true}) // whole models first
        for (const ModelEntry& entry : m_shelf.entries())
            if (entry.isAddOn() == addOns && searchForm(entry.name).contains(m_words))
                paths.append(entry.path);
    if (paths == m_paths) {
        if (!m_paths.isEmpty()) Q_EMIT dataChanged(index(0), index(static_cast<int>(m_paths.size()) - 1));
        return;
    }
    beginResetModel();
    m_paths = paths;
    endResetModel();
}

const ModelEntry* ModelList::at(int row) const {
    return row >= 0 && row < m_paths.size() ? m_shelf.find(m_paths[row]) : nullptr;
}

QString ModelList::headingOf(int row) const {
    const ModelEntry* entry = at(row);
    const ModelEntry* before = at(row - 1);
    const ModelEntry* first = at(0);
    const ModelEntry* last = at(static_cast<int>(m_paths.size()) - 1); // whole models come first
    if (entry == nullptr || first == nullptr || last == nullptr) return {};
    if (first->isAddOn() == last->isAddOn()) return {};
    if (before != nullptr && before->isAddOn() == entry->isAddOn()) return {};
    return entry->isAddOn() ? tr("Add-ons") : tr("Models");
}

int ModelList::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_paths.size());
}

QVariant ModelList::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const ModelEntry* entry = at(index.row());
    if (entry == nullptr) return {};
    switch (role) {
    case Qt::DisplayRole:
        return entry->name;
    case Qt::DecorationRole:
        return icon(entry->isAddOn() ? QStringLiteral("add") : QStringLiteral("models"));
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1, %2").arg(entry->name, kindText(*entry)) +
               (entry->facts.gone ? QStringLiteral(", ") + tr("gone") : QString());
    case Qt::ToolTipRole:
        return plainTip(entry->path);
    case NoteRole:
        return entry->facts.gone ? tr("gone") : QString();
    case ModelPathRole:
        return entry->path;
    case HeadingRole:
        return headingOf(index.row());
    default:
        return {};
    }
}

} // namespace homebooth::app
