// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// After the end of a run: "Which moment is best?", its previews beside each other, of which one is chosen to
// go on with. An autoencoder is gone on with from its end alone. GUI thread. Invariants:
//   1. Where there is a moment that can be gone on with, one is chosen.
//   2. What the user chose stays chosen while it is there, until the run works again.
#pragma once

#include "app/widgets/parts.h"
#include "app/widgets/pictures/picture_list_model.h"

#include <QHBoxLayout>
#include <QPointer>

#include <optional>
#include <vector>

namespace homebooth::app {

class RunSession;
class ThumbnailGrid;
class Thumbnails;

/// A step of a run that was saved, or looked at.
struct RunMoment {
    int64_t step = 0;
    QString picture;     ///< its preview; empty: none was made
    QString checkpoint;  ///< where it was saved; empty: it was not, or is not any more
    bool result = false; ///< the run ended with it
    bool lora = false;
    bool favourite = false;
    [[nodiscard]] bool kept() const { return result || !checkpoint.isEmpty(); }
    friend bool operator==(const RunMoment&, const RunMoment&) = default;
};

/// By their steps.
[[nodiscard]] std::vector<RunMoment> momentsOf(const RunSession& run);

/// "Peak 5.8 GB, planned 5.9 GB" of the memory that computes; empty where nobody measured.
[[nodiscard]] QString peakText(const RunSession& run);

class MomentModel : public PictureListModel {
    Q_OBJECT
public:
    using PictureListModel::PictureListModel;
    void set(std::vector<RunMoment> moments);
    [[nodiscard]] const RunMoment& at(int row) const { return m_moments[static_cast<size_t>(row)]; }
    /// -1 where there is none.
    [[nodiscard]] int rowOf(int64_t step) const;
    /// The result, else the latest that is kept; -1 where nothing is.
    [[nodiscard]] int best() const;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    std::vector<RunMoment> m_moments;
};

class MomentRow : public Card {
    Q_OBJECT
public:
    explicit MomentRow(Thumbnails& thumbnails, QWidget* parent = nullptr);

    /// Null: nothing to choose from.
    void follow(RunSession* run);
    /// The moment to go on with; nothing while the run works, where none was saved, or of an autoencoder.
    [[nodiscard]] std::optional<RunMoment> chosen() const;
    /// The latest one that can be gone on with; 0: there is none.
    [[nodiscard]] int64_t latestStep() const;

Q_SIGNALS:
    void chosenChanged();         ///< by the user or by what there is
    void stepChosen(double step); ///< by the user
    void shownChanged(bool shown);
    void largeWanted(const QString& path);
    void formWanted(); ///< for a new training with other settings

private:
    /// What stands below the moments.
    [[nodiscard]] QHBoxLayout* makeFoot();
    void take();
    void choose(int row);
    void tell();
    void openMenu(const QPoint& place);

    QPointer<RunSession> m_run;
    MomentModel m_model;
    ThumbnailGrid* m_grid = nullptr;
    QLabel* m_figures = nullptr;
    QLabel* m_note = nullptr;
    QPushButton* m_favourite = nullptr;
    QPushButton* m_other = nullptr; ///< wants the form
    int64_t m_wanted = 0;           ///< the step that the user chose since it worked last; 0: none
    bool m_taking = false;
};

} // namespace homebooth::app
