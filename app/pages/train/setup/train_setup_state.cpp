// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the form keeps from one session to the next.
#include "app/engine/models/model_shelf.h"
#include "app/library/subject_book.h"
#include "app/pages/train/setup/expert_form.h"
#include "app/pages/train/setup/learn_choice.h"
#include "app/pages/train/setup/train_setup.h"
#include "app/settings/settings.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRadioButton>

#include <algorithm>
#include <utility>

namespace homebooth::app {
namespace {

constexpr const char* kResultWords[] = {"whole", "lora", "scratch"}; // in the order of Result
constexpr const char* kQualityWords[] = {"quick", "balanced", "best"};

/// Checks the button that a word stands for; nothing for another word.
template <size_t N>
void check(const QButtonGroup& group, const char* const (&words)[N], const QString& word) {
    for (size_t i = 0; i < N; ++i)
        if (word == QLatin1String(words[i])) group.button(static_cast<int>(i))->setChecked(true);
}

template <size_t N>
QString wordOf(const QButtonGroup& group, const char* const (&words)[N]) {
    return QLatin1String(
        words[static_cast<size_t>(std::clamp(group.checkedId(), 0, static_cast<int>(N) - 1))]);
}

/// The model of the user's that a training began with which made this one, or it itself if no training did:
/// what another subject is learned from, too. Empty: none is known, or it is a mere shape for new models.
QString ownModel(const ModelShelf& models, const QString& path) {
    const ModelEntry* entry = models.shapeOf(path);
    for (size_t i = 0; entry != nullptr && entry->origin == ModelEntry::Origin::Run; ++i)
        entry = i < models.entries().size() ? models.shapeOf(entry->base) : nullptr;
    return entry != nullptr && entry->facts.drawsPictures ? entry->path : QString();
}

} // namespace

QJsonObject TrainSetup::formState() const {
    QJsonObject expert;
    const QMap<QString, QString>& changes = m_expert->allChanges();
    for (auto one = changes.cbegin(); one != changes.cend(); ++one) expert.insert(one.key(), one.value());
    return {{QStringLiteral("model"), m_wantedModel},
            {QStringLiteral("result"), wordOf(*m_result, kResultWords)},
            {QStringLiteral("autoencoder"), m_autoencoder->isChecked()},
            {QStringLiteral("quality"), wordOf(*m_quality, kQualityWords)},
            {QStringLiteral("keep"), m_keep->isChecked()},
            {QStringLiteral("expert"), expert}};
}

void TrainSetup::keepState() {
    if (!m_keeps) return;
    QJsonObject state = formState();
    QJsonArray subjects;
    for (const qlonglong id : m_learn->chosen()) subjects.append(QString::number(id)); // JSON would round it
    state.insert(QStringLiteral("subjects"), subjects);
    state.insert(QStringLiteral("dataset"), m_learn->datasetFolder());
    state.insert(QStringLiteral("datasetName"), m_learn->datasetName());
    state.insert(QStringLiteral("skipBroken"), m_skipBroken);
    if (m_counted.first == m_learn->datasetFolder())
        state.insert(QStringLiteral("pictures"), qint64(m_counted.second));
    m_services.settings.set(keys::kTrain,
                            QString::fromUtf8(QJsonDocument(state).toJson(QJsonDocument::Compact)));
}

void TrainSetup::restoreState() {
    const QByteArray text = m_services.settings.text(keys::kTrain).toUtf8();
    const QJsonObject state = QJsonDocument::fromJson(text).object();
    if (!state.isEmpty()) takeState(state);
    m_restored = formState();
    m_keeps = true;
}

void TrainSetup::takeState(const QJsonObject& state) {
    QList<qlonglong> subjects;
    for (const QJsonValue& id : state.value(QStringLiteral("subjects")).toArray())
        subjects.append(id.toString().toLongLong());
    m_skipBroken = state.value(QStringLiteral("skipBroken")).toBool();
    m_counted = {state.value(QStringLiteral("dataset")).toString(),
                 state.value(QStringLiteral("pictures")).toInteger()};
    m_learn->restore(subjects, state.value(QStringLiteral("datasetName")).toString(),
                     state.value(QStringLiteral("dataset")).toString());
    m_wantedModel = state.value(QStringLiteral("model")).toString();
    fillModels();
    check(*m_result, kResultWords, state.value(QStringLiteral("result")).toString());
    setAutoencoder(state.value(QStringLiteral("autoencoder")).toBool());
    check(*m_quality, kQualityWords, state.value(QStringLiteral("quality")).toString());
    m_keep->setChecked(state.value(QStringLiteral("keep")).toBool(true));
    QMap<QString, QString> expert;
    const QJsonObject changes = state.value(QStringLiteral("expert")).toObject();
    for (auto one = changes.constBegin(); one != changes.constEnd(); ++one)
        expert.insert(one.key(), one.value().toString());
    // Whether the cards that were chosen are there matters whether or not somebody sees the choice.
    if (const auto several = expert.lowerBound(QStringLiteral("parallel."));
        several != expert.cend() && several.key().startsWith(QLatin1String("parallel.")))
        wantGpus();
    m_expert->restoreChanges(expert);
}

bool TrainSetup::kindChanged() {
    const std::vector<const core::Subject*> subjects = m_learn->subjects();
    if (subjects.size() != 1) return false; // of several no examples are learned
    const std::pair<qlonglong, QString> now(subjects.front()->id, classOf(*subjects.front()));
    const auto before = std::exchange(m_kind, now);
    return before.first != 0 && before.first != now.first && before.second != now.second;
}

void TrainSetup::followLearned() {
    QStringList learned{m_learn->datasetFolder()};
    for (const core::Subject* subject : m_learn->subjects()) learned.append(subjectSentence(*subject));
    learned.removeAll(QString());
    if (learned.isEmpty()) return;
    const QStringList before = std::exchange(m_learned, learned);
    const bool lost = std::any_of(before.cbegin(), before.cend(),
                                  [&learned](const QString& one) { return !learned.contains(one); });
    QStringList others;
    if (lost) others.append(QString::fromLatin1(kPreviewPromptPath));
    if (kindChanged())
        others << QString::fromLatin1(kClassPromptPath) << QString::fromLatin1(kClassFolderPath);
    others.removeIf([this](const QString& one) { return !m_expert->allChanges().contains(one); });
    if (others.isEmpty()) return;
    const bool restored = formState() == m_restored;
    for (const QString& one : others) m_expert->drop(one);
    if (restored) m_restored = formState(); // all else is still what the earlier session left
}

void TrainSetup::setNothing() {
    m_restored = {};
    m_learn->setNothing();
}

void TrainSetup::forgetRestored() {
    const QString model = ownModel(m_services.models, m_wantedModel);
    m_wantedModel = model;
    m_model->setCurrentIndex(qMax(0, m_model->findData(model)));
    m_result->button(kWhole)->setChecked(true);
    setAutoencoder(false);
    m_quality->button(0)->setChecked(true);
    m_keep->setChecked(true);
    m_expert->clearChanges();
}

} // namespace homebooth::app
