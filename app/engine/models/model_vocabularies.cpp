// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/models/model_vocabularies.h"

#include "app/engine/models/model_shelf.h"
#include "app/library/background.h"
#include "app/library/subject_book.h"
#include "core/base/model/model_tokenizer.h"
#include "core/base/model/published_tokenizer.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace homebooth::app {
namespace {

using Tokenizers = std::vector<core::ClipTokenizer>;

/// The published one always counts: nearly every model that may still come has it.
std::shared_ptr<const Tokenizers> loadTokenizers(const QStringList& models) {
    auto all = std::make_shared<Tokenizers>();
    const auto take = [&all](core::Result<core::ClipTokenizer> loaded) {
        if (loaded) all->push_back(std::move(*loaded));
    };
    take(core::ClipTokenizer::loadPublished(core::publishedVocabularyPath()));
    core::OpenOptions options;
    options.weightsOptional = true;
    for (const QString& path : models)
        if (const auto model = core::openModel(path.toStdString(), options);
            model && !core::isPublishedTokenizer(model->text.tokenizerFiles))
            take(core::loadTokenizer(*model));
    return all;
}

int mostTokens(const Tokenizers& all, const QString& word) {
    size_t most = 0;
    for (const core::ClipTokenizer& one : all)
        most = std::max(most, one.tokens(word.trimmed().toStdString()).size());
    return static_cast<int>(most);
}

} // namespace

ModelVocabularies::ModelVocabularies(ModelShelf& models, SubjectBook& subjects, QObject* parent)
    : QObject(parent)
    , m_models(models)
    , m_subjects(subjects) {
    constexpr int kMostMs = 5000;
    m_patience.setSingleShot(true);
    m_patience.setInterval(kMostMs);
    connect(&m_patience, &QTimer::timeout, this, &ModelVocabularies::tellKnown);
    connect(&models, &ModelShelf::changed, this, &ModelVocabularies::follow);
    load({});
    follow();
}

void ModelVocabularies::follow() {
    QStringList paths;
    for (const ModelEntry& entry : m_models.entries()) {
        // The result of a run has the vocabulary of the model that it began with.
        const bool own = entry.isModel() && entry.origin != ModelEntry::Origin::Run;
        if (own && entry.facts.usable) paths.append(entry.path);
    }
    paths.sort();
    if (paths != m_loaded) load(paths);
    if (known()) tellKnown();
}

bool ModelVocabularies::known() const {
    const auto& models = m_models.entries();
    return m_read && m_models.listed() && std::all_of(models.begin(), models.end(), [](const auto& entry) {
               return entry.isAddOn() || entry.origin == ModelEntry::Origin::Run || entry.looked;
           });
}

void ModelVocabularies::whenKnown(std::function<void()> then) {
    if (known()) return then();
    m_waiting.push_back(std::move(then));
    if (!m_patience.isActive()) m_patience.start(); // the first that waits waits no longer for others
}

void ModelVocabularies::tellKnown() {
    m_patience.stop();
    for (const auto& then : std::exchange(m_waiting, {})) then();
}

void ModelVocabularies::load(const QStringList& models) {
    m_loaded = models;
    m_read = false;
    inBackground(
        this, [models] { return loadTokenizers(models); },
        [this, models](const std::shared_ptr<const Tokenizers>& all) {
            if (models != m_loaded) return; // others are being read by now
            m_read = true;
            m_subjects.setTokenCount([all](const QString& word) { return mostTokens(*all, word); });
            if (known()) tellKnown();
        });
}

} // namespace homebooth::app
