// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/data/missing_captions.h"

namespace homebooth::core {

void MissingCaptions::add(const std::string& name) {
    constexpr size_t kMostNamesShown = 5;
    if (m_broken.mayLeaveOut()) m_broken.add(name, "it has no caption");
    if (++m_count <= kMostNamesShown) m_names += (m_names.empty() ? "" : ", ") + name;
}

Result<void> MissingCaptions::settle(const std::string& advice, const std::string& folder,
                                     bool someHaveOne) const {
    if (m_count == 0 || (someHaveOne && m_broken.mayLeaveOut())) return {};
    return badInput("reading captions: " + std::to_string(m_count) +
                        (m_count == 1 ? " picture has" : " pictures have") + " no caption: " + m_names +
                        "; " + advice,
                    folder);
}

} // namespace homebooth::core
