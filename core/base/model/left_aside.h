// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What lies in a model's folder and is not taken along into what is saved, since whoever made that folder may
// mean harm by it: a link would publish a file of the user's, a pickle would run in the programs of others.
// Private to core/base/model but for its code. Stateless; any thread.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace homebooth::core {

struct ModelSource;

/// The code of a warning that has leftAsideText in words.
constexpr const char* kLeftAside = "not-taken-along";

/// By their places in a model's folder, why they are not taken along, in words.
using LeftAside = std::map<std::string, std::string>;

/// Whether a name may become that of a file: without control characters, marks that turn the direction of
/// writing, and bytes that are not UTF-8.
[[nodiscard]] bool isPlainName(const std::string& name);

/// Whether a file lies in a model's folder, links followed. Where the folder is one of the Hugging Face
/// cache, its repository's blobs count as lying in it; so does the file of that place in the folder of
/// another model, as in those that are made of a saved moment and a model.
/// @param place  in the folder: "LICENSE.md"
[[nodiscard]] bool liesInModel(const std::filesystem::path& folder, const std::filesystem::path& place);

/// Why a file is not taken along; nothing for one that is, or cannot be opened. @param place  likewise
[[nodiscard]] std::optional<std::string> whyLeftAside(const std::filesystem::path& folder,
                                                      const std::filesystem::path& place);

/// What is not taken along, and what to do, in words; nothing where all is.
[[nodiscard]] std::optional<std::string> leftAsideText(const LeftAside& leftAside);
/// Likewise of an opened model, for whoever saves it.
[[nodiscard]] std::optional<std::string> leftAsideText(const ModelSource& model);

} // namespace homebooth::core
