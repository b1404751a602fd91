// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/data/token_set.h"

#include "core/base/config/byte_size.h"
#include "core/base/plan/generation/text_memory.h"
#include "core/base/text/documents.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <array>
#include <c10/util/Exception.h>
#include <cmath>

namespace homebooth::core {
namespace {

constexpr size_t kGroupBytes = size_t{16} << 20; // of texts that are encoded together
constexpr int32_t kNarrowEnd = 1 << 16;
constexpr int32_t kWideEnd = 1 << 24;

Error tooFew(const TokenSetOptions& options, int64_t found) {
    const std::string advice = found > 1 ? ", or --context " + std::to_string(found - 1) + " at most" : "";
    return badInput("reading the texts: expected at least " + std::to_string(options.contextTokens + 1) +
                        " tokens, one more than are seen together, found " + std::to_string(found) +
                        "; add more texts" + advice,
                    options.textPath);
}

Error tooMany(const TokenSetOptions& options, const Documents& texts) {
    const std::string more = options.ramIsLimited ? "allow more with --ram, or " : "or ";
    return {ErrorCode::OutOfResources,
            "reading the texts: expected their tokens to take at most " + byteSizeText(options.mostBytes) +
                " of RAM, which is what may be used, found more in " + byteSizeText(texts.bytesRead()) +
                " of " + byteSizeText(texts.totalBytes()) + " of files; take fewer texts, " + more +
                "close other programs",
            options.textPath};
}

/// The texts that follow; none behind the last.
Result<std::vector<Document>> nextGroup(Documents& texts, const CancelToken& cancel) {
    std::vector<Document> group;
    for (size_t bytes = 0; bytes < kGroupBytes && !cancel.requested();) {
        HOMEBOOTH_ASSIGN(std::optional<Document> next, texts.next());
        if (!next) break;
        bytes += sizeof(Document) + next->text.size();
        group.push_back(*std::move(next));
    }
    return group;
}

std::vector<std::vector<int32_t>> encoded(const std::vector<Document>& group,
                                          const ByteLevelTokenizer& tokenizer, const CancelToken& cancel) {
    std::vector<std::vector<int32_t>> tokens(group.size());
    at::parallel_for(0, std::ssize(group), 1, [&](int64_t begin, int64_t end) {
        for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end) && !cancel.requested(); ++i)
            tokenizer.encode(group[i].text, tokens[i]);
    });
    return tokens;
}

} // namespace

Result<std::optional<TokenSet>> TokenSet::read(Documents texts, const TokenSetOptions& options,
                                               const ByteLevelTokenizer& tokenizer, const CancelToken& cancel,
                                               const ProgressCallback& progress) {
    const int64_t end = std::max<int64_t>(tokenizer.vocabularySize(),
                                          int64_t{std::max(options.separator, options.start)} + 1);
    TORCH_INTERNAL_ASSERT(options.contextTokens > 0 && end <= kWideEnd);
    TokenSet set;
    set.m_wide = end > kNarrowEnd;
    bool within = false; // a text of which a piece was read
    while (true) {
        HOMEBOOTH_ASSIGN(const std::vector<Document> group, nextGroup(texts, cancel));
        const auto tokens = encoded(group, tokenizer, cancel);
        if (cancel.requested()) return std::optional<TokenSet>();
        if (group.empty()) break;
        for (size_t i = 0; i < group.size(); ++i) {
            set.add(options, tokens[i], !within, !group[i].continues);
            within = group[i].continues;
        }
        const int64_t bytes = mostTokenBytes(set.tokenCount(), end, options.contextTokens);
        if (options.mostBytes > 0 && bytes > options.mostBytes) return tooMany(options, texts);
        if (progress) progress(texts.bytesRead(), texts.totalBytes());
    }
    if (set.tokenCount() <= options.contextTokens) return tooFew(options, set.tokenCount());
    set.cut(options);
    return std::optional(std::move(set));
}

void TokenSet::add(const TokenSetOptions& options, const std::vector<int32_t>& text, bool begins, bool ends) {
    if (begins) ++m_texts;
    const bool begun = tokenCount() > 0 && token(tokenCount() - 1) == options.start; // as OPT's texts end
    if (begins && options.start >= 0 && !begun) push(options.start);
    for (const int32_t one : text) push(one);
    if (ends && options.separator >= 0) push(options.separator);
}

void TokenSet::push(int32_t token) {
    m_low.push_back(static_cast<uint16_t>(token));
    if (m_wide) m_high.push_back(static_cast<uint8_t>(token >> 16));
}

int32_t TokenSet::token(int64_t index) const {
    const auto at = static_cast<size_t>(index);
    return m_low[at] | (m_wide ? m_high[at] << 16 : 0);
}

/// What is left at the end becomes a last window that reaches back.
void TokenSet::cut(const TokenSetOptions& options) {
    const int64_t context = options.contextTokens;
    const int64_t predicted = tokenCount() - 1;
    const int64_t whole = predicted / context;
    const auto wanted =
        static_cast<int64_t>(std::llround(options.validationShare * static_cast<double>(whole)));
    const bool holds = options.validationShare > 0.0 && whole > 1;
    const int64_t held = holds ? std::clamp<int64_t>(wanted, 1, whole - 1) : 0;
    int64_t taken = 0;
    for (int64_t window = 0; window < whole; ++window) {
        const bool isHeld = taken < held && window == (2 * taken + 1) * whole / (2 * held);
        (isHeld ? m_heldOut : m_learned).push_back(window * context);
        taken += isHeld ? 1 : 0;
    }
    // One that reaches back into what is held out would learn it.
    const bool free = m_heldOut.empty() || m_heldOut.back() != (whole - 1) * context;
    if (predicted % context > 0 && free) m_learned.push_back(predicted - context);
    m_hash = hashOf(context);
}

std::string TokenSet::hashOf(int64_t context) const {
    Sha256 hash;
    std::array<int32_t, 4096> some{};
    for (int64_t begin = 0; begin < tokenCount(); begin += std::ssize(some)) {
        const int64_t count = std::min<int64_t>(std::ssize(some), tokenCount() - begin);
        for (int64_t i = 0; i < count; ++i) some[static_cast<size_t>(i)] = token(begin + i);
        hash.update(std::as_bytes(std::span(some).first(static_cast<size_t>(count))));
    }
    hash.update(" " + std::to_string(context) + " " + std::to_string(m_heldOut.size()));
    return hash.finish();
}

void TokenSet::copy(const std::vector<int64_t>& begins, int64_t index, std::span<int64_t> into) const {
    const int64_t begin = begins.at(static_cast<size_t>(index));
    TORCH_INTERNAL_ASSERT(begin + static_cast<int64_t>(into.size()) <= tokenCount());
    for (size_t i = 0; i < into.size(); ++i) into[i] = token(begin + static_cast<int64_t>(i));
}

int64_t TokenSet::heldBytes() const {
    return static_cast<int64_t>(m_low.size() * sizeof(uint16_t) + m_high.size() +
                                (m_learned.size() + m_heldOut.size()) * sizeof(int64_t));
}

} // namespace homebooth::core
