// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/model_tokenizer.h"

#include <cstdlib>

namespace homebooth::core {

namespace {

namespace fs = std::filesystem;

/// The files that travelled inside a model file stay in memory: nobody's folder is touched.
Result<ClipTokenizer> loadFiles(const ModelSource& model) {
    for (const auto& [name, content] : model.tokenizerFiles) {
        const bool plain = fs::path(name).filename() == name && !name.empty() && name != "." && name != "..";
        if (!plain)
            return badInput("the model's tokenizer names a file '" + name +
                                "' outside its folder; use another copy of the model",
                            model.path);
    }
    return ClipTokenizer::loadFiles(model.tokenizerFiles, model.path);
}

Result<ClipTokenizer> loadPublished(const ModelSource& model, const fs::path& file) {
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
    if (!model.tokenizerFolder.empty()) return ClipTokenizer::loadFolder(model.tokenizerFolder);
    if (!model.tokenizerFiles.empty()) return loadFiles(model);
    return loadPublished(model, vocabulary);
}

} // namespace homebooth::core
