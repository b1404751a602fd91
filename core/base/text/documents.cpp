// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/documents.h"

#include "core/base/files/atomic_file.h"
#include "core/base/files/file_reader.h"
#include "core/base/text/entry_end.h"
#include "core/base/text/text_key.h"
#include "core/base/text/text_pieces.h"
#include "core/base/util/regular_file.h"
#include "core/base/util/shallow_json.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace homebooth::core {

namespace fs = std::filesystem;

namespace {

constexpr int64_t kPieceBytes = int64_t{512} << 10;
constexpr int64_t kFirstLookBytes = int64_t{4} << 10; // of a .json; usually enough to meet a text
constexpr int64_t kMostBytes = int64_t{64} << 20;     // that are held at once
constexpr std::string_view kUtf32Follows{"\0\0", 2};

bool isBlank(const std::string& text) {
    return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

/// Asks the file for its size, and for how it is encoded.
Result<void> measure(TextFile& file) {
    HOMEBOOTH_ASSIGN(const FileReader reader, FileReader::open(file.path));
    HOMEBOOTH_ASSIGN(const std::string mark, reader.read(0, 2));
    const bool utf16 = mark == "\xFF\xFE" || mark == "\xFE\xFF";
    file.bytes = reader.identity().bytes;
    file.mostTextBytes = utf16 ? file.bytes / 2 * 3 : file.bytes;
    return {};
}

/// Whether others decide if it can be read. The rest of the texts are learned without it.
bool isOfOthers(const TextFile& file) {
    if (file.isLinked) return true;
    return ::faccessat(AT_FDCWD, file.path.c_str(), R_OK, AT_EACCESS) != 0 &&
           (errno == EACCES || errno == EPERM);
}

} // namespace

Documents::Documents(std::vector<TextFile> files, std::string column)
    : m_files(std::move(files))
    , m_column(std::move(column)) {
    for (const TextFile& file : m_files) {
        m_totalBytes += file.bytes;
        m_mostTextBytes += file.mostTextBytes;
    }
}

/// Of a .json in a folder, where many are no texts; one that was named itself says what it lacks.
bool Documents::holdsTexts(const TextFile& file, const std::string& column) {
    if (!isOftenNoText(file)) return true;
    const Result<bool> begins = Documents({file}, column).beginsWithText();
    return begins && *begins;
}

/// Whether the first entry of a .json is a string, or an object that has one, or null, as its text. Of one
/// that does, little more is read than up to there: there may be many, and they are looked at repeatedly.
Result<bool> Documents::beginsWithText() {
    m_pieceBytes = kFirstLookBytes;
    HOMEBOOTH_CHECK(readPiece());
    HOMEBOOTH_ASSIGN(std::optional<char> sign, nextSign());
    if (sign == '[') {
        m_list = List::Open;
        ++m_at;
        HOMEBOOTH_ASSIGN(sign, nextSign());
    }
    if (sign != '{') return sign == '"';
    TextKey key(columnNames());
    while (true) {
        for (; m_at < m_piece.size(); ++m_at)
            if (key.take(m_piece[m_at])) return key.found();
        if (m_offset >= std::min(m_fileBytes, kMostBytes)) return false;
        m_pieceBytes = std::min(2 * m_pieceBytes, kPieceBytes);
        HOMEBOOTH_CHECK(readPiece());
    }
}

/// Of a folder in which nothing can be learned. What the first .json lacks may be a setting.
Error Documents::noneIn(const TextFiles& found, const std::string& column) {
    Error none = noTexts(found);
    if (found.jsonWithoutTexts.count == 0) return none;
    const TextFile first{found.jsonWithoutTexts.first, TextKind::Entries};
    const auto text = Documents({first}, column).next();
    if (text) return none; // a list of nothing
    none.message.append("; of the first .json: ").append(text.error().message);
    none.context = text.error().context;
    return none;
}

/// What of a folder is learned, at least a file, and what is not.
Result<TextFiles> Documents::learnedIn(const std::string& folder, const std::string& column) {
    HOMEBOOTH_ASSIGN(TextFiles found, textFilesIn(folder));
    std::vector<TextFile> readable;
    for (TextFile& file : found.files) {
        const Result<void> measured = measure(file);
        if (measured)
            readable.push_back(std::move(file));
        else if (isOfOthers(file))
            found.unreadable.add(file.path);
        else
            return measured.error();
    }
    found.files = std::move(readable);
    leaveTwinsOut(found);
    std::erase_if(found.files, [&](const TextFile& file) {
        if (holdsTexts(file, column)) return false;
        found.jsonWithoutTexts.add(file.path);
        return true;
    });
    if (found.files.empty()) return noneIn(found, column);
    return found;
}

Result<Documents> Documents::open(const std::string& path, const std::string& column) {
    std::error_code code;
    const fs::file_status status = fs::status(path, code);
    if (status.type() == fs::file_type::not_found || status.type() == fs::file_type::none)
        return systemError("open the texts", path, code ? code.value() : ENOENT);
    TextFiles found;
    if (fs::is_directory(status)) {
        HOMEBOOTH_ASSIGN(found, learnedIn(path, column));
    } else {
        HOMEBOOTH_ASSIGN(TextFile file, namedTextFile(path));
        HOMEBOOTH_CHECK(measure(file));
        found.files.push_back(std::move(file));
    }
    std::string notice = noticeOf(found);
    Documents documents(std::move(found.files), column);
    documents.m_notice = std::move(notice);
    return documents;
}

bool Documents::hasColumns() const {
    return std::any_of(m_files.begin(), m_files.end(),
                       [](const TextFile& file) { return file.kind != TextKind::Plain; });
}

std::string Documents::place() const {
    std::string place = displayName(m_files[m_file].path);
    if (m_line == 0) return place;
    place += m_files[m_file].kind == TextKind::Lines ? ", line " : ", entry ";
    return place += std::to_string(m_line);
}

/// Reads on in the present file, up to the end of a character.
Result<void> Documents::readPiece() {
    const fs::path& path = m_files[m_file].path;
    HOMEBOOTH_ASSIGN(const FileReader reader, FileReader::open(path));
    m_fileBytes = reader.identity().bytes;
    const int64_t most = std::clamp<int64_t>(m_fileBytes - m_offset, 0, m_pieceBytes);
    HOMEBOOTH_ASSIGN(std::string bytes, reader.read(m_offset, most));
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
                    displayName(m_files[m_file].path));
}

void Documents::endFile() {
    m_bytesBefore += m_fileBytes;
    m_offset = m_fileBytes = m_line = m_linesRead = 0;
    m_piece.clear();
    m_at = 0;
    m_list = List::None;
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

/// Passes over blanks, and in a list over commas; nothing behind the last sign of the file.
Result<std::optional<char>> Documents::nextSign() {
    const char* const passed = m_list == List::Open ? " \t\r\n," : " \t\r\n";
    while (true) {
        const size_t at = m_piece.find_first_not_of(passed, m_at);
        m_at = std::min(at, m_piece.size());
        if (at != std::string::npos) return std::optional(m_piece[at]);
        if (atEnd()) return std::optional<char>();
        HOMEBOOTH_CHECK(readPiece());
    }
}

/// The object or string that begins here.
Result<std::string> Documents::takeEntry() {
    EntryEnd end;
    size_t at = m_at;
    while (true) {
        for (; at < m_piece.size(); ++at)
            if (end.take(m_piece[at])) return take(at + 1);
        const size_t length = at - m_at;
        if (m_offset >= m_fileBytes)
            return badInput("expected JSON, found the file's end within an entry; copy or download it again",
                            place());
        if (std::cmp_greater(length, kMostBytes))
            return badInput("expected a list of texts, or objects with one, of at most 64 MiB each, found a "
                            "longer entry; make it .jsonl, an object with \"text\" on each line",
                            place());
        HOMEBOOTH_CHECK(readPiece());
        at = m_at + length;
    }
}

/// Of .json; nothing behind the last.
Result<std::optional<std::string>> Documents::nextEntry() {
    HOMEBOOTH_ASSIGN(std::optional<char> sign, nextSign());
    if (sign == '[' && m_line == 0 && m_list == List::None) {
        m_list = List::Open;
        ++m_at;
        HOMEBOOTH_ASSIGN(sign, nextSign());
    }
    if (sign == ']' && m_list == List::Open) {
        m_list = List::Closed;
        ++m_at;
        HOMEBOOTH_ASSIGN(sign, nextSign());
    }
    if (!sign && m_list == List::Open)
        return badInput("expected a list of texts, found no end of it; copy or download the file again",
                        place());
    if (!sign) return std::optional<std::string>();
    ++m_line;
    if ((*sign != '{' && *sign != '"') || m_list == List::Closed)
        return badInput("expected a list of objects or strings, or one behind another, found something else; "
                        "mend the file, or make it .jsonl, an object with \"text\" on each line",
                        place());
    HOMEBOOTH_ASSIGN(std::string entry, takeEntry());
    return std::optional(std::move(entry));
}

/// Of what holds the text in an object, the first that is there.
std::vector<std::string> Documents::columnNames() const {
    if (m_column.empty()) return {"text", "content"};
    return {m_column};
}

/// @param line  of .jsonl, or an entry of .json
Result<std::string> Documents::textOf(const std::string& line) const {
    const bool isLine = m_files[m_file].kind == TextKind::Lines;
    const nlohmann::json json = parseShallow<nlohmann::json>(line);
    if (json.is_string() && !isLine) return json.get<std::string>();
    if (!json.is_object())
        return badInput(isLine ? "expected a JSON object on each line, found something else; mend the line"
                               : "expected JSON, found an entry that is none; mend it, or save the file anew",
                        place());
    const std::vector<std::string> names = columnNames();
    bool isNull = false; // as empty texts are written, too
    std::string held = "none";
    for (const std::string& name : names) {
        const auto found = json.find(name);
        if (found != json.end() && found->is_string()) return found->get<std::string>();
        isNull = isNull || (found != json.end() && found->is_null());
        if (found != json.end()) held = std::string("another kind of value (") + found->type_name() + ")";
    }
    if (isNull) return std::string();
    std::string message =
        "expected a text as \"" + names.front() + "\", found " + held + "; name what holds it with ";
    message += isLine ? "--text-column" : "--text-column, or make it .jsonl, an object with it on each line";
    return badInput(std::move(message), place());
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

/// The next text, or piece of one, that is worth telling.
Result<std::optional<Document>> Documents::nextPlain() {
    while (!atEnd() || m_within) {
        HOMEBOOTH_ASSIGN(Document document, nextText());
        const bool piece = document.continues || m_within; // of a long text, whose end is told
        m_within = document.continues;
        if (piece || !isBlank(document.text)) return std::optional(std::move(document));
    }
    return std::optional<Document>();
}

/// The same of .jsonl and .json.
Result<std::optional<Document>> Documents::nextObject() {
    const bool lines = m_files[m_file].kind == TextKind::Lines;
    while (!lines || !atEnd()) {
        std::string object;
        if (lines) {
            ++m_line;
            HOMEBOOTH_ASSIGN(object, nextLine());
            if (isBlank(object)) continue;
        } else {
            HOMEBOOTH_ASSIGN(std::optional<std::string> entry, nextEntry());
            if (!entry) break;
            object = *std::move(entry);
        }
        HOMEBOOTH_ASSIGN(std::string text, textOf(object));
        useLineFeeds(text);
        if (!isBlank(text)) return std::optional(Document{std::move(text)});
    }
    return std::optional<Document>();
}

Result<std::optional<Document>> Documents::nextInFile() {
    return m_files[m_file].kind == TextKind::Plain ? nextPlain() : nextObject();
}

Result<std::optional<Document>> Documents::next() {
    while (m_file < m_files.size()) {
        if (m_offset == 0) HOMEBOOTH_CHECK(readPiece());
        HOMEBOOTH_ASSIGN(std::optional<Document> document, nextInFile());
        if (document) return document;
        endFile();
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
    if (documents.hasColumns()) return {};
    return Error{ErrorCode::Usage,
                 "--text-column: expected a .jsonl or .json file among the texts, which alone have columns, "
                 "found none; leave --text-column out, or name such a file as --text",
                 path};
}

} // namespace homebooth::core
