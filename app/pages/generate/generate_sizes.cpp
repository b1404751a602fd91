// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The chosen models, and what of the form follows from them: sizes, the layers that can be left out, and how
// the few steps of some are spaced.
#include "app/engine/models/model_shelf.h"
#include "app/engine/pictures/picture_sizes.h"
#include "app/engine/runs/run_centre.h"
#include "app/pages/generate/generate_form.h"
#include "app/pages/generate/lora_rows.h"
#include "app/pages/generate/model_choice.h"
#include "app/pages/generate/prompt/embedding_words.h"
#include "app/pages/generate/prompt/prompt_length.h"
#include "app/settings/settings.h"
#include "app/widgets/count_box.h"
#include "app/widgets/exact_slider.h"
#include "app/widgets/parts.h"
#include "core/base/config/step_spacing.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScopedValueRollback>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace homebooth::app {
namespace {

constexpr int kUnit = 1024; // of the shapes: the side that the model was made for
constexpr QSize kUsualShapes[] = {{1024, 1024}, {1024, 1536}, {1536, 1024}};
/// SDXL learned from pictures of many shapes and one area.
/// Source: its report (Podell and others, 2023), appendix on multi-aspect training
constexpr QSize kShapesOfOneArea[] = {{1024, 1024}, {832, 1216}, {1216, 832}, {896, 1152},
                                      {1152, 896},  {1344, 768}, {768, 1344}};

/// "768 x 512", also with other signs between; one number stands for both.
std::optional<QSize> typedSize(const QString& text) {
    static const QRegularExpression numbers(QStringLiteral(
        "^\\s*(\\d{1,5})(?:\\s*(?:px)?\\s*[xX*,;:/\\x{d7}\\s]\\s*(\\d{1,5}))?\\s*(?:px)?\\s*$"));
    const QRegularExpressionMatch found = numbers.match(text);
    if (!found.hasMatch()) return std::nullopt;
    const int width = found.captured(1).toInt();
    const int height = found.captured(2).isEmpty() ? width : found.captured(2).toInt();
    if (width < 1 || height < 1) return std::nullopt;
    return QSize(width, height);
}

QSize nearestSizes(QSize size, qint64 step) {
    return {int(nearestSize(size.width(), step)), int(nearestSize(size.height(), step))};
}

} // namespace

QWidget* GenerateForm::makeSize() {
    m_size = new QComboBox;
    m_size->setEditable(true);
    m_size->setInsertPolicy(QComboBox::NoInsert);
    m_size->setCompleter(nullptr); // it would change what is typed into what is there
    m_size->setToolTip(tr("Width and height in pixels: choose them, or type others such as 768 x 512."));
    m_sizeNote = new MutedLabel;
    connect(m_size, &QComboBox::currentIndexChanged, m_sizeNote, &QWidget::hide);
    connect(m_size->lineEdit(), &QLineEdit::editingFinished, this, &GenerateForm::takeTypedSize);
    return m_size;
}

void GenerateForm::connectModel() {
    m_model->setWanted(m_services.settings.text(keys::kGenerateModel));
    connect(m_model, &ModelChoice::changed, this, &GenerateForm::takeModel);
    connect(m_loras, &LoraRows::rowsChanged, m_model, &ModelChoice::setAddOns);
    connect(m_model, &ModelChoice::chosen, this,
            [this](const QString& path) { m_services.settings.set(keys::kGenerateModel, path); });
    for (const auto signal : {&GenerateForm::modelPicked, &GenerateForm::picked})
        connect(m_model, &ModelChoice::chosen, this, signal);
}

void GenerateForm::takeModel() {
    const QString path = m_model->path();
    if (path != m_lastModel) {
        m_lastModel = path;
        // Pictures of a model are mostly of what it learned.
        const ModelEntry* entry = m_services.models.find(path);
        const core::RunRecord* run = entry != nullptr ? m_services.runs.find(entry->runFolder) : nullptr;
        if (run != nullptr && !run->subjects.empty()) setSubject(run->subjects.front());
    }
    m_loras->setModels(QStringList{path, otherModel()});
    m_words->setModels({path, otherModel()});
    showLearned();
    fillSizes();
    takeRestored();
    const ModelEntry* shape = m_services.models.shapeOf(path);
    const bool reads = shape != nullptr && shape->looked && shape->facts.usable;
    m_length->setModel(reads ? shape->path : QString());
    if (m_unfit && shape != nullptr && shape->looked) keepState(); // with what suits it
    showFewSteps();
}

QString GenerateForm::otherModel() const {
    return m_model->otherPath();
}

core::SampleConfig GenerateForm::compared(core::SampleConfig config) const {
    config.model = otherModel().toStdString();
    const QString addOn = m_model->otherAddOn();
    if (addOn.isEmpty()) {
        if (otherModel() == m_model->path()) config.loras.clear(); // they are what it is compared by
        return config;
    }
    const QString run = m_services.models.runOf(addOn);
    const auto same =
        std::find_if(config.loras.begin(), config.loras.end(), [this, &run](const core::LoraReference& one) {
            return m_services.models.runOf(QString::fromStdString(one.file)) == run;
        });
    if (same != config.loras.end())
        same->file = addOn.toStdString(); // with the same weight
    else
        config.loras.push_back({addOn.toStdString(), 1.0});
    return config;
}

void GenerateForm::fillSizes() {
    const QScopedValueRollback<bool> quiet(m_filling, true); // nobody chose what suits the model
    const ModelShelf& models = m_services.models;
    const QString path = m_model->path();
    const QString other = otherModel();
    const qint64 pixels = models.pixelsOf(path);
    // Both are powers of two: what suits the larger one suits both.
    const qint64 step = qMax(models.sizeStepOf(path), other.isEmpty() ? 0 : models.sizeStepOf(other));
    const bool oneArea = models.familyOf(path) == core::ModelFamily::StableDiffusionXl;
    const bool otherKind = oneArea != m_oneArea;
    const bool another = pixels != m_pixels || otherKind || m_size->count() == 0;
    if (another || step != m_sizeStep) {
        const QSize before = m_size->currentData().toSize();
        m_pixels = pixels;
        m_oneArea = oneArea;
        m_sizeStep = step;
        m_size->clear();
        for (const QSize& shape : oneArea ? std::span<const QSize>(kShapesOfOneArea) : kUsualShapes) {
            const QSize near = nearestSizes(shape * int(pixels) / kUnit, step);
            m_size->addItem(sizeText(near), near);
        }
        if (!another) takeSize(before);
    }
    const bool small = pixels <= kSmallPixels;
    const ModelEntry* shape = models.shapeOf(path);
    const auto said = shape != nullptr ? shape->facts.defaults.guidanceScale() : std::nullopt;
    const int suits = said ? qRound(*said * 10) : small ? 30 : 75;
    if (std::exchange(m_suits, suits) != suits) m_guidance->setExact(suits / 10.0);
    if (another) m_steps->setValue(small ? 20 : 30);
    fillClipSkip(otherKind);
    Q_EMIT changed();
}

void GenerateForm::fillClipSkip(bool otherKind) {
    int64_t most = ModelFacts().mostClipSkip;
    for (const QString& path : {m_model->path(), otherModel()})
        if (const ModelEntry* shape = m_services.models.shapeOf(path); shape != nullptr && shape->looked)
            most = std::min(most, shape->facts.mostClipSkip);
    m_clipSkip->setMaximum(int(most));
    if (otherKind) m_clipSkip->setValue(0);
    const QString words = m_oneArea
                              ? tr("Last layers of the text encoders that are left out, besides the one that "
                                   "SDXL never uses: 0 is what other programs call 2.")
                              : tr("Last layers of the text encoder that are left out; some models want 1, "
                                   "which other programs call 2.");
    for (QWidget* part : {static_cast<QWidget*>(m_clipSkip), m_clipSkip->parentWidget()}) // and its name
        part->setToolTip(words);
}

void GenerateForm::showFewSteps() {
    const auto trails = [this](const QString& path) {
        const ModelEntry* shape = m_services.models.shapeOf(path);
        return shape != nullptr && shape->looked && shape->facts.stepsTrail;
    };
    const QString other = otherModel();
    const bool all = trails(m_model->path()) && (other.isEmpty() || trails(other));
    const bool lacks = core::lacksTrailingSteps(config(), all);
    m_fewSteps->setVisible(lacks);
    m_takeTrailing->setVisible(lacks);
}

void GenerateForm::takeSize(QSize wanted) {
    constexpr int kMostPixels = 8192; // the engine makes no larger ones
    const QSize size = nearestSizes(wanted.boundedTo({kMostPixels, kMostPixels}), m_sizeStep);
    int at = m_size->findData(size);
    if (at < 0) {
        m_size->addItem(sizeText(size), size);
        at = m_size->count() - 1;
    }
    m_size->setCurrentIndex(at);
    m_size->setEditText(sizeText(size)); // over what was typed, also where it is the one that was chosen
    m_sizeNote->setText(
        tr("%1 px does not suit the model: its sizes are multiples of %2 px. The nearest is %3 px.")
            .arg(sizeText(wanted))
            .arg(m_sizeStep)
            .arg(sizeText(size)));
    m_sizeNote->setVisible(size != wanted);
}

void GenerateForm::takeTypedSize() {
    const QString typed = m_size->currentText();
    const QSize now = m_size->currentData().toSize();
    if (typed == sizeText(now)) return; // what was said of it still holds
    if (const std::optional<QSize> size = typedSize(typed)) return takeSize(*size);
    m_size->setEditText(sizeText(now));
    m_sizeNote->setText(
        tr("\"%1\" is no size. Expected width and height in pixels, such as 768 x 512.").arg(typed));
    m_sizeNote->show();
}

} // namespace homebooth::app
