// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/model_tokenizer.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace homebooth::core {

namespace {

namespace fs = std::filesystem;

/// A private folder that goes with its owner.
class ScratchFolder {
public:
    ScratchFolder() {
        std::error_code error;
        std::string pattern = (fs::temp_directory_path(error) / "homebooth-XXXXXX").string();
        if (mkdtemp(pattern.data()) != nullptr) m_path = pattern;
    }
    ~ScratchFolder() {
        std::error_code ignored;
        if (!m_path.empty()) fs::remove_all(m_path, ignored);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    [[nodiscard]] const fs::path& path() const { return m_path; }

private:
    fs::path m_path;
};

/// Unpacks files that travelled inside a model file, because the tokenizer is read from a folder.
Result<ClipTokenizer> loadFiles(const ModelSource& model) {
    const ScratchFolder folder;
    for (const auto& [name, content] : model.tokenizerFiles) {
        const bool plain = fs::path(name).filename() == name && !name.empty() && name != "." && name != "..";
        if (!plain)
            return badInput("the model's tokenizer names a file '" + name +
                                "' outside its folder; use another copy of the model",
                            model.path);
        std::ofstream file(folder.path() / name, std::ios::binary);
        file.write(content.data(), static_cast<std::streamsize>(content.size()));
        file.close();
        if (!file)
            return Error{ErrorCode::OutOfResources,
                         "cannot unpack the model's tokenizer into the folder for temporary files (" +
                             std::string(std::strerror(errno)) + "); free some space or set TMPDIR",
                         folder.path().string()};
    }
    return ClipTokenizer::loadFolder(folder.path());
}

Result<ClipTokenizer> loadPublished(const ModelSource& model) {
    const fs::path file = publishedVocabularyPath();
    std::error_code ignored;
    if (!fs::exists(file, ignored))
        return badInput("the model brings no tokenizer, and CLIP's published vocabulary was not found at '" +
                            file.string() +
                            "'; run the set-up again or set HOMEBOOTH_VOCABULARY to "
                            "bpe_simple_vocab_16e6.txt.gz",
                        model.path);
    HOMEBOOTH_ASSIGN(ClipTokenizer tokenizer, ClipTokenizer::loadPublished(file));
    if (usesOpenClipNames(model.textEncoder)) tokenizer.setPadToken(0);
    return tokenizer;
}

} // namespace

fs::path publishedVocabularyPath() {
    const char* set = std::getenv("HOMEBOOTH_VOCABULARY");
    if (set != nullptr && *set != '\0') return set;
    return fs::path(HOMEBOOTH_DEPS_DIR) / "vocabulary/open_clip/bpe_simple_vocab_16e6.txt.gz";
}

Result<ClipTokenizer> loadTokenizer(const ModelSource& model) {
    if (!model.tokenizerFolder.empty()) return ClipTokenizer::loadFolder(model.tokenizerFolder);
    if (!model.tokenizerFiles.empty()) return loadFiles(model);
    return loadPublished(model);
}

} // namespace homebooth::core
