// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/worker/text_watch.h"

#include "core/base/files/atomic_file.h"
#include "core/base/util/terminal_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <unistd.h>
#include <utility>

namespace homebooth::core {

TextWatch::TextWatch(const GenerateConfig& config, std::string output, bool json)
    : m_config(config)
    , m_output(std::move(output))
    , m_json(json)
    , m_toFile(m_output != "-")
    , m_progress(::isatty(STDERR_FILENO) != 0, 0)
    , m_showsProgress(m_toFile && ::isatty(STDERR_FILENO) != 0) {}

TextWatch::~TextWatch() {
    if (m_toFile && m_file != nullptr) std::fclose(m_file);
}

Result<void> TextWatch::open() {
    m_file = m_toFile ? std::fopen(m_output.c_str(), "wxe") : stdout; // x: nothing is replaced
    if (m_file != nullptr) return {};
    if (errno == EEXIST)
        return badInput("expected a file for the text that does not exist yet; choose another --output",
                        m_output);
    return systemError("write the text", m_output, errno);
}

void TextWatch::take(const Event& event) {
    if (const auto* text = std::get_if<TextEvent>(&event)) return takeText(*text);
    const auto* warning = std::get_if<WarningEvent>(&event);
    if (m_showsProgress)
        m_progress.show(event);
    else if (warning != nullptr) // standard output is the text's
        std::fprintf(stderr, "warning: %s\n", terminalLine(warning->message).c_str());
}

void TextWatch::takeText(const TextEvent& event) {
    if (event.index < 0 || event.index >= m_config.count) return;
    const auto index = static_cast<size_t>(event.index);
    if (index >= m_texts.size()) m_texts.resize(index + 1);
    Text& text = m_texts[index];
    text.waiting += event.text;
    text.endedBy = event.endedBy;
    text.tokens = event.tokens;
    text.seconds = event.seconds;
    if (!m_json) printDue();
    if (m_showsProgress) showProgress();
}

void TextWatch::printDue() {
    while (m_turn < m_texts.size()) {
        Text& text = m_texts[m_turn];
        print(std::exchange(text.waiting, {}));
        if (text.endedBy.empty()) return;
        if (!m_lineEnded) print("\n");
        if (++m_turn < static_cast<size_t>(m_config.count) && text.endedBy != "cancelled") print("\n");
    }
}

void TextWatch::print(std::string text) {
    if (text.empty() || m_failed) return;
    m_lineEnded = text.back() == '\n';
    m_printed = true;
    if (!m_toFile && ::isatty(STDOUT_FILENO) != 0) text = terminalText(text); // it may be meant for that
    if (std::fwrite(text.data(), 1, text.size(), m_file) == text.size() && std::fflush(m_file) == 0) return;
    m_failed = errno;
    if (!m_ended) ::raise(SIGTERM); // nobody reads what the worker would go on with
}

void TextWatch::showProgress() {
    StateEvent state{"writing", "", 0, m_config.count * m_config.tokens};
    size_t ended = 0;
    for (const Text& text : m_texts) {
        state.done += text.endedBy.empty() ? text.tokens : m_config.tokens;
        if (!text.endedBy.empty()) ++ended;
    }
    const auto count = static_cast<size_t>(m_config.count);
    state.detail = "text " + std::to_string(std::min(ended + 1, count)) + " of " + std::to_string(count);
    m_progress.show(state);
}

void TextWatch::stopping(StopRequest request) {
    if (m_failed) return;
    m_progress.finish();
    if (request == StopRequest::Gently)
        std::fprintf(stderr, "stopping; press Ctrl-C again to stop at once\n");
    else
        std::fprintf(stderr, "stopping at once\n");
}

std::string TextWatch::object() const {
    nlohmann::ordered_json all{{"texts", nlohmann::ordered_json::array()},
                               {"seeds", nlohmann::ordered_json::array()},
                               {"tokens", nlohmann::ordered_json::array()},
                               {"endedBy", nlohmann::ordered_json::array()}};
    int64_t tokens = 0;
    double seconds = 0.0;
    for (size_t index = 0; index < m_texts.size(); ++index) {
        const Text& text = m_texts[index];
        all["texts"].push_back(text.waiting);
        all["seeds"].push_back(m_config.seed + index);
        all["tokens"].push_back(text.tokens);
        all["endedBy"].push_back(text.endedBy);
        tokens += text.tokens;
        seconds = std::max(seconds, text.seconds);
    }
    all["seconds"] = seconds;
    all["tokensPerSecond"] = seconds > 0.0 ? static_cast<double>(tokens) / seconds : 0.0;
    return all.dump(2) + "\n";
}

Result<void> TextWatch::end() {
    m_ended = true;
    m_progress.finish();
    if (m_json && !m_texts.empty())
        print(object());
    else if (!m_json && !m_lineEnded)
        print("\n"); // of a worker that was killed in the middle
    if (m_toFile) {
        if (std::fclose(std::exchange(m_file, nullptr)) != 0 && !m_failed) m_failed = errno;
        if (!m_printed) ::unlink(m_output.c_str());
    }
    if (m_failed) return systemError("write the text", m_toFile ? m_output : "standard output", *m_failed);
    return {};
}

} // namespace homebooth::core
