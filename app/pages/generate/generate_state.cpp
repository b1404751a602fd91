// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the form keeps from one session to the next, but for its words. Numbers wait for their model: while it
// is away another one is shown, and what suits one does not suit another.
#include "app/engine/models/model_shelf.h"
#include "app/library/background.h"
#include "app/pages/generate/generate_form.h"
#include "app/pages/generate/lora_rows.h"
#include "app/pages/generate/model_choice.h"
#include "app/settings/settings.h"
#include "app/widgets/count_box.h"
#include "app/widgets/exact_slider.h"
#include "core/base/config/sample_config_json.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QPushButton>
#include <QScopedValueRollback>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace homebooth::app {
namespace {

/// Those that came of trainings which are gone from their folder; others may be on a drive that is away, also
/// where the result of one that is there is a link to it.
std::set<std::string> deletedOf(const std::vector<core::LoraReference>& loras, const QString& runs) {
    std::set<std::string> deleted;
    if (!QFileInfo(runs).isDir()) return deleted;
    for (const core::LoraReference& one : loras) {
        const QString file = QString::fromStdString(one.file);
        if (!file.startsWith(runs + '/')) continue;
        const QFileInfo run(runs + '/' + file.mid(runs.size() + 1).section('/', 0, 0));
        if (!run.exists() && !run.isSymLink()) deleted.insert(one.file);
    }
    return deleted;
}

} // namespace

void GenerateForm::connectState() {
    const auto keep = [this] { keepState(); };
    connect(m_count, &QSpinBox::valueChanged, this, [this] { m_countUnlocked = 0; }); // it is chosen
    connect(m_lock, &QPushButton::toggled, this, [this](bool locked) {
        if (!locked && m_countUnlocked > 0) m_count->setValue(std::exchange(m_countUnlocked, 0));
    });
    for (QComboBox* box : {m_size, m_sampler}) connect(box, &QComboBox::currentIndexChanged, this, keep);
    for (QCheckBox* box : {m_karras, m_trailing}) {
        connect(box, &QCheckBox::toggled, this, keep);
        connect(box, &QCheckBox::toggled, this, &GenerateForm::showFewSteps);
    }
    connect(m_sampler, &QComboBox::currentIndexChanged, this, &GenerateForm::showFewSteps);
    connect(m_steps, &QSpinBox::valueChanged, this, &GenerateForm::showFewSteps);
    connect(m_guidance, &ExactSlider::exactChanged, this, &GenerateForm::showFewSteps);
    for (QSpinBox* box : {m_count, m_steps, m_clipSkip}) connect(box, &QSpinBox::valueChanged, this, keep);
    for (ExactSlider* slider : {m_guidance, m_strength})
        connect(slider, &ExactSlider::exactChanged, this, keep);
    connect(m_seed, &QLineEdit::textChanged, this, keep);
    connect(m_lock, &QPushButton::toggled, this, keep);
    connect(m_loras, &LoraRows::changed, this, keep);
    connect(m_model, &ModelChoice::chosen, this, keep);
    showFewSteps();
}

void GenerateForm::keepState() {
    if (m_filling) return;
    m_restored.reset(); // a hand is at it
    const ModelEntry* shape = m_services.models.shapeOf(m_model->path());
    m_unfit = shape != nullptr && !shape->looked;
    core::SampleConfig config = this->config();
    config.loras = m_loras->wanted();
    config.prompt.clear(); // kept as they are typed
    config.negativePrompt.clear();
    config.outputDir.clear();
    // As text: numbers of JSON are too coarse for a seed.
    const QJsonObject state{{QStringLiteral("settings"), QString::fromStdString(core::toJson(config))},
                            {QStringLiteral("locked"), m_lock->isChecked()},
                            {QStringLiteral("unfit"), m_unfit},
                            {QStringLiteral("countUnlocked"), m_countUnlocked}};
    m_services.settings.set(keys::kGenerate,
                            QString::fromUtf8(QJsonDocument(state).toJson(QJsonDocument::Compact)));
}

void GenerateForm::restoreState() {
    const QByteArray text = m_services.settings.text(keys::kGenerate).toUtf8();
    const QJsonObject state = QJsonDocument::fromJson(text).object();
    core::SampleConfig config;
    const std::string settings = state.value(QStringLiteral("settings")).toString().toStdString();
    if (settings.empty() || !core::readJson(settings, config)) return;
    m_seed->setText(QString::number(config.seed));
    m_lock->setChecked(state.value(QStringLiteral("locked")).toBool());
    m_count->setValue(int(config.count));
    m_countUnlocked = state.value(QStringLiteral("countUnlocked")).toInt();
    m_loras->setWanted(config.loras);
    forgetDeleted(config.loras);
    takeStrength(config.strength);
    restoreStart(QString::fromStdString(config.initImage));
    // Of a model that nobody had looked at the numbers were those of another one.
    if (!state.value(QStringLiteral("unfit")).toBool()) m_restored = config;
    takeRestored();
}

void GenerateForm::forgetDeleted(const std::vector<core::LoraReference>& loras) {
    if (loras.empty()) return;
    const auto look = [loras, runs = m_services.settings.runsFolder()] { return deletedOf(loras, runs); };
    // Its disk may not answer.
    inBackground(this, look, [this](const std::set<std::string>& deleted) { dropLoras(deleted); });
}

void GenerateForm::dropLoras(const std::set<std::string>& deleted) {
    if (deleted.empty()) return;
    const auto isDeleted = [&deleted](const core::LoraReference& one) { return deleted.contains(one.file); };
    std::vector<core::LoraReference> waiting = m_loras->wanted();
    waiting.erase(waiting.begin(), waiting.begin() + std::ssize(m_loras->loras()));
    std::erase_if(waiting, isDeleted);
    m_loras->setWanted(waiting);
    // What else is kept stays as it is: it may wait for its model.
    QJsonObject state = QJsonDocument::fromJson(m_services.settings.text(keys::kGenerate).toUtf8()).object();
    core::SampleConfig config;
    if (!core::readJson(state.value(QStringLiteral("settings")).toString().toStdString(), config)) return;
    std::erase_if(config.loras, isDeleted);
    state.insert(QStringLiteral("settings"), QString::fromStdString(core::toJson(config)));
    m_services.settings.set(keys::kGenerate,
                            QString::fromUtf8(QJsonDocument(state).toJson(QJsonDocument::Compact)));
}

void GenerateForm::restoreStart(const QString& picture) {
    m_startPath = picture;
    showStart();
    if (picture.isEmpty()) return;
    const auto take = [this, picture](bool there) {
        if (there || m_startPath != picture) return;
        m_startPath.clear();
        showStart();
    };
    // Its disk may not answer.
    inBackground(
        this, [picture] { return QFileInfo(picture).isFile(); }, take);
}

void GenerateForm::takeRestored() {
    const QString path = m_model->path();
    const ModelEntry* shape = m_services.models.shapeOf(path);
    const bool there = shape != nullptr && shape->looked;
    if (!m_restored || !there || m_restored->model != path.toStdString()) return;
    const QScopedValueRollback<bool> quiet(m_filling, true);
    takeNumbers(*std::exchange(m_restored, std::nullopt));
}

void GenerateForm::takeStrength(double strength) {
    m_strength->setExact(qBound(0.01, strength, 1.0)); // without a start it is any number
}

void GenerateForm::takeNumbers(const core::SampleConfig& config) {
    m_steps->setValue(int(config.steps));
    m_sampler->setCurrentIndex(qMax(0, m_sampler->findData(static_cast<int>(config.sampler))));
    m_karras->setChecked(config.karrasSigmas);
    m_trailing->setChecked(config.stepSpacing == core::StepSpacing::Trailing);
    constexpr double kMostGuidance = 100.0; // that the engine takes; other programs have more
    m_guidance->setExact(qBound(0.0, config.guidanceScale, kMostGuidance));
    m_clipSkip->setValue(int(config.clipSkip));
    if (config.widthPixels > 0 && config.heightPixels > 0)
        takeSize({int(config.widthPixels), int(config.heightPixels)});
}

bool sameLoras(const std::vector<core::LoraReference>& one, const std::vector<core::LoraReference>& other) {
    const auto same = [](const core::LoraReference& a, const core::LoraReference& b) {
        return a.file == b.file && a.weight == b.weight;
    };
    return std::equal(one.begin(), one.end(), other.begin(), other.end(), same);
}

void GenerateForm::correct(const core::SampleConfig& filled, const core::SampleConfig& found) {
    core::SampleConfig now = config();
    if (sameLoras(now.loras, filled.loras) && !sameLoras(now.loras, found.loras))
        m_loras->setLoras(found.loras);
    if (now.model != filled.model || found.model.empty() || found.model == now.model) return;
    takeTypedSize();
    now = config();
    const auto mend = [](auto& value, const auto& was, const auto& meant) {
        if (value == was) value = meant;
    };
    if (now.widthPixels == filled.widthPixels && now.heightPixels == filled.heightPixels) {
        now.widthPixels = found.widthPixels;
        now.heightPixels = found.heightPixels;
    }
    mend(now.steps, filled.steps, found.steps);
    mend(now.guidanceScale, filled.guidanceScale, found.guidanceScale);
    mend(now.clipSkip, filled.clipSkip, found.clipSkip);
    setModelAlone(QString::fromStdString(found.model));
    takeNumbers(now);
}

} // namespace homebooth::app
