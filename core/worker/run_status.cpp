// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/worker/run_status.h"

#include <nlohmann/json.hpp>

namespace homebooth::core {

void RunStatus::emit(const Event& event) {
    {
        const std::lock_guard lock(m_mutex);
        if (const auto* state = std::get_if<StateEvent>(&event)) m_state = *state;
        if (const auto* step = std::get_if<StepEvent>(&event)) {
            m_step = *step;
            if (m_state.state == "training") m_state.done = step->step;
        }
    }
    m_next.emit(event);
}

bool RunStatus::waitsForRoom() const {
    const std::lock_guard lock(m_mutex);
    return m_state.state == kWaitsForRoom;
}

std::string RunStatus::toJson(bool paused) const {
    const std::lock_guard lock(m_mutex);
    const nlohmann::ordered_json json{{"state", m_state.state}, {"detail", m_state.detail},
                                      {"done", m_state.done},   {"total", m_state.total},
                                      {"step", m_step.step},    {"loss", m_step.loss},
                                      {"paused", paused}};
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace homebooth::core
