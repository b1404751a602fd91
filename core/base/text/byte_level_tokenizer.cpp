// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/byte_level_tokenizer.h"

#include "core/base/text/byte_level_files.h"
#include "core/base/text/unicode.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <unordered_map>

namespace homebooth::core {
namespace {

constexpr size_t kMostCachedWords = 1 << 16;
constexpr size_t kLongestCachedWord = 32; // bytes

/// The bytes that a vocabulary's entry stands for; nothing where it holds other characters.
std::optional<std::string> bytesOfEntry(const std::string& entry) {
    static const std::unordered_map<char32_t, char> bytes = [] {
        std::unordered_map<char32_t, char> found;
        for (int byte = 0; byte < 256; ++byte)
            found[decodeUtf8(byteSymbol(static_cast<uint8_t>(byte))).front()] = static_cast<char>(byte);
        return found;
    }();
    std::string text;
    for (const char32_t c : decodeUtf8(entry)) {
        const auto found = bytes.find(c);
        if (found == bytes.end()) return std::nullopt;
        text += found->second;
    }
    return text;
}

size_t utf8Length(char32_t c) {
    return c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
}

/// Tokens that are looked for as they are written.
struct AddedTokens {
    std::vector<ByteLevelToken> tokens; ///< the longest first
    std::array<bool, 256> begins{};

    AddedTokens() = default;
    explicit AddedTokens(std::vector<ByteLevelToken> given)
        : tokens(std::move(given)) {
        for (const ByteLevelToken& token : tokens) begins[static_cast<uint8_t>(token.content.front())] = true;
        std::ranges::stable_sort(tokens, std::greater(),
                                 [](const ByteLevelToken& token) { return token.content.size(); });
    }

    [[nodiscard]] const ByteLevelToken* at(std::string_view text) const {
        if (!begins[static_cast<uint8_t>(text.front())]) return nullptr;
        for (const ByteLevelToken& token : tokens)
            if (text.starts_with(token.content)) return &token;
        return nullptr;
    }
};

size_t characterEnd(std::string_view text, size_t begin) {
    ++begin;
    while (begin < text.size() && (text[begin] & 0xC0) == 0x80) ++begin;
    return begin;
}

bool isBlank(std::string_view character) {
    return isWhiteSpace(decodeUtf8(character).front());
}

std::string_view withoutBlanksBehind(std::string_view text) {
    while (!text.empty()) {
        size_t last = text.size() - 1;
        while (last > 0 && (text[last] & 0xC0) == 0x80) --last;
        if (!isBlank(text.substr(last))) break;
        text = text.substr(0, last);
    }
    return text;
}

size_t blanksBefore(std::string_view text) {
    size_t count = 0;
    while (count < text.size()) {
        const size_t end = characterEnd(text, count);
        if (!isBlank(text.substr(count, end - count))) break;
        count = end;
    }
    return count;
}

} // namespace

struct ByteLevelTokenizer::Vocabulary {
    BytePairEncoder encoder;
    VocabularyIds ids;
    WordSplit split = WordSplit::Gpt2;
    std::vector<std::string> bytes; ///< by id; empty: a special token
    AddedTokens first;
    AddedTokens yielding; ///< looked for between those
    int32_t start = -1;
    int32_t end = -1;

    void take(ByteLevelFiles files);
};

/// Leaves the encoder, the start and the end as they are.
void ByteLevelTokenizer::Vocabulary::take(ByteLevelFiles files) {
    split = files.split;
    ids = std::move(files.ids);
    for (const ByteLevelToken& token : files.added) ids[token.content] = token.id;
    int64_t most = 0;
    for (const auto& [entry, id] : ids) most = std::max(most, id);
    bytes.resize(static_cast<size_t>(most) + 1);
    for (const auto& [entry, id] : ids) bytes[static_cast<size_t>(id)] = bytesOfEntry(entry).value_or(entry);
    std::vector<ByteLevelToken> ahead, between;
    for (ByteLevelToken& token : files.added) {
        bytes[static_cast<size_t>(token.id)] = token.special ? std::string() : token.content;
        (token.yields ? between : ahead).push_back(std::move(token));
    }
    first = AddedTokens(std::move(ahead));
    yielding = AddedTokens(std::move(between));
}

namespace {

/// Encodes one text.
class Encoding {
public:
    Encoding(const BytePairEncoder& encoder, WordSplit split, std::vector<int32_t>& out)
        : m_encoder(encoder)
        , m_split(split)
        , m_out(out) {}

    /// Encodes what stands between added tokens with `next`.
    template <class Next>
    void addAround(std::string_view text, const AddedTokens& added, const Next& next) {
        size_t plain = 0; // where what was not encoded yet begins
        for (size_t at = 0; at < text.size();) {
            const ByteLevelToken* token = added.at(text.substr(at));
            if (token == nullptr) {
                ++at;
                continue;
            }
            const std::string_view before = text.substr(plain, at - plain);
            next(token->stripsLeft ? withoutBlanksBehind(before) : before);
            addId(token->id);
            at += token->content.size();
            if (token->stripsRight) at += blanksBefore(text.substr(at));
            plain = at;
        }
        next(text.substr(plain));
    }

    void addText(std::string_view text) {
        if (text.empty()) return;
        const std::u32string points = decodeUtf8(text);
        size_t byte = 0;
        for (size_t begin = 0; begin < points.size();) {
            const size_t end = wordEnd(points, begin, m_split);
            size_t length = 0;
            for (; begin < end; ++begin) length += utf8Length(points[begin]);
            addWord(text.substr(byte, length));
            byte += length;
        }
    }

    void addId(int64_t id) { m_out.push_back(static_cast<int32_t>(id)); }

private:
    void addWord(std::string_view word) {
        const bool cached = word.size() <= kLongestCachedWord;
        if (cached)
            if (const auto known = m_words.find(std::string(word)); known != m_words.end()) {
                m_out.insert(m_out.end(), known->second.begin(), known->second.end());
                return;
            }
        m_ids.clear();
        m_encoder.encodeWord(word, m_ids);
        const auto first = static_cast<std::ptrdiff_t>(m_out.size());
        for (const int64_t id : m_ids) addId(id);
        if (cached && m_words.size() < kMostCachedWords)
            m_words.emplace(word, std::vector<int32_t>(m_out.begin() + first, m_out.end()));
    }

    const BytePairEncoder& m_encoder;
    WordSplit m_split;
    std::vector<int32_t>& m_out;
    std::vector<int64_t> m_ids;
    std::unordered_map<std::string, std::vector<int32_t>> m_words;
};

} // namespace

ByteLevelTokenizer::ByteLevelTokenizer(std::shared_ptr<const Vocabulary> vocabulary)
    : m_vocabulary(std::move(vocabulary)) {}

Result<ByteLevelTokenizer> ByteLevelTokenizer::loadFolder(const std::filesystem::path& folder) {
    HOMEBOOTH_ASSIGN(ByteLevelFiles files, readByteLevelFiles(folder));
    auto made = std::make_shared<Vocabulary>();
    auto encoder = BytePairEncoder::create(files.ids, files.merges, /*unknownId=*/-1, /*endOfWord=*/"");
    if (!encoder) return Error{encoder.error().code, encoder.error().message, files.file};
    made->encoder = std::move(*encoder);
    const std::string start = files.startToken, end = files.endToken, file = files.file;
    made->take(std::move(files));
    ByteLevelTokenizer tokenizer(made);
    if (!end.empty()) made->end = tokenizer.idOf(end);
    if (start.empty()) return tokenizer;
    made->start = tokenizer.idOf(start);
    if (made->start >= 0) return tokenizer;
    return badInput("reading the tokenizer: expected \"" + start +
                        "\", which begins every text, in the vocabulary; copy the files of one model",
                    file);
}

void ByteLevelTokenizer::encode(std::string_view given, std::vector<int32_t>& out) const {
    const std::string text = wellFormedUtf8(given);
    Encoding encoding(m_vocabulary->encoder, m_vocabulary->split, out);
    const auto addWords = [&](std::string_view piece) { encoding.addText(piece); };
    encoding.addAround(text, m_vocabulary->first, [&](std::string_view piece) {
        encoding.addAround(piece, m_vocabulary->yielding, addWords);
    });
}

std::vector<int32_t> ByteLevelTokenizer::encode(std::string_view text) const {
    std::vector<int32_t> ids;
    encode(text, ids);
    return ids;
}

std::string_view ByteLevelTokenizer::bytesOf(int32_t id) const {
    const auto index = static_cast<size_t>(id);
    return id >= 0 && index < m_vocabulary->bytes.size() ? std::string_view(m_vocabulary->bytes[index])
                                                         : std::string_view();
}

std::string ByteLevelTokenizer::decode(std::span<const int32_t> ids) const {
    std::string text;
    for (const int32_t id : ids) text += bytesOf(id);
    return wellFormedUtf8(text);
}

int32_t ByteLevelTokenizer::idOf(std::string_view entry) const {
    const auto found = m_vocabulary->ids.find(std::string(entry));
    return found == m_vocabulary->ids.end() ? -1 : static_cast<int32_t>(found->second);
}

int64_t ByteLevelTokenizer::vocabularySize() const {
    return static_cast<int64_t>(m_vocabulary->bytes.size());
}

int32_t ByteLevelTokenizer::startToken() const {
    return m_vocabulary->start;
}

int32_t ByteLevelTokenizer::endToken() const {
    return m_vocabulary->end;
}

} // namespace homebooth::core
