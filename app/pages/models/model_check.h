// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The hash of the model that is shown, with the way to copy it, and whether the model is whole: it can be
// used as it is, and all of it could be read. Owned by the page; GUI thread, files are read off it.
#pragma once

#include "core/base/model/value_check.h"
#include "core/base/util/cancel.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace homebooth::app {

struct ModelHash;

class ModelCheck : public QWidget {
    Q_OBJECT
public:
    explicit ModelCheck(QWidget* parent = nullptr);
    ~ModelCheck() override;

    /// Reads a model from its beginning to its end; what was being read before is left.
    void read(const QString& path);
    /// What a look at the model found. @param usable  as it is
    /// @param addOn  whose zeros need not be a fault
    void setUsable(bool usable, bool addOn);
    /// Whether nothing is being read.
    [[nodiscard]] bool isDone() const { return m_done; }

Q_SIGNALS:
    void worked(const QString& path, const QString& sha256); ///< out, of what is shown

private:
    void take(const ModelHash& hash);
    void sayWhetherWhole();

    QLabel* m_whole = nullptr;
    QLabel* m_hash = nullptr;
    QPushButton* m_copy = nullptr;
    QString m_sha256;              ///< empty while it is not known
    core::NumberTrouble m_trouble; ///< of the numbers that were read for it
    qint64 m_readMs = 0;
    bool m_usable = false;
    bool m_addOn = false;
    bool m_done = true;
    core::CancelToken m_reading;
};

} // namespace homebooth::app
