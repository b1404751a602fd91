// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The texts that a language model learns from: .txt and .md, a document each, and .jsonl, a document a line.
// Files are read one after another, in pieces. One thread.
#pragma once

#include "core/base/util/result.h"

#include <cstdint>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace homebooth::core {

/// A text, or a piece of a long one. Pieces end behind a word, before the blank that follows, where
/// byte-level tokenizers cut, too; where a long stretch has none, they end with a line, or anywhere.
struct Document {
    std::string text = {};  ///< UTF-8; lines end with \n
    bool continues = false; ///< the next piece, which may be empty, belongs to the same text
};

class Documents {
public:
    /// @param path    a file, of whatever name, or a folder that is read with all in it, but for what is
    ///                hidden, by name
    /// @param column  name of what holds the text in a line of .jsonl; empty: "text", or else "content"
    /// Errors: BadInput where there is nothing of that name, or no such file in the folder
    [[nodiscard]] static Result<Documents> open(const std::string& path, const std::string& column);

    /// The next that is not empty; nothing behind the last.
    /// Errors: BadInput naming file and place: what is neither UTF-8 nor UTF-16 with its mark (of that no
    ///         more than 64 MiB), zero bytes, a line that is no JSON, lacks the text or is longer than 64 MiB
    [[nodiscard]] Result<std::optional<Document>> next();

    [[nodiscard]] int64_t totalBytes() const { return m_totalBytes; } ///< of all files
    [[nodiscard]] int64_t bytesRead() const { return m_bytesBefore + m_offset; }
    [[nodiscard]] int64_t fileCount() const { return std::ssize(m_files); }
    /// The most that all texts can have in UTF-8, by the sizes of their files alone: JSON never makes a text
    /// shorter, and two bytes of UTF-16 become three at most.
    [[nodiscard]] int64_t mostTextBytes() const { return m_mostTextBytes; }
    /// Whether any file is .jsonl.
    [[nodiscard]] bool hasLines() const;

private:
    Documents() = default;
    Result<void> readPiece();
    [[nodiscard]] Result<Document> nextText();
    [[nodiscard]] Result<std::string> nextLine();
    [[nodiscard]] std::string take(size_t end);
    [[nodiscard]] Error wrongBytes(std::string_view bytes) const;
    [[nodiscard]] Result<std::string> textOf(const std::string& line) const;
    [[nodiscard]] std::string place() const;
    void endFile();

    std::vector<std::filesystem::path> m_files;
    std::string m_column;
    int64_t m_totalBytes = 0;
    int64_t m_mostTextBytes = 0;
    size_t m_file = 0;         // that is being read
    int64_t m_bytesBefore = 0; // of files that are done
    int64_t m_offset = 0;      // in the file
    int64_t m_fileBytes = 0;
    int64_t m_linesRead = 0; // up to m_offset
    std::string m_piece;     // UTF-8
    size_t m_at = 0;         // what of it was used
    bool m_within = false;   // the last piece was not the end of its text
    int64_t m_line = 0;      // of .jsonl
};

/// Whether there is a text to learn from; looks no further. Errors: as Documents
[[nodiscard]] Result<void> checkTexts(const std::string& path, const std::string& column);

/// Whether a column that was named (--text-column) has a file to be in. Errors: Usage; those of
/// Documents::open
[[nodiscard]] Result<void> checkTextColumn(const std::string& path, const std::string& column);

} // namespace homebooth::core
