// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/documents.h"

#include "core/base/files/atomic_file.h"
#include "core/base/files/file_reader.h"
#include "core/base/text/unicode.h"
#include "core/base/util/regular_file.h"
#include "core/base/util/shallow_json.h"

#include <algorithm>
#include <cctype>

namespace homebooth::core {

namespace fs = std::filesystem;

namespace {

constexpr int64_t kPieceBytes = int64_t{512} << 10;
constexpr int64_t kMostBytes = int64_t{64} << 20; // that are held at once
constexpr std::string_view kUtf32Follows{"\0\0", 2};
constexpr const char* kKinds = ".txt, .md or .jsonl";

std::string endingOf(const fs::path& path) {
    std::string ending = path.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return ending;
}

bool isLines(const fs::path& path) {
    return endingOf(path) == ".jsonl";
}

bool isText(const fs::path& path) {
    const std::string ending = endingOf(path);
    return ending == ".txt" || ending == ".md" || ending == ".jsonl";
}

bool isHidden(const fs::path& path) {
    return path.filename().string().starts_with('.');
}

/// All files of texts in a folder, in the order of their paths.
Result<std::vector<fs::path>> filesIn(const fs::path& folder) {
    std::vector<fs::path> files;
    size_t others = 0;
    std::error_code code;
    for (fs::recursive_directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
        std::error_code ignored;
        if (isHidden(it->path())) {
            if (it->is_directory(ignored)) it.disable_recursion_pending();
        } else if (isText(it->path()) && it->is_regular_file(ignored)) {
            files.push_back(it->path());
        } else if (!it->is_directory(ignored)) {
            ++others;
        }
    }
    if (code) return systemError("list the texts", displayName(folder), code.value());
    if (files.empty())
        return badInput("expected texts to learn from (" + std::string(kKinds) + "), found none" +
                            (others == 0 ? ": nothing is in this folder"
                                         : " among " + std::to_string(others) + " files of other kinds") +
                            "; name another folder, or a file",
                        displayName(folder));
    std::sort(files.begin(), files.end());
    return files;
}

/// UTF-16 with its mark as UTF-8.
std::string fromUtf16(std::string_view bytes, bool bigEndian) {
    std::string text;
    const auto unit = [&](size_t index) {
        const auto high = static_cast<uint8_t>(bytes[2 * index + (bigEndian ? 0 : 1)]);
        const auto low = static_cast<uint8_t>(bytes[2 * index + (bigEndian ? 1 : 0)]);
        return static_cast<char32_t>(high << 8 | low);
    };
    const size_t count = bytes.size() / 2;
    for (size_t index = 1; index < count; ++index) {
        char32_t c = unit(index);
        const bool pair =
            c >= 0xD800 && c < 0xDC00 && index + 1 < count && (unit(index + 1) & 0xFC00) == 0xDC00;
        if (pair) c = 0x10000 + ((c & 0x3FF) << 10) + (unit(++index) & 0x3FF);
        appendUtf8(text, c >= 0xD800 && c < 0xE000 ? U'\uFFFD' : c);
    }
    return text;
}

/// Where a piece may end: neither within a character nor within a line's end.
size_t wholeCharacters(const std::string& bytes) {
    if (bytes.ends_with('\r')) return bytes.size() - 1;
    size_t end = bytes.size();
    for (size_t back = 1; back <= 4 && back <= bytes.size(); ++back) {
        const auto byte = static_cast<uint8_t>(bytes[bytes.size() - back]);
        if ((byte & 0xC0) == 0x80) continue;
        const size_t length = byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
        if (length > back) end = bytes.size() - back;
        break;
    }
    return end;
}

bool isWellFormed(std::string_view bytes) {
    return bytes.find('\0') == std::string_view::npos && isUtf8(bytes);
}

/// The first byte that is of no character, or zero.
size_t wrongByte(std::string_view bytes) {
    size_t at = 0;
    while (at < bytes.size()) {
        size_t end = at + 1;
        while (end < bytes.size() && (bytes[end] & 0xC0) == 0x80) ++end;
        if (!isWellFormed(bytes.substr(at, end - at))) break;
        at = end;
    }
    return at;
}

bool endsWithLetter(std::string_view text) {
    size_t last = text.size() - 1;
    while (last > 0 && (text[last] & 0xC0) == 0x80) --last;
    return isLetter(decodeUtf8(text.substr(last)).front());
}

/// Where a long text is best cut: no word there becomes another, neither GPT-2's nor BLOOM's.
size_t cutOf(std::string_view text) {
    for (size_t at = text.size(); at-- > 1;)
        if ((text[at] == '\n' || text[at] == ' ') && endsWithLetter(text.substr(0, at))) return at;
    const size_t line = text.rfind('\n');
    return line == std::string_view::npos ? text.size() : line + 1;
}

void useLineFeeds(std::string& text) {
    size_t to = 0;
    for (size_t from = 0; from < text.size(); ++from) {
        const bool ofPair = text[from] == '\r' && from + 1 < text.size() && text[from + 1] == '\n';
        if (!ofPair) text[to++] = text[from];
    }
    text.resize(to);
}

bool isBlank(const std::string& text) {
    return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

} // namespace

Result<Documents> Documents::open(const std::string& path, const std::string& column) {
    Documents documents;
    documents.m_column = column;
    std::error_code code;
    const fs::file_status status = fs::status(path, code);
    if (status.type() == fs::file_type::not_found || status.type() == fs::file_type::none)
        return systemError("open the texts", path, code ? code.value() : ENOENT);
    if (fs::is_directory(status)) {
        HOMEBOOTH_ASSIGN(documents.m_files, filesIn(path));
    } else {
        documents.m_files = {path};
    }
    for (const fs::path& file : documents.m_files) {
        HOMEBOOTH_ASSIGN(const FileReader reader, FileReader::open(file));
        const int64_t bytes = reader.identity().bytes;
        HOMEBOOTH_ASSIGN(const std::string mark, reader.read(0, 2));
        const bool utf16 = mark == "\xFF\xFE" || mark == "\xFE\xFF";
        documents.m_totalBytes += bytes;
        documents.m_mostTextBytes += utf16 ? bytes / 2 * 3 : bytes;
    }
    return documents;
}

bool Documents::hasLines() const {
    return std::any_of(m_files.begin(), m_files.end(), isLines);
}

std::string Documents::place() const {
    return displayName(m_files[m_file]) + (m_line > 0 ? ", line " + std::to_string(m_line) : "");
}

/// Reads on in the present file, up to the end of a character.
Result<void> Documents::readPiece() {
    const fs::path& path = m_files[m_file];
    HOMEBOOTH_ASSIGN(const FileReader reader, FileReader::open(path));
    m_fileBytes = reader.identity().bytes;
    HOMEBOOTH_ASSIGN(std::string bytes, reader.read(m_offset, kPieceBytes));
    const bool atStart = m_offset == 0;
    const bool little = atStart && bytes.starts_with("\xFF\xFE") && bytes.substr(2, 2) != kUtf32Follows;
    const bool big = atStart && bytes.starts_with("\xFE\xFF");
    if ((little || big) && m_fileBytes > kMostBytes)
        return badInput("expected UTF-8 in a file of more than 64 MiB, found UTF-16; convert it",
                        displayName(path));
    if (little || big) {
        HOMEBOOTH_ASSIGN(bytes, reader.read(0, m_fileBytes));
    }
    if (m_offset + static_cast<int64_t>(bytes.size()) < m_fileBytes) bytes.resize(wholeCharacters(bytes));
    if (!little && !big && !isWellFormed(bytes)) return wrongBytes(bytes);
    m_offset += static_cast<int64_t>(bytes.size());
    if (bytes.empty() && m_offset < m_fileBytes)
        return badInput("reading the texts: the file became shorter meanwhile; try again", displayName(path));
    if (little || big) bytes = fromUtf16(bytes, big);
    if (atStart && bytes.starts_with("\xEF\xBB\xBF")) bytes.erase(0, 3);
    m_linesRead += std::count(bytes.begin(), bytes.end(), '\n');
    useLineFeeds(bytes);
    m_piece.erase(0, m_at);
    m_at = 0;
    m_piece += bytes;
    return {};
}

/// @param bytes  as they follow in the file
Error Documents::wrongBytes(std::string_view bytes) const {
    const size_t wrong = wrongByte(bytes);
    const std::string_view before = bytes.substr(0, wrong);
    const int64_t line = m_linesRead + std::count(before.begin(), before.end(), '\n') + 1;
    const bool zero = bytes[wrong] == '\0';
    return badInput("expected a text in UTF-8, found " + std::string(zero ? "zero" : "other") +
                        " bytes in line " + std::to_string(line) + " (byte " +
                        std::to_string(m_offset + static_cast<int64_t>(wrong) + 1) + " of the file)" +
                        (zero ? ", which is no text, or UTF-16 without its mark" : "") +
                        "; save it as UTF-8, or leave the file out",
                    displayName(m_files[m_file]));
}

void Documents::endFile() {
    m_bytesBefore += m_fileBytes;
    m_offset = m_fileBytes = m_line = m_linesRead = 0;
    m_piece.clear();
    m_at = 0;
    ++m_file;
}

/// Up to the next line's end, which is taken away; the rest of the file where none comes.
Result<std::string> Documents::nextLine() {
    size_t end = m_piece.find('\n', m_at);
    while (end == std::string::npos && m_offset < m_fileBytes) {
        if (static_cast<int64_t>(m_piece.size() - m_at) > kMostBytes)
            return badInput("expected lines of at most 64 MiB, found a longer one", place());
        HOMEBOOTH_CHECK(readPiece());
        end = m_piece.find('\n', m_at);
    }
    std::string line = take(std::min(end, m_piece.size()));
    if (end != std::string::npos) ++m_at;
    return line;
}

/// What is there up to a place.
std::string Documents::take(size_t end) {
    std::string text = m_piece.substr(m_at, end - m_at);
    m_at = end;
    return text;
}

Result<std::string> Documents::textOf(const std::string& line) const {
    const nlohmann::json json = parseShallow<nlohmann::json>(line);
    if (!json.is_object())
        return badInput("expected a JSON object on each line, found something else; mend the line", place());
    const std::vector<std::string> names =
        m_column.empty() ? std::vector<std::string>{"text", "content"} : std::vector<std::string>{m_column};
    bool isNull = false; // as empty texts are written, too
    for (const std::string& name : names) {
        const auto found = json.find(name);
        if (found != json.end() && found->is_string()) return found->get<std::string>();
        isNull = isNull || (found != json.end() && found->is_null());
    }
    if (isNull) return std::string();
    return badInput("expected a text as \"" + names.front() +
                        "\", found none; name what holds it with --text-column",
                    place());
}

/// All of a file, or a piece of what of a long one has been read.
Result<Document> Documents::nextText() {
    Document document;
    document.continues = m_offset < m_fileBytes;
    document.text =
        take(document.continues ? m_at + cutOf(std::string_view(m_piece).substr(m_at)) : m_piece.size());
    if (document.continues) HOMEBOOTH_CHECK(readPiece());
    return document;
}

Result<std::optional<Document>> Documents::next() {
    while (m_file < m_files.size()) {
        if (m_offset == 0) HOMEBOOTH_CHECK(readPiece());
        if (m_at == m_piece.size() && m_offset >= m_fileBytes && !m_within) {
            endFile();
            continue;
        }
        if (!isLines(m_files[m_file])) {
            HOMEBOOTH_ASSIGN(Document document, nextText());
            const bool piece = document.continues || m_within; // of a long text, whose end is told
            m_within = document.continues;
            if (piece || !isBlank(document.text)) return std::optional(std::move(document));
            continue;
        }
        ++m_line;
        HOMEBOOTH_ASSIGN(const std::string line, nextLine());
        if (isBlank(line)) continue;
        HOMEBOOTH_ASSIGN(std::string text, textOf(line));
        useLineFeeds(text);
        if (!isBlank(text)) return std::optional(Document{std::move(text)});
    }
    return std::optional<Document>();
}

Result<void> checkTexts(const std::string& path, const std::string& column) {
    HOMEBOOTH_ASSIGN(Documents documents, Documents::open(path, column));
    HOMEBOOTH_ASSIGN(const std::optional<Document> first, documents.next());
    if (first) return {};
    return badInput("expected texts to learn from, found empty files alone", path);
}

Result<void> checkTextColumn(const std::string& path, const std::string& column) {
    if (column.empty()) return {};
    HOMEBOOTH_ASSIGN(const Documents documents, Documents::open(path, column));
    if (documents.hasLines()) return {};
    return Error{
        ErrorCode::Usage,
        "--text-column: expected a .jsonl file among the texts, which alone has columns, found none; "
        "leave --text-column out, or name such a file as --text",
        path};
}

} // namespace homebooth::core
