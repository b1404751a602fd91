// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/model_hash.h"

#include "core/base/files/atomic_file.h"
#include "core/base/files/file_reader.h"
#include "core/base/files/plain_path.h"
#include "core/base/formats/file_kind.h"
#include "core/base/formats/safetensors_reader.h"
#include "core/base/model/language/language_folder.h"

#include <algorithm>
#include <array>

namespace homebooth::core {

namespace fs = std::filesystem;

namespace {

struct HashedFile {
    std::string name; ///< relative to the model
    fs::path path;
    int64_t bytes = 0;
};

/// Only what changes the pictures: a note beside the model, or its safety checker, is not its identity.
constexpr std::array kHashedParts{"unet",      "vae",         "text_encoder", "text_encoder_2",
                                  "tokenizer", "tokenizer_2", "scheduler",    "model_index.json"};

Result<void> addFile(const fs::path& folder, const fs::path& path, std::vector<HashedFile>& files) {
    std::error_code code;
    const auto bytes = fs::file_size(path, code);
    if (code) return systemError("examine", path.string(), code.value());
    files.push_back({path.lexically_relative(folder).string(), path, static_cast<int64_t>(bytes)});
    return {};
}

/// All below a root, which may be a link: parts of a model are often another one's. Below it links to files
/// are followed, those to folders are not: they may lead in a circle.
Result<void> addBelow(const fs::path& folder, const fs::path& root, std::vector<HashedFile>& files) {
    std::error_code code;
    fs::recursive_directory_iterator it(root, code);
    for (const fs::recursive_directory_iterator end; !code && it != end; it.increment(code)) {
        std::error_code status;
        if (it->is_regular_file(status)) HOMEBOOTH_CHECK(addFile(folder, it->path(), files));
    }
    return code ? systemError("list", root.string(), code.value()) : Result<void>();
}

Result<std::vector<HashedFile>> filesOf(const fs::path& folder) {
    std::error_code code;
    std::vector<fs::path> roots;
    if (fs::exists(folder / "unet", code)) {
        for (const char* part : kHashedParts) roots.push_back(folder / part);
    } else if (isLanguageFolder(folder.string())) {
        HOMEBOOTH_ASSIGN(const auto names, languageFiles(folder.string()));
        for (const std::string& name : names) roots.push_back(folder / name);
    } else {
        roots.push_back(folder);
    }
    std::vector<HashedFile> files;
    for (const fs::path& root : roots) {
        if (fs::is_directory(root, code)) HOMEBOOTH_CHECK(addBelow(folder, root, files));
        if (fs::is_regular_file(root, code)) HOMEBOOTH_CHECK(addFile(folder, root, files));
    }
    std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return files;
}

constexpr int64_t kBlockBytes = int64_t{1} << 20;

/// Of a file whose tensors, one behind the other, are all but its header.
Result<std::optional<std::string>> tensorHash(const TensorReader& tensors, const ProgressCallback& progress,
                                              const CancelToken& cancel, NumberTrouble& trouble) {
    HOMEBOOTH_ASSIGN(const FileReader file, FileReader::open(tensors.path()));
    const int64_t total = tensors.fileBytes();
    int64_t done = total;
    for (const TensorInfo& info : tensors.tensors()) done -= info.byteCount;
    Sha256 hash;
    HOMEBOOTH_ASSIGN(const std::string header, file.read(0, done));
    hash.update(std::string_view(header));
    ZeroRun zeros;
    std::vector<std::byte> block(static_cast<size_t>(kBlockBytes));
    for (const TensorInfo& info : tensors.tensors()) {
        for (int64_t left = info.byteCount; left > 0; left -= std::min(left, kBlockBytes)) {
            if (cancel.requested()) return std::optional<std::string>();
            const auto part = std::span(block).first(static_cast<size_t>(std::min(left, kBlockBytes)));
            HOMEBOOTH_CHECK(file.readInto(done, part));
            hash.update(part);
            zeros.add(part);
            trouble.notFinite = trouble.notFinite || !allFinite(part, info.type);
            done += std::ssize(part);
            if (progress) progress(done, total);
        }
        zeros.endTensor(info);
    }
    trouble.zeros = trouble.zeros || !zeros.end().empty();
    return std::optional<std::string>(hash.finish());
}

Result<std::optional<std::string>> fileHash(const std::string& path, const ProgressCallback& progress,
                                            const CancelToken& cancel, NumberTrouble* trouble) {
    if (trouble != nullptr)
        if (const auto tensors = SafetensorsReader::open(path))
            return tensorHash(**tensors, progress, cancel, *trouble);
    return sha256File(path, progress, cancel);
}

Result<std::optional<std::string>> folderHash(const std::string& path, const ProgressCallback& progress,
                                              const CancelToken& cancel, NumberTrouble* trouble) {
    HOMEBOOTH_ASSIGN(const auto files, filesOf(path));
    int64_t total = 0;
    for (const HashedFile& file : files) total += file.bytes;
    int64_t before = 0;
    Sha256 hash;
    for (const HashedFile& file : files) {
        const auto step = [&](int64_t done, int64_t) {
            if (progress) progress(before + done, total);
        };
        HOMEBOOTH_ASSIGN(const auto digest, fileHash(file.path.string(), step, cancel, trouble));
        if (!digest) return std::optional<std::string>();
        hash.update(*digest + "  " + file.name + "\n");
        before += file.bytes;
    }
    return std::optional<std::string>(hash.finish());
}

constexpr int64_t kHeadBytes = 4096; // these tell the kind of a file

/// Where the tensors of a .safetensors file begin; 0 of other files.
Result<int64_t> hashedFrom(const FileReader& file) {
    constexpr size_t kLengthBytes = 8;
    const int64_t bytes = file.identity().bytes;
    HOMEBOOTH_ASSIGN(const std::string head, file.read(0, kHeadBytes));
    if (fileKindOf(head, bytes) != FileKind::Safetensors) return int64_t{0};
    uint64_t length = 0;
    for (size_t i = 0; i < kLengthBytes; ++i)
        length |= static_cast<uint64_t>(static_cast<unsigned char>(head[i])) << (8 * i);
    if (length > static_cast<uint64_t>(bytes) - kLengthBytes)
        return badInput("reading the LoRA for its hash: expected a header within its " +
                            std::to_string(bytes) + " bytes, found one of " + std::to_string(length) +
                            "; it is damaged or cut off, copy or download it again",
                        file.path().string());
    return static_cast<int64_t>(kLengthBytes + length);
}

} // namespace

Result<std::optional<std::string>> modelHash(const std::string& path, const ProgressCallback& progress,
                                             const CancelToken& cancel, NumberTrouble* trouble) {
    std::error_code code;
    if (fs::is_directory(path, code)) return folderHash(path, progress, cancel, trouble);
    return fileHash(path, progress, cancel, trouble);
}

Result<std::vector<fs::path>> hashedFiles(const std::string& path) {
    std::error_code code;
    if (!fs::is_directory(path, code)) return std::vector<fs::path>{path};
    HOMEBOOTH_ASSIGN(const auto files, filesOf(path));
    std::vector<fs::path> paths;
    for (const HashedFile& file : files) paths.push_back(file.path);
    return paths;
}

std::string shortHash(const std::string& hash) {
    constexpr size_t kShown = 10;
    return hash.substr(0, kShown);
}

Result<std::string> loraHash(const std::string& path, const CancelToken& cancel) {
    constexpr size_t kDigits = 12;
    HOMEBOOTH_ASSIGN(const FileReader file, FileReader::open(path));
    HOMEBOOTH_ASSIGN(int64_t offset, hashedFrom(file));
    Sha256 hash;
    while (!cancel.requested()) {
        HOMEBOOTH_ASSIGN(const std::string block, file.read(offset, kBlockBytes));
        if (block.empty()) break;
        hash.update(std::string_view(block));
        offset += std::ssize(block);
    }
    return hash.finish().substr(0, kDigits);
}

Result<std::string> loraHashSaid(const std::string& path) {
    HOMEBOOTH_ASSIGN(const auto file, SafetensorsReader::open(path));
    const auto said = file->metadata().find("sshs_model_hash");
    return said == file->metadata().end() ? std::string() : said->second;
}

std::string modelName(const std::string& path) {
    std::error_code ignored;
    fs::path model = plainPath(fs::absolute(path, ignored));
    if (!model.has_filename()) model = model.parent_path(); // a slash ends it
    const std::string name = (fs::is_directory(model, ignored) ? model.filename() : model.stem()).string();
    const fs::path folder = model.parent_path();
    const bool isResult = folder.filename() == "result" && (name == "model" || name == "lora");
    const std::string run = folder.parent_path().filename().string();
    return isResult && !run.empty() ? run : name;
}

} // namespace homebooth::core
