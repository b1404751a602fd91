// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/writing/text_generation.h"

#include "core/engine/learning/step_random.h"
#include "core/engine/memory/cancel_watch.h"
#include "core/engine/writing/text_tail.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace homebooth::core {
namespace {

/// One text in the making.
struct Text {
    int64_t index;
    std::vector<int64_t> ids; // with those of the prompt
    TextTail tail;
    int64_t written = 0;
};

class Writer {
public:
    Writer(LanguageModel& model, const ByteLevelTokenizer& tokenizer, const TextRequest& request,
           const TextListener& listener, const CancelToken& cancel)
        : m_model(model)
        , m_tokenizer(tokenizer)
        , m_request(request)
        , m_listener(listener)
        , m_cancel(cancel) {}

    Result<bool> run() {
        const CancelWatch watch({&m_model.component().executor()}, m_cancel); // reading a prompt takes long
        try {
            HOMEBOOTH_CHECK(writeAll());
            return true;
        } catch (const Cancelled&) {
            for (Text& text : m_texts) tell(text, text.tail.flush(), "cancelled");
            return false;
        }
    }

private:
    Result<void> writeAll() {
        const int64_t prompt = std::ssize(m_request.prompt);
        const int64_t atATime = std::clamp<int64_t>(m_request.textsAtATime, 1, m_request.count);
        m_model.makeRoom(atATime, std::min(prompt + m_request.tokens, m_model.config().maxPositions));
        const at::Tensor first = m_model.next(at::tensor(m_request.prompt, at::kLong).unsqueeze(0));
        m_start = std::chrono::steady_clock::now();
        for (int64_t index = 0; index < m_request.count; index += atATime) {
            begin(index, std::min(atATime, m_request.count - index));
            HOMEBOOTH_CHECK(finishAll(first.expand({m_model.texts(), -1})));
        }
        return {};
    }

    void begin(int64_t index, int64_t count) {
        m_model.shorten(std::ssize(m_request.prompt));
        m_model.repeat(count);
        m_texts.clear();
        for (int64_t text = 0; text < count; ++text)
            m_texts.push_back({index + text, m_request.prompt, TextTail(m_request.stop)});
    }

    /// @param logits  of what follows the prompt, [texts, V]
    Result<void> finishAll(at::Tensor logits) {
        while (true) {
            if (m_cancel.requested()) throw Cancelled{};
            HOMEBOOTH_CHECK(goOn(logits));
            if (m_texts.empty()) return {};
            std::vector<int64_t> ids;
            for (const Text& text : m_texts) ids.push_back(text.ids.back());
            logits = m_model.next(at::tensor(ids, at::kLong).unsqueeze(1));
        }
    }

    /// A token for each text. From the last one on, since the last one takes the place of one that ends.
    Result<void> goOn(const at::Tensor& logits) {
        for (int64_t place = std::ssize(m_texts) - 1; place >= 0; --place) {
            Text& text = m_texts[static_cast<size_t>(place)];
            HOMEBOOTH_ASSIGN(const bool ended, take(text, logits.select(0, place)));
            if (!ended) continue;
            m_model.drop(place);
            if (&text != &m_texts.back()) text = std::move(m_texts.back());
            m_texts.pop_back();
        }
        return {};
    }

    /// @returns  whether the text has ended
    Result<bool> take(Text& text, const at::Tensor& logits) {
        const auto seed = m_request.seed + static_cast<uint64_t>(text.index);
        const auto step = static_cast<uint64_t>(text.written);
        const int64_t id =
            chooseToken({logits.const_data_ptr<float>(), static_cast<size_t>(logits.numel())}, text.ids,
                        m_request.choice, unitInterval(mixedSeed(seed, DrawPurpose::Token, step)));
        if (id < 0)
            return badInput("writing: expected finite numbers from the model, found NaN or infinity; choose "
                            "--precision fp32 or bf16, or take another copy of the model");
        const std::vector<int64_t>& ends = m_request.endTokens;
        if (std::find(ends.begin(), ends.end(), id) != ends.end()) {
            tell(text, text.tail.flush(), "end-token");
            return true;
        }
        text.ids.push_back(id);
        ++text.written;
        std::string shown = text.tail.add(m_tokenizer.bytesOf(static_cast<int32_t>(id)));
        const std::string end = endOf(text);
        if (!end.empty() && !text.tail.stopped()) shown += text.tail.flush();
        if (!shown.empty() || !end.empty()) tell(text, std::move(shown), end);
        return !end.empty();
    }

    [[nodiscard]] std::string endOf(const Text& text) const {
        if (text.tail.stopped()) return "stop";
        if (text.written >= m_request.tokens) return "tokens";
        return std::ssize(text.ids) >= m_model.config().maxPositions ? "context-full" : "";
    }

    void tell(const Text& text, std::string shown, const std::string& end) const {
        const std::chrono::duration<double> since = std::chrono::steady_clock::now() - m_start;
        m_listener({text.index, std::move(shown), end, text.written, since.count()});
    }

    LanguageModel& m_model;
    const ByteLevelTokenizer& m_tokenizer;
    const TextRequest& m_request;
    const TextListener& m_listener;
    const CancelToken& m_cancel;
    std::vector<Text> m_texts; // as the model has them
    std::chrono::steady_clock::time_point m_start;
};

} // namespace

Result<std::vector<int64_t>> promptTokens(const std::string& prompt, const ByteLevelTokenizer& tokenizer,
                                          const LanguageConfig& model) {
    const std::vector<int32_t> words = tokenizer.encode(prompt);
    std::vector<int64_t> ids;
    if (tokenizer.startToken() >= 0) ids.push_back(tokenizer.startToken());
    ids.insert(ids.end(), words.begin(), words.end());
    const int64_t own = model.bosTokenId >= 0 ? model.bosTokenId : model.eosTokenId;
    const int64_t begins = own >= 0 ? own : tokenizer.endToken();
    if (ids.empty() && begins >= 0) ids.push_back(begins);
    if (ids.empty())
        return badInput("writing: expected a prompt, found none, and this model has no token that begins "
                        "texts; give --prompt");
    if (std::ssize(ids) >= model.maxPositions)
        return badInput("writing: expected a prompt of " + std::to_string(model.maxPositions - 1) +
                        " tokens at most, found " + std::to_string(ids.size()) + "; shorten it");
    const int64_t greatest = *std::max_element(ids.begin(), ids.end());
    if (greatest >= model.vocabularySize)
        return badInput("writing: expected tokens below " + std::to_string(model.vocabularySize) +
                        ", the model's vocabulary, found " + std::to_string(greatest) +
                        "; the tokenizer belongs to another model, copy the files of one");
    return ids;
}

Result<bool> writeTexts(LanguageModel& model, const ByteLevelTokenizer& tokenizer, const TextRequest& request,
                        const TextListener& listener, const CancelToken& cancel) {
    return Writer(model, tokenizer, request, listener, cancel).run();
}

} // namespace homebooth::core
