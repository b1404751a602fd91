// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/generate/prompt/prompt_length.h"

#include "app/library/background.h"
#include "core/base/model/model_tokenizer.h"
#include "core/base/text/prompt_weights.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace homebooth::app {

std::shared_ptr<const PromptLength::Reader> PromptLength::readerOf(const std::string& path) {
    core::OpenOptions options;
    options.weightsOptional = true;
    const auto model = core::openPictureModel(path, options);
    if (!model) return nullptr;
    auto tokenizers = core::loadTokenizers(*model);
    if (!tokenizers) return nullptr;
    auto reader = std::make_shared<Reader>();
    reader->tokenizers = std::move(*tokenizers);
    reader->length = std::numeric_limits<int64_t>::max();
    for (const core::TextPart* part : model->textParts())
        reader->length = std::min(reader->length, part->config.maxPositions);
    for (const core::ClipTokenizer& one : reader->tokenizers)
        reader->length = std::min(reader->length, one.modelMaxLength());
    return reader;
}

void PromptLength::setModel(const QString& path) {
    if (std::exchange(m_model, path) == path) return;
    m_reader.reset();
    if (path.isEmpty()) return Q_EMIT known();
    inBackground(
        this, [file = path.toStdString()] { return readerOf(file); },
        [this, path](const std::shared_ptr<const Reader>& reader) {
            if (path != m_model) return; // another one is being read by now
            m_reader = reader;
            Q_EMIT known();
        });
}

PromptLength::Tokens PromptLength::tokensOf(const QString& prompt) const {
    if (m_reader == nullptr || m_reader->length < 2) return {};
    Tokens tokens{0, m_reader->length - 2};
    const std::vector<core::PromptPiece> pieces = core::promptPieces(prompt.toStdString());
    for (const core::ClipTokenizer& one : m_reader->tokenizers)
        tokens.count =
            std::max(tokens.count, core::tokenizePieces(one, pieces, m_reader->length).tokens.textTokens);
    return tokens;
}

} // namespace homebooth::app
