// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/control/control_protocol.h"

#include "core/base/files/sha256.h"
#include "core/base/run/control/socket_folder.h"
#include "core/base/util/shallow_json.h"

#include <array>

namespace homebooth::core {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::array<const char*, 9> kVerbNames{"pause",     "resume", "stop",     "finish",   "saveNow",
                                                "sampleNow", "status", "generate", "elsewhere"};

/// What goes with a verb.
Result<ControlCommand> withDetails(ControlCommand command, const Json& json) {
    if (command.verb == ControlVerb::Generate) {
        if (!json.contains("request") || !json["request"].is_object())
            return badInput("expected a \"request\" object in the command generate");
        command.request = json["request"].dump(-1, ' ', false, Json::error_handler_t::replace);
    } else if (command.verb == ControlVerb::Elsewhere) {
        if (json.contains("folder") && json["folder"].is_string())
            command.folder = json["folder"].get<std::string>();
        if (!command.folder.starts_with('/') || command.folder.find('\0') != std::string::npos)
            return badInput("expected the absolute path of a \"folder\" in the command elsewhere");
    }
    command.battery = json.contains("battery") && json["battery"] == true;
    return command;
}

} // namespace

const char* controlVerbName(ControlVerb verb) {
    return kVerbNames.at(static_cast<size_t>(verb));
}

Result<ControlCommand> parseControlLine(std::string_view line) {
    const Json json = parseShallow(line);
    if (!json.is_object() || !json.contains("command") || !json["command"].is_string())
        return badInput("expected a line such as {\"command\":\"pause\"}, found something else");
    const auto word = json["command"].get<std::string>();
    for (size_t index = 0; index < kVerbNames.size(); ++index) {
        if (word != kVerbNames[index]) continue;
        ControlCommand command;
        command.verb = static_cast<ControlVerb>(index);
        return withDetails(std::move(command), json);
    }
    return badInput("unknown command \"" + word.substr(0, 40) +
                    "\"; expected pause, resume, stop, finish, saveNow, sampleNow, status or elsewhere");
}

std::string commandLine(const ControlCommand& command) {
    Json json;
    json["command"] = controlVerbName(command.verb);
    if (!command.request.empty()) json["request"] = parseShallow(command.request);
    if (!command.folder.empty()) json["folder"] = command.folder;
    if (command.battery) json["battery"] = true;
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string replyLine(const ControlReply& reply) {
    Json json;
    json["ok"] = reply.ok;
    json["message"] = reply.message;
    if (!reply.detail.empty()) {
        Json detail = parseShallow(reply.detail);
        if (!detail.is_discarded()) json["detail"] = std::move(detail);
    }
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<ControlReply> parseReply(std::string_view line) {
    const Json json = parseShallow(line);
    if (!json.is_object() || !json.contains("ok") || !json["ok"].is_boolean())
        return badInput("the worker's answer could not be understood");
    ControlReply reply;
    reply.ok = json["ok"].get<bool>();
    if (json.contains("message") && json["message"].is_string())
        reply.message = json["message"].get<std::string>();
    if (json.contains("detail"))
        reply.detail = json["detail"].dump(-1, ' ', false, Json::error_handler_t::replace);
    return reply;
}

Result<std::string> controlSocketPath(const std::string& identity) {
    constexpr size_t kNameDigits = 16;
    const std::string name = "/" + sha256Text(identity).substr(0, kNameDigits) + ".sock";
    HOMEBOOTH_ASSIGN(const std::string folder, socketFolder(name.size()));
    return folder + name;
}

} // namespace homebooth::core
