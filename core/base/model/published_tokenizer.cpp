// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The published file lists merges only; the vocabulary follows from it: 256 byte symbols, the same at a
// word's end, one entry for each merge, two marks. Source: openai/CLIP, clip/simple_tokenizer.py.
#include "core/base/model/published_tokenizer.h"

#include "core/base/files/sha256.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <zlib.h>

namespace homebooth::core {

using nlohmann::json;

namespace {

constexpr const char* kMergesSha256 = "9fd691f7c8039210e0fced15865466c65820d09b63988b0174bfe25de299051a";
constexpr size_t kMergeCount = 48894;
constexpr size_t kTextLimitBytes = size_t{16} << 20;
constexpr const char* kStart = "<|startoftext|>";
constexpr const char* kEnd = "<|endoftext|>";
constexpr const char* kWordEnd = "</w>";

std::string utf8(unsigned codePoint) {
    if (codePoint < 0x80) return std::string(1, static_cast<char>(codePoint));
    return {static_cast<char>(0xc0U | (codePoint >> 6U)), static_cast<char>(0x80U | (codePoint & 0x3fU))};
}

/// The printable symbols that stand for bytes: first the bytes that are printable themselves, then the rest.
std::vector<std::string> byteSymbols() {
    const auto printable = [](unsigned b) {
        return (b >= '!' && b <= '~') || (b >= 0xa1 && b <= 0xac) || b >= 0xae;
    };
    std::vector<std::string> symbols;
    for (unsigned b = 0; b < 256; ++b)
        if (printable(b)) symbols.push_back(utf8(b));
    unsigned next = 256;
    for (unsigned b = 0; b < 256; ++b)
        if (!printable(b)) symbols.push_back(utf8(next++));
    return symbols;
}

Result<std::string> readGzip(const std::string& path) {
    const std::unique_ptr<gzFile_s, int (*)(::gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
    if (!file) return badInput("cannot open CLIP's vocabulary; run the set-up again", path);
    std::string text(kTextLimitBytes, '\0');
    const int got = gzread(file.get(), text.data(), static_cast<unsigned>(text.size()));
    if (got < 0) return badInput("cannot read CLIP's vocabulary; run the set-up again", path);
    text.resize(static_cast<size_t>(got));
    return text;
}

json addedToken(const char* content) {
    return {{"content", content},
            {"lstrip", false},
            {"normalized", true},
            {"rstrip", false},
            {"single_word", false}};
}

std::string specialTokens(const char* pad) {
    const json map{{"bos_token", addedToken(kStart)},
                   {"eos_token", addedToken(kEnd)},
                   {"pad_token", pad},
                   {"unk_token", addedToken(kEnd)}};
    return map.dump(2) + "\n";
}

std::string tokenizerConfig(const char* pad) {
    const json config{
        {"add_prefix_space", false}, {"bos_token", kStart}, {"do_lower_case", true},
        {"eos_token", kEnd},         {"errors", "replace"}, {"model_max_length", 77},
        {"pad_token", pad},          {"unk_token", kEnd},   {"tokenizer_class", "CLIPTokenizer"}};
    return config.dump(2) + "\n";
}

} // namespace

Result<std::map<std::string, std::string>> publishedTokenizerFiles(const std::string& vocabularyFile,
                                                                   bool padWithZero) {
    HOMEBOOTH_ASSIGN(const std::string text, readGzip(vocabularyFile));
    std::string merges = "#version: 0.2\n";
    json vocabulary = json::object();
    int64_t id = 0;
    for (const std::string& symbol : byteSymbols()) vocabulary[symbol] = id++;
    for (const std::string& symbol : byteSymbols()) vocabulary[symbol + kWordEnd] = id++;
    size_t begin = text.find('\n') + 1; // the first line names the version
    for (size_t i = 0; i < kMergeCount; ++i) {
        const size_t end = text.find('\n', begin);
        const std::string line = end == std::string::npos ? "" : text.substr(begin, end - begin);
        const size_t space = line.find(' ');
        if (space == std::string::npos)
            return badInput("expected " + std::to_string(kMergeCount) + " merges, found " +
                                std::to_string(i) + "; run the set-up again",
                            vocabularyFile);
        merges += line + "\n";
        vocabulary[line.substr(0, space) + line.substr(space + 1)] = id++;
        begin = end + 1;
    }
    vocabulary[kStart] = id++;
    vocabulary[kEnd] = id++;
    const char* pad = padWithZero ? "!" : kEnd;
    return std::map<std::string, std::string>{{"vocab.json", vocabulary.dump()},
                                              {"merges.txt", std::move(merges)},
                                              {"tokenizer_config.json", tokenizerConfig(pad)},
                                              {"special_tokens_map.json", specialTokens(pad)}};
}

bool isPublishedTokenizer(const std::map<std::string, std::string>& files) {
    if (files.empty()) return true;
    const auto merges = files.find("merges.txt");
    return merges != files.end() && sha256Text(merges->second) == kMergesSha256;
}

} // namespace homebooth::core
