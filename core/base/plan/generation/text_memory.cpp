// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/generation/text_memory.h"

#include "core/base/config/byte_size.h"
#include "core/base/text/documents.h"
#include "core/base/text/token_rate.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace homebooth::core {
namespace {

constexpr int64_t kHardlyAnything = int64_t{64} << 20; // of RAM; not worth the time of measuring
constexpr double kMargin = 1.25;                       // over what a small part of the texts has

std::string rateText(double tokensPerByte) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.2f", tokensPerByte);
    return text.data();
}

} // namespace

int64_t mostTokenBytes(int64_t tokens, int64_t vocabulary, int64_t context) {
    constexpr int64_t kNarrow = 1 << 16;    // entries that two bytes tell apart
    constexpr int64_t kShareOfNodes = 12;   // of a deque, what its nodes and the heap take beside tokens
    constexpr int64_t kBytesOfAWindow = 48; // where it begins, in a list that grows, and in its epoch's order
    const int64_t bytes = tokens * (vocabulary > kNarrow ? 3 : 2);
    const int64_t windows = tokens / std::max<int64_t>(context, 1) + 1;
    return bytes + bytes / kShareOfNodes + windows * kBytesOfAWindow;
}

Result<TextMemory> textMemory(const TrainConfig& config, const ModelSource& model) {
    constexpr int64_t kTokensAround = 2;
    TextMemory memory;
    if (!model.language || config.data.textPath.empty()) return memory;
    HOMEBOOTH_ASSIGN(const Documents texts, Documents::open(config.data.textPath, config.data.textColumn));
    // Each entry of .jsonl and .json is a text, too, and has more quotes, braces and commas than those two.
    const int64_t most = texts.mostTextBytes() + kTokensAround * texts.fileCount();
    const auto bytesOf = [&](int64_t tokens) {
        return mostTokenBytes(tokens, model.language->config.vocabularySize, config.data.contextTokens);
    };
    memory.fileBytes = texts.totalBytes();
    memory.bytes = bytesOf(most);
    if (memory.bytes <= kHardlyAnything) return memory;
    const auto tokenizer = ByteLevelTokenizer::loadFolder(model.language->folder);
    if (!tokenizer) return memory; // a model without one can be planned
    HOMEBOOTH_ASSIGN(const double rate, tokensPerByte(texts, *tokenizer));
    const auto tokens = static_cast<int64_t>(rate * kMargin * static_cast<double>(memory.fileBytes));
    if (tokens >= most) return memory;
    memory.bytes = bytesOf(tokens);
    memory.tokensPerByte = rate;
    return memory;
}

PlanDecision aboutTexts(const TextMemory& texts) {
    const bool measured = texts.tokensPerByte > 0.0;
    std::string text("texts: ");
    text.append(measured ? "about " : "up to ")
        .append(byteSizeText(texts.bytes))
        .append(" in RAM, as tokens, for ");
    text.append(byteSizeText(texts.fileBytes)).append(" of files: ");
    if (measured)
        text.append("the beginnings of some have ")
            .append(rateText(texts.tokensPerByte))
            .append(" tokens a byte, and a quarter more is counted; the run plans with what they take");
    else
        text += "no token stands for less than a byte; usual texts take a third of that, which the run plans "
                "with";
    PlanDecision told{std::move(text),
                      kTextsInRam,
                      {{"textBytes", static_cast<double>(texts.bytes)},
                       {"fileBytes", static_cast<double>(texts.fileBytes)}}};
    if (measured) told.facts["tokensPerByte"] = texts.tokensPerByte;
    return told;
}

PlanDecision aboutReadTexts(int64_t bytes) {
    return {"texts: " + byteSizeText(bytes) + " in RAM, as tokens",
            kTextsInRam,
            {{"textBytes", static_cast<double>(bytes)}}};
}

std::string fewerTexts(int64_t textBytes, int64_t lackingBytes) {
    constexpr int64_t kLeastPart = 20; // a twentieth
    if (textBytes <= 0 || textBytes < lackingBytes / kLeastPart) return "";
    return "take fewer texts (the tokens of --text count for " + byteSizeText(textBytes) + " of it), or ";
}

} // namespace homebooth::core
