// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/left_aside.h"

#include "core/base/formats/file_kind.h"
#include "core/base/model/model_source.h"
#include "core/base/pickle/open_tensor_file.h"
#include "core/base/pickle/torch_reader.h"
#include "core/base/util/terminal_text.h"

#include <algorithm>
#include <array>

namespace homebooth::core {

namespace fs = std::filesystem;

namespace {

constexpr int kMostHops = 4; // from one model's folder to another one's
constexpr size_t kMostNamed = 12;

/// @param folder, path  without links
bool isWithin(const fs::path& folder, const fs::path& path) {
    return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

/// Where the Hugging Face cache keeps what the links of a snapshot lead to; empty: it is none.
/// @param folder  without links: ".../models--a--b/snapshots/0123abc"
fs::path blobsOf(const fs::path& folder) {
    for (fs::path at = folder; at.has_relative_path(); at = at.parent_path())
        if (at.parent_path().filename() == "snapshots") return at.parent_path().parent_path() / "blobs";
    return {};
}

/// Those that its model_index.json comes from, as in a run that keeps the model of a saved moment: links
/// there lead right to the files. Empty: none.
fs::path blobsOfIndex(const fs::path& folder) {
    std::error_code code;
    const fs::path blobs = fs::canonical(folder / "model_index.json", code).parent_path();
    const bool cached =
        blobs.filename() == "blobs" && fs::is_directory(blobs.parent_path() / "snapshots", code);
    return cached ? blobs : fs::path();
}

/// Whether a link that is itself the file, and no folder around it, leads to one of those.
bool isBlobOfIndex(const fs::path& root, const fs::path& place, const fs::path& file) {
    std::error_code code;
    const fs::path around = (root / place).parent_path();
    return file.parent_path() == blobsOfIndex(root) && fs::canonical(around, code) == around;
}

/// The folder in which a link on the way to a file expects that under the same place; empty: there is none.
fs::path linkedFolder(const fs::path& folder, const fs::path& place) {
    fs::path within; // up to the link
    for (const fs::path& part : place) {
        within /= part;
        std::error_code code;
        const fs::path target = fs::read_symlink(folder / within, code);
        if (code) continue;
        fs::path other = (folder / within).parent_path() / target;
        for (fs::path left = within; !left.empty(); left = left.parent_path()) {
            if (other.filename() != left.filename()) return {};
            other = other.parent_path();
        }
        return other;
    }
    return {};
}

bool liesIn(const fs::path& folder, const fs::path& place, int hops) {
    std::error_code code;
    const fs::path root = fs::canonical(folder, code);
    const fs::path file = code ? fs::path() : fs::canonical(folder / place, code);
    if (code) return false;
    const fs::path blobs = blobsOf(root);
    if (isWithin(root, file) || (!blobs.empty() && isWithin(blobs, file))) return true;
    if (isBlobOfIndex(root, place, file)) return true;
    const fs::path other = linkedFolder(root, place);
    if (other.empty() || hops == 0 || !fs::is_regular_file(other / "model_index.json", code)) return false;
    return liesIn(other, place, hops - 1);
}

/// By their names: programs that take them run what is in them, whatever it is.
bool isNamedPickle(const fs::path& file) {
    constexpr std::array kEndings{".bin", ".ckpt", ".pt", ".pth", ".pkl", ".pickle"};
    return std::find(kEndings.begin(), kEndings.end(), file.extension()) != kEndings.end();
}

/// Why a file may be no more than weights to the programs that would open it.
std::optional<std::string> pickleFault(const fs::path& file) {
    const auto kind = detectFileKind(file.string());
    if (!kind) return std::nullopt; // whoever keeps it says why
    const bool pickle = *kind == FileKind::PickleZip || *kind == FileKind::PickleLegacy;
    if (!pickle && !isNamedPickle(file)) return std::nullopt;
    const auto opened = openTensorFile(file.string());
    if (opened) return std::nullopt;
    const bool commands = opened.error().message.find(kCommandWords) != std::string::npos;
    return commands ? "it " + std::string(kCommandWords) : std::string("it cannot be read as weights");
}

} // namespace

bool isPlainName(const std::string& name) {
    return terminalName(name) == name;
}

bool liesInModel(const fs::path& folder, const fs::path& place) {
    return liesIn(folder, place, kMostHops);
}

std::optional<std::string> whyLeftAside(const fs::path& folder, const fs::path& place) {
    if (!isPlainName(place.string())) return "its name has characters that are none of a name";
    if (!liesInModel(folder, place)) return "a link leads out of the model's folder";
    return pickleFault(folder / place);
}

std::optional<std::string> leftAsideText(const ModelSource& model) {
    return leftAsideText(model.language ? model.language->leftAside : model.leftAside);
}

std::optional<std::string> leftAsideText(const LeftAside& leftAside) {
    if (leftAside.empty()) return std::nullopt;
    std::string text = "not taken along into the saved model: ";
    size_t named = 0;
    for (const auto& [place, why] : leftAside) {
        if (named == kMostNamed) break;
        if (named++ > 0) text += ", ";
        text += terminalName(place) + " (" + why + ")";
    }
    if (leftAside.size() > named) text += ", and " + std::to_string(leftAside.size() - named) + " more";
    return text + "; where it belongs to the model, put the file itself there, weights as .safetensors";
}

} // namespace homebooth::core
