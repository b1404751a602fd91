// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a worker that writes texts says, on its way to a file or standard output: the texts one behind
// another, each as it is made, those that are ahead of their turn later; or all of them as one JSON object at
// the end. Owns the file. One thread.
#pragma once

#include "core/base/config/generate_config.h"
#include "core/base/run/journal/progress.h"
#include "core/base/util/result.h"
#include "core/cli/worker/worker_process.h"

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace homebooth::core {

class TextWatch {
public:
    /// @param config  borrowed. @param output  a file that does not exist yet; "-": standard output
    TextWatch(const GenerateConfig& config, std::string output, bool json);
    ~TextWatch();
    TextWatch(const TextWatch&) = delete;
    TextWatch& operator=(const TextWatch&) = delete;

    /// Makes the file. Errors: BadInput where it exists or cannot be made
    [[nodiscard]] Result<void> open();

    void take(const Event& event);
    void stopping(StopRequest request);
    /// Ends the last text or writes the object; removes a file that nothing was written to.
    /// Errors: where the output does not take what is written
    [[nodiscard]] Result<void> end();
    /// Whether anything was written.
    [[nodiscard]] bool printed() const { return m_printed; }

private:
    struct Text {
        std::string waiting; ///< not printed yet; as JSON, all of it
        std::string endedBy; ///< empty: it goes on
        int64_t tokens = 0;
        double seconds = 0.0;
    };

    void takeText(const TextEvent& event);
    void printDue();
    void print(std::string text);
    void showProgress();
    [[nodiscard]] std::string object() const;

    const GenerateConfig& m_config;
    std::string m_output;
    bool m_json;
    bool m_toFile;
    std::FILE* m_file = nullptr;
    std::optional<int> m_failed; // errno of the first write that did
    Progress m_progress;
    bool m_showsProgress;
    std::vector<Text> m_texts; // those that have begun
    size_t m_turn = 0;         // of the text that is printed as it is made
    bool m_lineEnded = true;   // of what was printed
    bool m_printed = false;
    bool m_ended = false;
};

} // namespace homebooth::core
