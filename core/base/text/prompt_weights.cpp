// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/prompt_weights.h"

#include "core/base/text/prompt_syntax.h"
#include "core/base/text/prompt_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>

namespace homebooth::core {
namespace {

constexpr size_t kNowhere = std::string_view::npos;
constexpr std::string_view kBrackets = "()[]";
constexpr std::string_view kEscapable = "()[]\\";
constexpr std::string_view kSpaces = " \t\n\r\f\v";
constexpr double kRound = 1.1;
constexpr double kSquare = 1.0 / kRound;
/// Far beyond what makes pictures; products of more are not finite in the end.
constexpr double kMostWeight = 10'000.0;
/// Brackets within each other that count; far fewer reach the greatest weight.
constexpr size_t kDeepest = 128;

struct Weight {
    double factor;
    size_t length; ///< with its colon and bracket
};

/// The weight that begins with this colon, as in "(hat: 1.3 )".
std::optional<Weight> weightAt(std::string_view prompt, size_t colon) {
    const size_t begin = prompt.find_first_not_of(kSpaces, colon + 1);
    if (begin == kNowhere) return std::nullopt;
    const size_t digits = begin + (prompt[begin] == '+' ? 1 : 0);
    const size_t end = prompt.find_first_not_of("0123456789.", digits + (prompt[begin] == '-' ? 1 : 0));
    const size_t bracket = prompt.find_first_not_of(kSpaces, end);
    if (end == kNowhere || bracket == kNowhere || prompt[bracket] != ')') return std::nullopt;
    double factor = 0.0;
    const char* last = prompt.data() + end;
    const auto read = std::from_chars(prompt.data() + digits, last, factor, std::chars_format::fixed);
    if (read.ec != std::errc() || read.ptr != last) return std::nullopt;
    return Weight{factor, bracket + 1 - colon};
}

/// Reads a prompt from its beginning to its end.
class PieceReader {
public:
    explicit PieceReader(std::string_view prompt)
        : m_prompt(prompt)
        , m_words(prompt.size(), false) {
        for (const TextSpan& span : changingWords(prompt)) m_words[span.begin] = m_words[span.end - 1] = true;
    }

    std::vector<PromptPiece> read() {
        while (m_at < m_prompt.size()) m_at += takeNext();
        while (!m_round.empty()) close(m_round, kRound); // those that are never closed
        while (!m_square.empty()) close(m_square, kSquare);
        return joined();
    }

private:
    /// @returns  how many characters it took
    size_t takeNext() {
        const char sign = m_prompt[m_at];
        if (sign == '\\') return takeBackslash();
        if (m_words[m_at]) return add(m_prompt.substr(m_at, 1));
        if (sign == '(') return open(m_round);
        if (sign == '[') return open(m_square);
        if (sign == ')' && !m_round.empty()) return close(m_round, kRound);
        if (sign == ']' && !m_square.empty()) return close(m_square, kSquare);
        if (sign == ':' && !m_round.empty())
            if (const auto weight = weightAt(m_prompt, m_at)) {
                close(m_round, weight->factor);
                return weight->length;
            }
        return add(m_prompt.substr(m_at, 1));
    }

    size_t takeBackslash() {
        const std::string_view next = m_prompt.substr(m_at + 1, 1);
        const bool escapes = !next.empty() && kEscapable.find(next) != kNowhere;
        add(escapes ? next : std::string_view()); // one before anything else is nothing
        return escapes ? 2 : 1;
    }

    size_t add(std::string_view text) {
        if (m_parted) m_pieces.push_back({});
        m_parted = false;
        m_pieces.back().text += text;
        return text.size();
    }

    size_t open(std::vector<size_t>& kind) {
        kind.push_back(m_pieces.size());
        m_parted = true;
        return 1;
    }

    size_t close(std::vector<size_t>& kind, double factor) {
        const bool counts = kind.size() <= kDeepest;
        for (size_t piece = counts ? kind.back() : m_pieces.size(); piece < m_pieces.size(); ++piece) {
            double& weight = m_pieces[piece].weight;
            weight = std::clamp(weight * factor, -kMostWeight, kMostWeight);
        }
        kind.pop_back();
        m_parted = true;
        return 1;
    }

    std::vector<PromptPiece> joined() {
        std::vector<PromptPiece> all;
        for (PromptPiece& piece : m_pieces)
            if (!all.empty() && all.back().weight == piece.weight)
                all.back().text += piece.text;
            else
                all.push_back(std::move(piece));
        if (all.empty()) all.push_back({});
        return all;
    }

    std::string_view m_prompt;
    std::vector<bool> m_words; // whether a bracket is a character
    std::vector<PromptPiece> m_pieces;
    std::vector<size_t> m_round; // of those that are open the piece that follows
    std::vector<size_t> m_square;
    size_t m_at = 0;
    bool m_parted = true; // what comes next is another piece
};

} // namespace

std::vector<PromptPiece> promptPieces(std::string_view prompt) {
    if (prompt.find_first_of(kBrackets) == kNowhere) return {PromptPiece{std::string(prompt), 1.0}};
    return PieceReader(prompt).read();
}

std::string unweighedPrompt(std::string_view text) {
    if (text.find_first_of(kBrackets) == kNowhere) return std::string(text);
    std::string prompt;
    for (const char sign : text) {
        if (kEscapable.find(sign) != kNowhere) prompt += '\\';
        prompt += sign;
    }
    return prompt;
}

bool namesWord(std::span<const PromptPiece> pieces, std::string_view word) {
    return std::any_of(pieces.begin(), pieces.end(),
                       [word](const PromptPiece& piece) { return namesWord(piece.text, word); });
}

WeighedText tokenizePieces(const ClipTokenizer& tokenizer, std::span<const PromptPiece> pieces,
                           int64_t maxLength) {
    if (pieces.size() == 1 && pieces.front().weight == 1.0)
        return {tokenizer.tokenize(pieces.front().text, maxLength), {}};
    WeighedText all{{{tokenizer.startToken()}, 0, false}, {1.0F}};
    std::vector<int64_t>& ids = all.tokens.ids;
    for (const PromptPiece& piece : pieces) {
        const std::vector<int64_t> own = tokenizer.tokens(piece.text);
        all.tokens.textTokens += std::ssize(own);
        const int64_t room = maxLength - 1 - std::ssize(ids); // the end token comes behind
        ids.insert(ids.end(), own.begin(), own.begin() + std::min(std::ssize(own), room));
        all.weights.resize(ids.size(), static_cast<float>(piece.weight));
    }
    all.tokens.truncated = all.tokens.textTokens > maxLength - 2;
    const auto length = static_cast<size_t>(maxLength);
    ids.push_back(tokenizer.endToken());
    ids.resize(length, tokenizer.padToken());
    all.weights.resize(length, 1.0F);
    return all;
}

} // namespace homebooth::core
