// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pictures of two models side by side: the same seed stands at the same place in both columns. GUI thread.
#pragma once

#include "app/pages/generate/result_model.h"

#include <QWidget>

#include <array>

namespace homebooth::app {

class ElidedLabel;

class CompareView : public QWidget {
    Q_OBJECT
public:
    explicit CompareView(Thumbnails& thumbnails, QWidget* parent = nullptr);
    /// Empties both columns and names them.
    void begin(const QString& left, const QString& right);
    void setNames(const QString& left, const QString& right);
    [[nodiscard]] ResultModel& column(int side) { return *m_models[static_cast<size_t>(side)]; }
    [[nodiscard]] ThumbnailGrid& grid(int side) { return *m_grids[static_cast<size_t>(side)]; }
    /// Finished pictures row by row, so that both of a seed follow each other.
    [[nodiscard]] QStringList paths() const;

protected:
    /// Pictures fill their columns.
    void resizeEvent(QResizeEvent* event) override;

private:
    std::array<ResultModel*, 2> m_models{};
    std::array<ElidedLabel*, 2> m_heads{};
    std::array<ThumbnailGrid*, 2> m_grids{};
};

} // namespace homebooth::app
