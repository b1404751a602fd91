// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/model_tokenizer.h"

#include <cstdlib>

namespace homebooth::core {

namespace {

namespace fs = std::filesystem;

/// The files that travelled inside a model file stay in memory: nobody's folder is touched.
Result<ClipTokenizer> loadFiles(const TextPart& part, const std::string& path) {
    for (const auto& [name, content] : part.tokenizerFiles) {
        const bool plain = fs::path(name).filename() == name && !name.empty() && name != "." && name != "..";
        if (!plain)
            return badInput("the model's tokenizer names a file '" + name +
                                "' outside its folder; use another copy of the model",
                            path);
    }
    return ClipTokenizer::loadFiles(part.tokenizerFiles, path);
}

Result<ClipTokenizer> loadPublished(const TextPart& part, const std::string& path, const fs::path& file) {
    std::error_code ignored;
    if (!fs::exists(file, ignored))
        return badInput("the model brings no tokenizer, and CLIP's published vocabulary was not found at '" +
                            file.string() +
                            "'; run the set-up again or set HOMEBOOTH_VOCABULARY to "
                            "bpe_simple_vocab_16e6.txt.gz",
                        path);
    HOMEBOOTH_ASSIGN(ClipTokenizer tokenizer, ClipTokenizer::loadPublished(file));
    if (usesOpenClipNames(part.config)) tokenizer.setPadToken(0);
    return tokenizer;
}

Result<ClipTokenizer> loadPart(const TextPart& part, const std::string& path, const fs::path& vocabulary) {
    if (!part.tokenizerFolder.empty()) return ClipTokenizer::loadFolder(part.tokenizerFolder);
    if (!part.tokenizerFiles.empty()) return loadFiles(part, path);
    return loadPublished(part, path, vocabulary);
}

} // namespace

fs::path installedVocabularyPath(const fs::path& binFolder) {
    return (binFolder / "../share/homebooth/vocabulary/bpe_simple_vocab_16e6.txt.gz").lexically_normal();
}

fs::path publishedVocabularyPath() {
    const char* set = std::getenv("HOMEBOOTH_VOCABULARY");
    if (set != nullptr && *set != '\0') return set;
    std::error_code code;
    const fs::path program = fs::read_symlink("/proc/self/exe", code);
    if (const fs::path installed = installedVocabularyPath(program.parent_path());
        !code && fs::exists(installed, code))
        return installed;
    return fs::path(HOMEBOOTH_DEPS_DIR) / "vocabulary/open_clip/bpe_simple_vocab_16e6.txt.gz";
}

Result<ClipTokenizer> loadTokenizer(const ModelSource& model, const fs::path& vocabulary) {
    return loadPart(model.text, model.path, vocabulary);
}

Result<std::vector<ClipTokenizer>> loadTokenizers(const ModelSource& model, const fs::path& vocabulary) {
    std::vector<ClipTokenizer> tokenizers;
    for (const TextPart* part : model.textParts()) {
        HOMEBOOTH_ASSIGN(ClipTokenizer tokenizer, loadPart(*part, model.path, vocabulary));
        if (tokenizer.vocabularySize() > part->config.vocabularySize)
            return badInput("opening the model: its tokenizer has " +
                                std::to_string(tokenizer.vocabularySize()) + " entries, its text encoder " +
                                std::to_string(part->config.vocabularySize) +
                                "; take the tokenizer that belongs to it",
                            model.path);
        tokenizers.push_back(std::move(tokenizer));
    }
    return tokenizers;
}

} // namespace homebooth::core
