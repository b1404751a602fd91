// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes a picture with each answer to what a model predicts, side by side: a click on one answers. Those of
// SDXL that predict v were mostly taught to begin with noise alone, which is a third answer. The
// pictures lie in a folder that goes with this; the gallery has none of them. Owned by the page; GUI thread.
#pragma once

#include "app/engine/pictures/generator.h"

#include <QTemporaryDir>
#include <QWidget>

#include <array>
#include <memory>

class QLabel;
class QPushButton;
class QToolButton;

namespace homebooth::app {

enum class Predicts {
    Noise,
    Velocity,
    VelocityFromNoise ///< with zero-terminal SNR
};

class PredictionTrial : public QWidget {
    Q_OBJECT
public:
    explicit PredictionTrial(Generator& generator, QWidget* parent = nullptr);
    ~PredictionTrial() override;

    /// Of which model the next ones are; those of another one are left.
    /// @param place  where they are computed, and as which numbers. @param third  whether there are three
    void setModel(const QString& path, const core::SampleConfig& place, bool third);
    /// Whether its pictures wait, are made, or are there for a click.
    [[nodiscard]] bool isOut() const { return m_out; }
    /// Drops what waits, stops what is being made, and shows none of its pictures any more.
    void leave();

Q_SIGNALS:
    void answered(Predicts answer);
    void failed(const QString& headline, const QString& detail);

private:
    static constexpr size_t kMostSides = 3;
    struct Side {
        QToolButton* button = nullptr;
        int64_t job = 0; ///< 0: none
        bool made = false;
    };
    void makeSide(size_t side, const QString& name);
    void make();
    void connectGenerator();
    void showPicture(size_t side, const QString& path);
    void refresh();
    /// The side of the job at work; null: it is none of these.
    [[nodiscard]] Side* current();
    /// Whether it waits or is being made.
    [[nodiscard]] bool awaited(const Side& side) const;

    Generator& m_generator;
    std::unique_ptr<QTemporaryDir> m_folder; ///< of the pictures, once some are asked for
    QString m_model;
    core::SampleConfig m_place;
    std::array<Side, kMostSides> m_sides; ///< as Predicts has them
    size_t m_count = 2;                   ///< of these
    bool m_out = false;
    QPushButton* m_make = nullptr;
    QWidget* m_pictures = nullptr;
    QLabel* m_phase = nullptr;
};

} // namespace homebooth::app
