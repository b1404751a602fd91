// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/train/left_out.h"

#include "core/base/files/atomic_file.h"
#include "core/base/util/regular_file.h"

#include <filesystem>
#include <sstream>
#include <utility>

namespace homebooth::core {

void LeftOut::take(const WarningEvent& warning) {
    if (auto line = leftOutLine(warning)) m_lines.insert(std::move(*line));
}

Result<size_t> LeftOut::write(const RunFolder& run) const {
    if (m_lines.empty()) return size_t{0};
    constexpr int64_t kLargest = int64_t{256} << 20;
    const std::string file = run.path() + "/" + kLeftOutName;
    std::set<std::string> lines = m_lines;
    std::error_code code;
    if (std::filesystem::exists(file, code)) {
        HOMEBOOTH_ASSIGN(const std::string before, readRegularFile(file, kLargest));
        std::istringstream stream(before);
        for (std::string line; std::getline(stream, line);) lines.insert(std::move(line));
    }
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    HOMEBOOTH_CHECK(writeFileAtomically(file, text));
    return m_lines.size();
}

} // namespace homebooth::core
