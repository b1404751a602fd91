// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/text_memory.h"

#include "core/base/config/byte_size.h"
#include "core/base/text/documents.h"

#include <algorithm>

namespace homebooth::core {

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
    // A line of .jsonl is a text, too, and has more quotes and braces than those two.
    const int64_t tokens = texts.mostTextBytes() + kTokensAround * texts.fileCount();
    memory.fileBytes = texts.totalBytes();
    memory.bytes = mostTokenBytes(tokens, model.language->config.vocabularySize, config.data.contextTokens);
    return memory;
}

PlanDecision aboutTexts(const TextMemory& texts) {
    return {
        "texts: up to " + byteSizeText(texts.bytes) + " in RAM, as tokens, for " +
            byteSizeText(texts.fileBytes) +
            " of files: no token stands for less than a byte; usual texts take a third of that, which the "
            "run plans with",
        kTextsInRam,
        {{"textBytes", static_cast<double>(texts.bytes)},
         {"fileBytes", static_cast<double>(texts.fileBytes)}}};
}

PlanDecision aboutReadTexts(int64_t bytes) {
    return {"texts: " + byteSizeText(bytes) + " in RAM, as tokens",
            kTextsInRam,
            {{"textBytes", static_cast<double>(bytes)}}};
}

std::string fewerTexts(int64_t textBytes) {
    if (textBytes <= 0) return "";
    return "take fewer texts (the tokens of --text need up to " + byteSizeText(textBytes) + " of it), or ";
}

} // namespace homebooth::core
