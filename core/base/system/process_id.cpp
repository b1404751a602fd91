// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/system/process_id.h"

#include <fstream>
#include <sstream>
#include <string>

namespace homebooth::core {

int64_t processStartTicks(int64_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string line;
    if (!std::getline(file, line)) return 0;
    // The second field is the program's name in brackets and may hold spaces and brackets itself.
    const size_t nameEnd = line.rfind(')');
    if (nameEnd == std::string::npos) return 0;
    std::istringstream fields(line.substr(nameEnd + 1));
    constexpr int kStartTimeField = 20; // the 22nd of the line
    std::string field;
    fields >> field;
    if (field == "Z" || field == "X") return 0; // ended; its parent has not taken note yet
    for (int index = 1; index < kStartTimeField; ++index) fields >> field;
    try {
        return std::stoll(field);
    } catch (const std::exception&) {
        return 0;
    }
}

} // namespace homebooth::core
