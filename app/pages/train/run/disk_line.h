// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a training will lay on the disk, and what is free there. GUI thread. Invariant: at most one thread
// waits for the disk, which may be another machine's and never answer.
#pragma once

#include <QLabel>

#include <cstdint>
#include <optional>

namespace homebooth::app {

class DiskLine : public QLabel {
    Q_OBJECT
public:
    explicit DiskLine(QWidget* parent = nullptr);

    /// What is free follows as soon as the disk says it.
    void show(int64_t neededBytes, const QString& folder);

private:
    void write();

    int64_t m_needed = 0;
    QString m_folder;
    std::optional<int64_t> m_free; ///< as said last
    bool m_asking = false;
};

} // namespace homebooth::app
