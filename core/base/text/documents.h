// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The texts that a language model learns from: .txt and .md, a document each, .jsonl, a document a line,
// and .json, a document for each object or string in a list, or where they stand one behind another.
// Files are read one after another, in pieces: of none, however long its list, more is held than a piece
// and an entry. One thread.
#pragma once

#include "core/base/text/text_files.h"
#include "core/base/util/result.h"

#include <cstdint>
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
    /// @param path    a file, or a folder that is read with all in it (text_files.h); of its .json what
    ///                has a text as its first entry, of files of one name one, and not what others keep
    ///                from being read
    /// @param column  name of what holds the text in an object; empty: "text", or else "content"
    /// Errors: BadInput where there is nothing of that name, no text in the folder, or a file of a kind
    ///         that is no text
    [[nodiscard]] static Result<Documents> open(const std::string& path, const std::string& column);

    /// The next that is not empty; nothing behind the last.
    /// Errors: BadInput naming file and place: what is neither UTF-8 nor UTF-16 with its mark (of that no
    ///         more than 64 MiB), zero bytes, a line or an entry that is no JSON, lacks the text or is
    ///         longer than 64 MiB, a list that does not end
    [[nodiscard]] Result<std::optional<Document>> next();

    [[nodiscard]] int64_t totalBytes() const { return m_totalBytes; } ///< of all files
    [[nodiscard]] int64_t bytesRead() const { return m_bytesBefore + m_offset; }
    /// The same without what was read ahead, but for what UTF-16 has more bytes than UTF-8.
    [[nodiscard]] int64_t bytesTaken() const {
        return bytesRead() - std::ssize(m_piece) + static_cast<int64_t>(m_at);
    }
    [[nodiscard]] int64_t fileCount() const { return std::ssize(m_files); }
    [[nodiscard]] const std::vector<TextFile>& files() const { return m_files; }
    /// From the beginning, one file alone. @param file  its place among all
    [[nodiscard]] Documents only(size_t file) const { return Documents({m_files.at(file)}, m_column); }
    /// The most that all texts can have in UTF-8, by the sizes of their files alone: JSON never makes a text
    /// shorter, and two bytes of UTF-16 become three at most.
    [[nodiscard]] int64_t mostTextBytes() const { return m_mostTextBytes; }
    /// Whether any file is .jsonl or .json.
    [[nodiscard]] bool hasColumns() const;
    /// What of a folder is not read, and what lies elsewhere and is, in a sentence; empty: nothing.
    [[nodiscard]] const std::string& notice() const { return m_notice; }

private:
    Documents(std::vector<TextFile> files, std::string column);
    [[nodiscard]] static bool holdsTexts(const TextFile& file, const std::string& column);
    [[nodiscard]] static Error noneIn(const TextFiles& found, const std::string& column);
    [[nodiscard]] static Result<TextFiles> learnedIn(const std::string& folder, const std::string& column);
    [[nodiscard]] Result<bool> beginsWithText();
    Result<void> readPiece();
    [[nodiscard]] bool atEnd() const { return m_at == m_piece.size() && m_offset >= m_fileBytes; }
    [[nodiscard]] Result<std::optional<Document>> nextInFile();
    [[nodiscard]] Result<std::optional<Document>> nextPlain();
    [[nodiscard]] Result<std::optional<Document>> nextObject();
    [[nodiscard]] Result<Document> nextText();
    [[nodiscard]] Result<std::string> nextLine();
    [[nodiscard]] Result<std::optional<std::string>> nextEntry();
    [[nodiscard]] Result<std::optional<char>> nextSign();
    [[nodiscard]] Result<std::string> takeEntry();
    [[nodiscard]] std::string take(size_t end);
    [[nodiscard]] Error wrongBytes(std::string_view bytes) const;
    [[nodiscard]] std::vector<std::string> columnNames() const;
    [[nodiscard]] Result<std::string> textOf(const std::string& line) const;
    [[nodiscard]] std::string place() const;
    void endFile();

    enum class List { None, Open, Closed };

    std::vector<TextFile> m_files;
    std::string m_column;
    std::string m_notice;
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
    int64_t m_line = 0;      // of .jsonl, or entry of .json
    List m_list = List::None;
    int64_t m_pieceBytes = int64_t{512} << 10; // that are read at once
};

/// Whether there is a text to learn from; looks no further. Errors: as Documents
[[nodiscard]] Result<void> checkTexts(const std::string& path, const std::string& column);

/// Whether a column that was named (--text-column) has a file to be in. Errors: Usage; those of
/// Documents::open
[[nodiscard]] Result<void> checkTextColumn(const std::string& path, const std::string& column);

} // namespace homebooth::core
