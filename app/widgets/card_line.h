// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Says, where something is about to begin, that the processor computes although there is a graphics card:
// as the user chose, with the way back, or for want of a driver that works. Not there where nothing is to
// be said. GUI thread.
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace homebooth::app {

class GpuAnswer;
class Settings;

class CardLine : public QWidget {
    Q_OBJECT
public:
    /// @param settings, gpus  outlive this
    CardLine(Settings& settings, const GpuAnswer& gpus, QWidget* parent = nullptr);

private:
    [[nodiscard]] QString words() const;
    void refresh();
    void drawSign();

    Settings& m_settings;
    const GpuAnswer& m_gpus;
    QLabel* m_sign = nullptr;
    QLabel* m_words = nullptr;
    QPushButton* m_use = nullptr;
};

} // namespace homebooth::app
