// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/row_choice.h"

#include <QAbstractItemView>
#include <QFocusEvent>
#include <QItemSelectionModel>

namespace homebooth::app {
namespace {

class Chooser : public QObject {
public:
    explicit Chooser(QAbstractItemView& list)
        : QObject(&list)
        , m_list(list) {
        list.installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched != &m_list || event->type() != QEvent::FocusIn) return false;
        const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
        if (reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason) choose();
        return false;
    }

private:
    void choose() {
        QItemSelectionModel* rows = m_list.selectionModel();
        if (rows == nullptr || rows->hasSelection()) return;
        QModelIndex row = m_list.currentIndex();
        if (!row.isValid()) row = m_list.model()->index(0, 0, m_list.rootIndex());
        if (row.isValid()) rows->setCurrentIndex(row, QItemSelectionModel::ClearAndSelect);
    }

    QAbstractItemView& m_list;
};

} // namespace

void chooseByKeyboard(QAbstractItemView& list) {
    new Chooser(list);
}

} // namespace homebooth::app
