// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/clip_tokenizer.h"

#include "core/base/text/byte_pair.h"
#include "core/base/text/clip_vocabulary.h"
#include "core/base/text/prompt_text.h"
#include "core/base/text/unicode.h"
#include "core/base/util/regular_file.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace homebooth::core {
namespace {

/// An added token ready to be sought.
struct SoughtToken {
    std::u32string content;
    int64_t id; ///< the first one
    bool singleWord;
    int64_t count = 1; ///< of ids that follow each other
    bool placeholder = false;
};

/// The longest of `tokens` at `position`, of equal ones the first, or null. A placeholder is there only as a
/// word of its own: else a shorter one may be. (Of the vocabulary's own tokens, as the reference has it, one
/// that should stand alone and does not hides shorter ones.)
const SoughtToken* longestAt(std::u32string_view text, size_t position,
                             const std::vector<SoughtToken>& tokens) {
    const SoughtToken* best = nullptr;
    for (const SoughtToken& token : tokens) {
        if (best && token.content.size() <= best->content.size()) continue;
        const size_t length = token.content.size();
        if (text.substr(position, length) != token.content) continue;
        if (!token.placeholder || isOwnWord(text, position, length)) best = &token;
    }
    return best;
}

/// Cuts `text` at added tokens: `onText(part)` and `onToken(token)` in order.
template <class OnText, class OnToken>
void cutAtTokens(std::u32string_view text, const std::vector<SoughtToken>& tokens, OnText onText,
                 OnToken onToken) {
    size_t begin = 0;
    for (size_t i = 0; i < text.size();) {
        const SoughtToken* token = longestAt(text, i, tokens);
        if (!token) {
            ++i;
            continue;
        }
        const size_t end = i + token->content.size();
        if (!token->singleWord || standsAlone(text, i, token->content.size())) {
            if (begin < i) onText(text.substr(begin, i - begin));
            onToken(*token);
            begin = end;
        }
        i = end;
    }
    if (begin < text.size()) onText(text.substr(begin));
}

constexpr std::u32string_view kLiterals[] = {U"<|startoftext|>", U"<|endoftext|>"};
constexpr std::u32string_view kContractions[] = {U"'s", U"'t", U"'re", U"'ve", U"'m", U"'ll", U"'d"};

/// Length of the word that begins at `position`; 0 where white space stands.
/// A contraction, a run of letters, one number, or a run of anything else but white space.
size_t wordLength(std::u32string_view text, size_t position) {
    const char32_t c = text[position];
    if (isWhiteSpace(c)) return 0;
    if (c == U'\'') {
        for (std::u32string_view contraction : kContractions) {
            if (text.substr(position, contraction.size()) == contraction) return contraction.size();
        }
    }
    if (isNumber(c)) return 1;
    const bool letters = isLetter(c);
    size_t end = position + 1;
    while (end < text.size()) {
        const char32_t next = text[end];
        if (isLetter(next) != letters || (!letters && (isNumber(next) || isWhiteSpace(next)))) break;
        ++end;
    }
    return end - position;
}

/// Length of a start or end mark that was spelt out but is no added token here, or 0. The reference cuts it
/// off as one piece and then into these three words.
size_t literalLength(std::u32string_view text, size_t position) {
    for (std::u32string_view literal : kLiterals) {
        if (text.substr(position, literal.size()) == literal) return literal.size();
    }
    return 0;
}

} // namespace

struct ClipTokenizer::Vocabulary {
    VocabularyIds ids;
    std::vector<std::string> entries; ///< by id
    BytePairEncoder encoder;
    std::vector<SoughtToken> inRawText;
    std::vector<SoughtToken> inNormalText;
    int64_t start = 0;
    int64_t end = 0;
    int64_t pad = 0;
    int64_t maxLength = 77;

    int64_t add(const AddedToken& token);
    int64_t setEntry(const std::string& entry, int64_t id);
    void encodeWord(std::u32string_view word, std::vector<int64_t>& out) const;
    void encodeNormalText(std::u32string_view text, std::vector<int64_t>& out) const;
    [[nodiscard]] std::vector<int64_t> encodeText(std::string_view text) const;
    [[nodiscard]] static Result<std::shared_ptr<const Vocabulary>> build(ClipVocabulary files,
                                                                         const std::filesystem::path& source);
};

int64_t ClipTokenizer::Vocabulary::setEntry(const std::string& entry, int64_t id) {
    if (static_cast<size_t>(id) >= entries.size()) entries.resize(static_cast<size_t>(id) + 1);
    entries[static_cast<size_t>(id)] = entry;
    return ids.emplace(entry, id).first->second;
}

int64_t ClipTokenizer::Vocabulary::add(const AddedToken& token) {
    if (token.content.empty()) return -1;
    const auto known = ids.find(token.content);
    const bool isNew = known == ids.end();
    const int64_t id = isNew ? setEntry(token.content, static_cast<int64_t>(entries.size())) : known->second;
    if (!isNew) // else it cannot be sought yet
        for (auto* list : {&inRawText, &inNormalText})
            std::erase_if(*list, [id](const SoughtToken& one) { return one.id == id && !one.placeholder; });
    const std::u32string content = decodeUtf8(token.content);
    const std::u32string sought = token.normalized ? normalised(content) : content;
    (token.normalized ? inNormalText : inRawText).push_back({sought, id, token.singleWord});
    return id;
}

Result<std::shared_ptr<const ClipTokenizer::Vocabulary>>
ClipTokenizer::Vocabulary::build(ClipVocabulary files, const std::filesystem::path& source) {
    auto made = std::make_shared<Vocabulary>();
    for (const auto& [entry, id] : files.ids) made->setEntry(entry, id);
    for (const AddedToken& token : files.added) made->add(token);
    const auto idOrNone = [&made](const std::string& entry) {
        auto found = made->ids.find(entry);
        return found == made->ids.end() ? int64_t{-1} : found->second;
    };
    made->start = idOrNone(files.startToken);
    made->end = idOrNone(files.endToken);
    made->pad = idOrNone(files.padToken);
    if (made->pad < 0) made->pad = made->end;
    made->maxLength = files.modelMaxLength;
    auto encoder = BytePairEncoder::create(files.ids, files.merges, idOrNone(files.unknownToken));
    if (!encoder) return badInput(encoder.error().message, displayName(source));
    made->encoder = std::move(encoder).value();
    return std::shared_ptr<const Vocabulary>(std::move(made));
}

void ClipTokenizer::Vocabulary::encodeWord(std::u32string_view word, std::vector<int64_t>& out) const {
    std::string bytes;
    for (char32_t c : word) appendUtf8(bytes, c);
    encoder.encodeWord(bytes, out);
}

void ClipTokenizer::Vocabulary::encodeNormalText(std::u32string_view text, std::vector<int64_t>& out) const {
    for (size_t i = 0; i < text.size();) {
        if (const size_t length = literalLength(text, i); length != 0) {
            encodeWord(text.substr(i, 2), out);
            encodeWord(text.substr(i + 2, length - 4), out);
            encodeWord(text.substr(i + length - 2, 2), out);
            i += length;
            continue;
        }
        const size_t length = wordLength(text, i);
        if (length != 0) encodeWord(text.substr(i, length), out);
        i += std::max<size_t>(length, 1);
    }
}

std::vector<int64_t> ClipTokenizer::Vocabulary::encodeText(std::string_view text) const {
    std::vector<int64_t> out;
    const std::u32string raw = decodeUtf8(text);
    const auto onToken = [&out](const SoughtToken& token) {
        for (int64_t i = 0; i < token.count; ++i) out.push_back(token.id + i);
    };
    const auto onNormal = [&](std::u32string_view part) { encodeNormalText(part, out); };
    const auto onRaw = [&](std::u32string_view part) {
        const std::u32string normal = normalised(std::u32string(part));
        cutAtTokens(normal, inNormalText, onNormal, onToken);
    };
    cutAtTokens(raw, inRawText, onRaw, onToken);
    return out;
}

ClipTokenizer::ClipTokenizer(std::shared_ptr<const Vocabulary> vocabulary)
    : m_vocabulary(std::move(vocabulary)) {}

Result<ClipTokenizer> ClipTokenizer::loadFolder(const std::filesystem::path& folder) {
    HOMEBOOTH_ASSIGN(ClipVocabulary files, readClipVocabularyFolder(folder));
    HOMEBOOTH_ASSIGN(std::shared_ptr<const Vocabulary> vocabulary,
                     Vocabulary::build(std::move(files), folder));
    return ClipTokenizer(std::move(vocabulary));
}

Result<ClipTokenizer> ClipTokenizer::loadFiles(const std::map<std::string, std::string>& texts,
                                               const std::filesystem::path& source) {
    HOMEBOOTH_ASSIGN(ClipVocabulary files, readClipVocabularyFiles(texts, source));
    HOMEBOOTH_ASSIGN(std::shared_ptr<const Vocabulary> vocabulary,
                     Vocabulary::build(std::move(files), source));
    return ClipTokenizer(std::move(vocabulary));
}

Result<ClipTokenizer> ClipTokenizer::loadPublished(const std::filesystem::path& gzFile) {
    HOMEBOOTH_ASSIGN(ClipVocabulary files, readPublishedClipVocabulary(gzFile));
    HOMEBOOTH_ASSIGN(std::shared_ptr<const Vocabulary> vocabulary,
                     Vocabulary::build(std::move(files), gzFile));
    return ClipTokenizer(std::move(vocabulary));
}

std::vector<int64_t> ClipTokenizer::encode(std::string_view text, int64_t maxLength) const {
    return tokenize(text, maxLength).ids;
}

TokenizedText ClipTokenizer::tokenize(std::string_view text, int64_t maxLength) const {
    const int64_t length = maxLength == 0 ? modelMaxLength() : maxLength;
    assert(length >= 2);
    std::vector<int64_t> whole = m_vocabulary->encodeText(text);
    TokenizedText out;
    out.textTokens = static_cast<int64_t>(whole.size());
    out.truncated = out.textTokens > length - 2;
    if (out.truncated) whole.resize(static_cast<size_t>(length - 2));
    out.ids.reserve(static_cast<size_t>(length));
    out.ids.push_back(startToken());
    out.ids.insert(out.ids.end(), whole.begin(), whole.end());
    out.ids.push_back(endToken());
    out.ids.resize(static_cast<size_t>(length), padToken());
    return out;
}

std::vector<int64_t> ClipTokenizer::tokens(std::string_view text) const {
    return m_vocabulary->encodeText(text);
}

std::string ClipTokenizer::tokenText(int64_t id) const {
    return id >= 0 && id < vocabularySize() ? m_vocabulary->entries[static_cast<size_t>(id)] : std::string();
}

int64_t ClipTokenizer::idOf(std::string_view entry) const {
    auto found = m_vocabulary->ids.find(std::string(entry));
    return found == m_vocabulary->ids.end() ? -1 : found->second;
}

int64_t ClipTokenizer::vocabularySize() const {
    return static_cast<int64_t>(m_vocabulary->entries.size());
}
int64_t ClipTokenizer::startToken() const {
    return m_vocabulary->start;
}
int64_t ClipTokenizer::endToken() const {
    return m_vocabulary->end;
}
int64_t ClipTokenizer::padToken() const {
    return m_vocabulary->pad;
}
int64_t ClipTokenizer::modelMaxLength() const {
    return m_vocabulary->maxLength;
}

void ClipTokenizer::setPadToken(int64_t id) {
    assert(id >= 0 && id < vocabularySize());
    auto changed = std::make_shared<Vocabulary>(*m_vocabulary);
    changed->pad = id;
    m_vocabulary = std::move(changed);
}

void ClipTokenizer::setPlaceholders(std::span<const PromptPlaceholder> placeholders) {
    auto changed = std::make_shared<Vocabulary>(*m_vocabulary);
    std::vector<SoughtToken> tokens; // first, so that they go before the vocabulary's own of the same word
    for (const PromptPlaceholder& one : placeholders)
        if (std::u32string word = soughtWord(one.word); !word.empty())
            tokens.push_back({std::move(word), one.firstId, false, one.count, true});
    for (SoughtToken& own : changed->inNormalText)
        if (!own.placeholder) tokens.push_back(std::move(own));
    changed->inNormalText = std::move(tokens);
    m_vocabulary = std::move(changed);
}

int64_t ClipTokenizer::addToken(const std::string& content) {
    auto changed = std::make_shared<Vocabulary>(*m_vocabulary);
    const int64_t id = changed->add({content, true, false});
    m_vocabulary = std::move(changed);
    return id;
}

} // namespace homebooth::core
