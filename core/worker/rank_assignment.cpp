// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/worker/rank_assignment.h"

#include "core/base/config/train_config_json.h"

#include <nlohmann/json.hpp>

namespace homebooth::core {
namespace {

using Json = nlohmann::json;

std::string textOf(const RankAssignment& assignment) {
    const Json json{{"run", assignment.runDir}, {"config", toJson(assignment.config)}};
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace

Result<RankAssignment> shareAssignment(const Ranks& ranks, const RankAssignment& own) {
    const std::string text = ranks.texts(ranks.isFirst() ? textOf(own) : "").front();
    const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object() || !json.contains("config"))
        return badInput("expected the first process to say what is trained, found something else; start the "
                        "same version everywhere");
    RankAssignment assignment;
    assignment.runDir = json.value("run", "");
    HOMEBOOTH_CHECK(readJson(json.value("config", ""), assignment.config));
    return assignment;
}

} // namespace homebooth::core
