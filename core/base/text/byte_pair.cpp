// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/byte_pair.h"

#include "core/base/text/unicode.h"

#include <queue>
#include <tuple>

namespace homebooth::core {
namespace {

constexpr int kNoSymbol = -1;

bool isPrintableByte(int byte) {
    return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

int64_t idOrNone(const VocabularyIds& ids, const std::string& entry) {
    auto found = ids.find(entry);
    return found == ids.end() ? kNoSymbol : found->second;
}

uint64_t pairKey(int64_t left, int64_t right) {
    return static_cast<uint64_t>(left) << 32 | static_cast<uint64_t>(right);
}

} // namespace

/// A link of the word's chain; `id` is kNoSymbol once it was merged into its left neighbour.
struct BytePairEncoder::Symbol {
    int64_t id;
    int previous;
    int next;
};

std::string byteSymbol(uint8_t byte) {
    // Bytes without a printable character of their own take U+0100 onwards, in order.
    char32_t codePoint = byte;
    if (!isPrintableByte(byte)) {
        codePoint = 0x100;
        for (int lower = 0; lower < byte; ++lower) codePoint += isPrintableByte(lower) ? 0 : 1;
    }
    std::string out;
    appendUtf8(out, codePoint);
    return out;
}

std::vector<std::string> byteSymbolsInOrder() {
    std::vector<std::string> out;
    for (bool printable : {true, false}) {
        for (int byte = 0; byte < 256; ++byte) {
            if (isPrintableByte(byte) == printable) out.push_back(byteSymbol(static_cast<uint8_t>(byte)));
        }
    }
    return out;
}

Result<BytePairEncoder>
BytePairEncoder::create(const VocabularyIds& ids,
                        const std::vector<std::pair<std::string, std::string>>& merges, int64_t unknownId,
                        std::string_view endOfWord) {
    BytePairEncoder encoder;
    encoder.m_unknownId = unknownId;
    for (int byte = 0; byte < 256; ++byte) {
        const std::string symbol = byteSymbol(static_cast<uint8_t>(byte));
        encoder.m_byteIds[static_cast<size_t>(byte)] = idOrNone(ids, symbol);
        encoder.m_lastByteIds[static_cast<size_t>(byte)] = idOrNone(ids, symbol + std::string(endOfWord));
    }
    int64_t rank = 0;
    for (const auto& [left, right] : merges) {
        const int64_t leftId = idOrNone(ids, left), rightId = idOrNone(ids, right);
        const int64_t id = idOrNone(ids, left + right);
        if (leftId == kNoSymbol || rightId == kNoSymbol || id == kNoSymbol) {
            return badInput("cannot use the merge list: expected every part and result in the vocabulary, "
                            "found merge " +
                            std::to_string(rank + 1) + " (" + left + " " + right +
                            ") missing there; take both files from the same model");
        }
        encoder.m_merges.insert_or_assign(pairKey(leftId, rightId), Merge{rank++, id});
    }
    return encoder;
}

const BytePairEncoder::Merge* BytePairEncoder::findMerge(int64_t left, int64_t right) const {
    auto found = m_merges.find(pairKey(left, right));
    return found == m_merges.end() ? nullptr : &found->second;
}

std::vector<BytePairEncoder::Symbol> BytePairEncoder::symbolsOf(std::string_view word) const {
    std::vector<Symbol> symbols;
    symbols.reserve(word.size());
    for (size_t i = 0; i < word.size(); ++i) {
        const auto byte = static_cast<uint8_t>(word[i]);
        int64_t id = i + 1 == word.size() ? m_lastByteIds[byte] : m_byteIds[byte];
        if (id == kNoSymbol) id = m_unknownId;
        if (id == kNoSymbol) continue;
        const int index = static_cast<int>(symbols.size());
        symbols.push_back({id, index - 1, index + 1});
    }
    if (!symbols.empty()) symbols.back().next = kNoSymbol;
    return symbols;
}

void BytePairEncoder::encodeWord(std::string_view word, std::vector<int64_t>& out) const {
    std::vector<Symbol> symbols = symbolsOf(word);
    // Candidates by rank, then from left to right; those whose symbols have changed since are passed over.
    using Candidate = std::tuple<int64_t, int, int64_t, int64_t>; // rank, position, left id, right id
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
    const auto offer = [&](int position) {
        if (position == kNoSymbol || symbols[static_cast<size_t>(position)].next == kNoSymbol) return;
        const Symbol& left = symbols[static_cast<size_t>(position)];
        const int64_t rightId = symbols[static_cast<size_t>(left.next)].id;
        if (const Merge* merge = findMerge(left.id, rightId)) {
            queue.emplace(merge->rank, position, left.id, rightId);
        }
    };
    for (size_t i = 0; i < symbols.size(); ++i) offer(static_cast<int>(i));
    while (!queue.empty()) {
        const auto [rank, position, leftId, rightId] = queue.top();
        queue.pop();
        Symbol& left = symbols[static_cast<size_t>(position)];
        if (left.id != leftId || left.next == kNoSymbol) continue;
        Symbol& right = symbols[static_cast<size_t>(left.next)];
        if (right.id != rightId) continue;
        left.id = findMerge(leftId, rightId)->id;
        right.id = kNoSymbol;
        left.next = right.next;
        if (left.next != kNoSymbol) symbols[static_cast<size_t>(left.next)].previous = position;
        offer(left.previous);
        offer(position);
    }
    for (int i = symbols.empty() ? kNoSymbol : 0; i != kNoSymbol; i = symbols[static_cast<size_t>(i)].next) {
        out.push_back(symbols[static_cast<size_t>(i)].id);
    }
}

} // namespace homebooth::core
