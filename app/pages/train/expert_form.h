// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Expert settings of a training: rows made from the engine's own list of settings, with plain names beside
// the real ones. What is changed is kept apart from what the choices above give. GUI thread.
#pragma once

#include "core/base/config/config_fields.h"

#include <QMap>
#include <QWidget>

#include <vector>

class QLabel;
class QLineEdit;

namespace homebooth::app {

class ExpertForm : public QWidget {
    Q_OBJECT
public:
    explicit ExpertForm(QWidget* parent = nullptr);

    /// The values that the choices give; those that were changed stay.
    void setDefaults(const core::TrainConfig& config);
    /// Path in run.json to text.
    [[nodiscard]] const QMap<QString, QString>& changes() const { return m_changes; }
    void setChange(const QString& path, const QString& text);
    void clearChanges();

Q_SIGNALS:
    void changed();

private:
    struct Row {
        QString path;
        QWidget* field = nullptr;
        QWidget* reset = nullptr;
        QLabel* problem = nullptr;
        QString fallback;
    };
    void addRow(const core::ConfigField& field);
    [[nodiscard]] QWidget* makeField(const core::ConfigField& field, const QString& path);
    void take(const QString& path, const QString& text);
    /// @param whileTyped  also over what somebody is typing
    void show(Row& row, bool whileTyped);

    core::TrainConfig m_defaults;
    std::vector<Row> m_rows;
    QMap<QString, QString> m_changes;
    bool m_filling = false;
};

} // namespace homebooth::app
