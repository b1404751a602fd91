// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a picture should be: model, add-on, prompt, how many, how large, which seed; expert settings folded.
// GUI thread.
#pragma once

#include "app/shell/services.h"
#include "core/base/config/sample_config.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSlider;
class QSpinBox;

namespace homebooth::app {

class GenerateForm : public QWidget {
    Q_OBJECT
public:
    explicit GenerateForm(Services services, QWidget* parent = nullptr);

    [[nodiscard]] core::SampleConfig config() const;
    /// Fills the form; what the text does not say stays.
    void setConfig(const core::SampleConfig& config);
    void setModel(const QString& path, const QString& lora = {});
    void setPrompt(const QString& prompt, const QString& negative = {});
    [[nodiscard]] QString prompt() const;
    [[nodiscard]] QString negative() const;
    [[nodiscard]] QString modelName() const;
    void setCount(int count);
    /// A seed to keep; the lock is set.
    void setSeed(quint64 seed);
    /// Draws a new seed unless it is locked.
    void nextSeed();
    void setStart(const QString& picture);
    void toggleExpert();

Q_SIGNALS:
    void changed();
    void makeWanted(); ///< Ctrl+Return within the prompt

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] QWidget* makeNumbers();
    [[nodiscard]] QWidget* makeExpert();
    void fillModels();
    void fillSizes();
    void showStart();

    Services m_services;
    QComboBox* m_model = nullptr;
    QWidget* m_loraRow = nullptr;
    QComboBox* m_lora = nullptr;
    QSlider* m_loraWeight = nullptr;
    QLabel* m_loraFigure = nullptr;
    QPlainTextEdit* m_prompt = nullptr;
    QLineEdit* m_negative = nullptr;
    QSpinBox* m_count = nullptr;
    QComboBox* m_size = nullptr;
    QSlider* m_guidance = nullptr;
    QLabel* m_guidanceFigure = nullptr;
    QLineEdit* m_seed = nullptr;
    QPushButton* m_lock = nullptr;
    QPushButton* m_start = nullptr;
    QPushButton* m_dropStart = nullptr;
    QSlider* m_strength = nullptr;
    QWidget* m_strengthRow = nullptr;
    QPushButton* m_fold = nullptr;
    QWidget* m_expert = nullptr;
    QComboBox* m_sampler = nullptr;
    QSpinBox* m_steps = nullptr;
    QSpinBox* m_clipSkip = nullptr;
    QString m_startPath;
    qint64 m_pixels = 0;
};

} // namespace homebooth::app
