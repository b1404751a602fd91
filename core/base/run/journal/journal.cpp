// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/journal/journal.h"

#include "core/base/files/atomic_file.h"
#include "core/base/system/slept_time.h"
#include "core/base/util/log.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <new>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace homebooth::core {
namespace {

constexpr int64_t kReadBytes = int64_t{256} << 10;
constexpr int64_t kReserveBytes = int64_t{64} << 10;
constexpr int64_t kMostWaitingBytes = int64_t{1} << 20;
/// Of a text in bytes: a run's end fits into what is kept of a full disk, and into what readers look at.
constexpr size_t kLongestText = size_t{8} << 10;

/// Reads at most `bytes` from `offset`; fewer at the end of the file.
Result<std::string> readAt(int descriptor, const std::string& path, int64_t offset, int64_t bytes) {
    std::string data(static_cast<size_t>(bytes), '\0');
    size_t filled = 0;
    while (filled < data.size()) {
        const ssize_t count = ::pread(descriptor, data.data() + filled, data.size() - filled,
                                      offset + static_cast<int64_t>(filled));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return systemError("read the journal", path, errno);
        if (count == 0) break;
        filled += static_cast<size_t>(count);
    }
    data.resize(filled);
    return data;
}

struct JournalEnd {
    int64_t length = 0; ///< up to and with the last line break
    int64_t lastSeq = 0;
};

/// Of a line whose beginning was not found yet: no more than shows that it is too long to be an entry.
void keepEnd(std::string& line) {
    if (line.size() > kLongestJournalLine) line.erase(0, line.size() - kLongestJournalLine - 1);
}

/// Looks at the end of a journal: where its last whole line ends, and the number of the last entry.
Result<JournalEnd> findEnd(int descriptor, const std::string& path) {
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) return systemError("open the journal", path, errno);
    JournalEnd end;
    bool found = false;
    std::string tail; // from the block's beginning to the end of whole lines
    for (int64_t from = status.st_size; from > 0 && end.lastSeq == 0;) {
        const int64_t bytes = std::min(from, kReadBytes);
        from -= bytes;
        HOMEBOOTH_ASSIGN(std::string block, readAt(descriptor, path, from, bytes));
        tail = block + tail;
        if (!found) {
            const size_t lastBreak = tail.rfind('\n');
            if (lastBreak == std::string::npos) {
                tail.clear(); // of a torn line nothing is needed
                continue;
            }
            found = true;
            tail.resize(lastBreak + 1);
            end.length = from + static_cast<int64_t>(tail.size());
        }
        while (tail.size() > 1) {
            const size_t before = tail.rfind('\n', tail.size() - 2);
            if (before == std::string::npos && from > 0) {
                keepEnd(tail);
                break;
            }
            const size_t start = before == std::string::npos ? 0 : before + 1;
            if (const auto entry =
                    parseJournalLine(std::string_view(tail).substr(start), kLongestJournalLine)) {
                end.lastSeq = entry->seq;
                break;
            }
            tail.resize(start);
        }
    }
    return end;
}

bool mustBeDurable(const Event& event) {
    return std::holds_alternative<CheckpointEvent>(event) || std::holds_alternative<OutcomeEvent>(event) ||
           std::holds_alternative<ResumedEvent>(event);
}

/// Where a character begins, at this byte or before it. @param at  within the text
size_t startOfCharacter(const std::string& text, size_t at) {
    constexpr size_t kMostBytes = 4;
    const size_t first = at < kMostBytes ? 0 : at - kMostBytes;
    for (size_t start = at; start > first; --start)
        if ((static_cast<unsigned char>(text[start]) & 0xC0) != 0x80) return start;
    return at; // this is no UTF-8
}

/// Takes out the middle of what is too long: how it begins says what failed, how it ends what to do.
void shorten(std::string& text) {
    if (text.size() <= kLongestText) return;
    const size_t from = startOfCharacter(text, kLongestText / 2);
    const size_t to = startOfCharacter(text, text.size() - kLongestText / 2);
    text.replace(from, to - from, " ... ");
}

void shortenTexts(Event& event) {
    if (auto* outcome = std::get_if<OutcomeEvent>(&event)) {
        shorten(outcome->message);
        shorten(outcome->kept);
    } else if (auto* warning = std::get_if<WarningEvent>(&event)) {
        shorten(warning->message);
    } else if (auto* state = std::get_if<StateEvent>(&event)) {
        shorten(state->detail);
    }
}

/// Whether this is a whole line, if only for programs that know its type or version.
bool isWholeLine(std::string_view line) {
    const auto object = nlohmann::json::parse(line, nullptr, false);
    if (!object.is_object()) return false;
    const auto version = object.find("v");
    const auto number = object.find("seq");
    const auto type = object.find("type");
    return version != object.end() && version->is_number_integer() && number != object.end() &&
           number->is_number_integer() && type != object.end() && type->is_string();
}

} // namespace

Result<std::unique_ptr<JournalWriter>> JournalWriter::open(const std::string& path,
                                                           std::optional<Instant> begun) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644);
    if (descriptor < 0) return systemError("open the journal", path, errno);
    struct stat status {};
    const bool regular = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    Result<JournalEnd> end =
        regular ? findEnd(descriptor, path) : badInput("cannot write the journal: not a regular file", path);
    if (end && end->length != status.st_size && ::ftruncate(descriptor, end->length) != 0)
        end = systemError("cut the torn last line of the journal", path, errno);
    if (!end) {
        ::close(descriptor);
        return end.error();
    }
    return std::unique_ptr<JournalWriter>(
        new JournalWriter(descriptor, path, end->lastSeq + 1, end->length, begun.value_or(switchedOn())));
}

JournalWriter::JournalWriter(int descriptor, std::string path, int64_t nextSeq, int64_t length, Instant begun)
    : m_descriptor(descriptor)
    , m_path(std::move(path))
    , m_nextSeq(nextSeq)
    , m_begun(begun)
    , m_sleptMs(sleptMs())
    , m_length(length) {}

JournalWriter::~JournalWriter() {
    try {
        if (!m_waiting.empty()) write();
        if (m_reservedEnd > m_length && ::ftruncate(m_descriptor, m_length) != 0)
            log(LogLevel::Warning, m_path + ": what the journal kept of the disk could not be given back");
    } catch (const std::bad_alloc&) { // nobody is left to hear of it
    }
    ::close(m_descriptor);
}

void JournalWriter::setListener(LineListener listener) {
    const std::lock_guard lock(m_mutex);
    m_listener = std::move(listener);
}

void JournalWriter::emit(const Event& event) {
    const std::lock_guard lock(m_mutex);
    // Readers take the difference of two lines: a clock that is set in between must not change it.
    const auto now = m_begun + std::chrono::milliseconds(sinceBootMs());
    JournalEntry entry{m_nextSeq, isoTime(now), event, takeSleep()};
    shortenTexts(entry.event);
    const std::string line = toJsonLine(entry);
    const bool durable = mustBeDurable(event);
    m_waiting += line + "\n";
    ++m_nextSeq;
    const bool room = reserve();
    if (!room && durable) {
        const int64_t forTheEnd = std::holds_alternative<OutcomeEvent>(event) ? 0 : kReserveBytes / 4;
        keepNewest(m_reservedEnd - m_length - forTheEnd); // older ones would come out of order later
    }
    if (room || durable) write();
    keepNewest(kMostWaitingBytes);
    if (durable && !m_failure && ::fsync(m_descriptor) != 0)
        m_failure = systemError("sync the journal", m_path, errno);
    if (m_listener) m_listener(line);
}

/// Makes sure that beside what waits there is something left of the disk for what matters most.
bool JournalWriter::reserve() {
    const int64_t end = m_length + std::ssize(m_waiting);
    if (m_reservedEnd - end >= kReserveBytes / 2) return true;
    const int64_t bytes = end + kReserveBytes - m_length;
    if (::fallocate(m_descriptor, FALLOC_FL_KEEP_SIZE, m_length, bytes) == 0) {
        m_reservedEnd = m_length + bytes;
        return true;
    }
    if (errno != ENOSPC && errno != EDQUOT) return true; // a file system that keeps nothing
    takeNote(errno);
    return false;
}

/// What the machine has slept since the last line that said so.
int64_t JournalWriter::takeSleep() {
    constexpr int64_t kLeastMs = 1000; // less may be the clocks alone
    const int64_t slept = sleptMs() - m_sleptMs;
    if (slept < kLeastMs) return 0;
    m_sleptMs += slept;
    return slept;
}

void JournalWriter::takeNote(int failed) {
    if (!m_failure) m_failure = systemError("write the journal", m_path, failed);
}

/// Of what waits, the newest lines that take no more than so many bytes; one at least.
void JournalWriter::keepNewest(int64_t mostBytes) {
    const int64_t excess = std::ssize(m_waiting) - std::max<int64_t>(mostBytes, 0);
    if (excess <= 0) return;
    const size_t beforeNewest = m_waiting.rfind('\n', m_waiting.size() - 2);
    if (beforeNewest == std::string::npos) return;
    const size_t lineBreak = m_waiting.find('\n', static_cast<size_t>(excess - 1));
    m_waiting.erase(0, std::min(lineBreak, beforeNewest) + 1);
}

/// Writes what waits; it goes on waiting where that fails.
void JournalWriter::write() {
    size_t written = 0;
    while (written < m_waiting.size()) {
        const ssize_t count = ::pwrite(m_descriptor, m_waiting.data() + written, m_waiting.size() - written,
                                       m_length + static_cast<int64_t>(written));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) {
            const bool known = m_failure.has_value();
            takeNote(count == 0 ? ENOSPC : errno);
            if (written > 0) dropWritten(m_waiting.rfind('\n', written - 1) + 1); // npos + 1: no whole line
            // Leaves no half line; should that fail too, the next line is written over it.
            if (::ftruncate(m_descriptor, m_length) != 0 && !known) // of a disk that is gone, each would fail
                log(LogLevel::Warning, m_path + ": the journal's torn line could not be cut");
            m_reservedEnd = m_length; // it went with the line
            return;
        }
        written += static_cast<size_t>(count);
    }
    dropWritten(m_waiting.size());
    m_failure.reset();
}

void JournalWriter::dropWritten(size_t bytes) {
    m_length += static_cast<int64_t>(bytes);
    m_waiting.erase(0, bytes);
}

std::optional<Error> JournalWriter::failure() const {
    const std::lock_guard lock(m_mutex);
    return m_failure;
}

Result<std::vector<JournalEntry>> JournalReader::poll(size_t most) {
    std::vector<JournalEntry> entries;
    const int descriptor = ::open(m_path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0 && errno == ENOENT) return entries;
    if (descriptor < 0) return systemError("read the journal", m_path, errno);
    struct stat status {};
    if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
        ::close(descriptor);
        return badInput("cannot read the journal: not a regular file", m_path);
    }
    if (m_offset > status.st_size) {
        m_offset = status.st_size;
        m_inTooLong = false;
    }
    std::string pending;
    while (true) {
        auto block = readAt(descriptor, m_path, m_offset + static_cast<int64_t>(pending.size()), kReadBytes);
        if (!block || block->empty() || entries.size() >= most) {
            ::close(descriptor);
            if (!block) return block.error();
            return entries;
        }
        pending += *block;
        takeLines(pending, entries);
    }
}

void JournalReader::takeLines(std::string& pending, std::vector<JournalEntry>& entries) {
    size_t start = 0;
    for (size_t end = pending.find('\n'); end != std::string::npos; end = pending.find('\n', start)) {
        const std::string_view line = std::string_view(pending).substr(start, end - start);
        const bool tooLong = m_inTooLong || line.size() > kLongestJournalLine;
        std::optional<JournalEntry> entry;
        if (!tooLong) entry = parseJournalLine(line);
        if (entry)
            entries.push_back(std::move(*entry));
        else if (tooLong || !isWholeLine(line))
            ++m_damaged;
        m_inTooLong = false;
        start = end + 1;
    }
    // What is too long to be an entry is not kept until it ends: a file from anywhere may be one line.
    m_inTooLong = m_inTooLong || pending.size() - start > kLongestJournalLine;
    if (m_inTooLong) start = pending.size();
    m_offset += static_cast<int64_t>(start);
    pending.erase(0, start);
}

void RunHistory::apply(const JournalEntry& entry) {
    const Event& event = entry.event;
    if (const auto* step = std::get_if<StepEvent>(&event)) {
        steps.push_back(*step);
        steps.back().lossParts.clear(); // of all steps they would take most of the memory
    } else if (const auto* held = std::get_if<ValidationEvent>(&event)) {
        validation.push_back(*held);
    } else if (const auto* used = std::get_if<MemoryEvent>(&event)) {
        memory.push_back(*used);
    } else if (const auto* preview = std::get_if<PreviewEvent>(&event)) {
        previews.push_back(*preview);
    } else if (const auto* checkpoint = std::get_if<CheckpointEvent>(&event)) {
        checkpoints.push_back(*checkpoint);
    } else if (const auto* warning = std::get_if<WarningEvent>(&event)) {
        warnings.push_back(*warning);
    } else if (const auto* planned = std::get_if<PlanEvent>(&event)) {
        plan = *planned;
    } else if (const auto* phase = std::get_if<StateEvent>(&event)) {
        state = *phase;
        outcome.reset(); // a new attempt has begun
    } else if (const auto* ended = std::get_if<OutcomeEvent>(&event)) {
        outcome = *ended;
    } else if (const auto* resumed = std::get_if<ResumedEvent>(&event)) {
        const auto later = [from = resumed->fromStep](const auto& one) { return one.step > from; };
        std::erase_if(steps, later);
        std::erase_if(validation, later);
        std::erase_if(memory, later);
        std::erase_if(previews, later);
        std::erase_if(checkpoints, later);
        outcome.reset();
    }
}

Result<RunHistory> readHistory(const std::string& journalPath) {
    constexpr size_t kEntriesAtOnce = 4096; // beside what is kept of them
    JournalReader reader(journalPath);
    RunHistory history;
    for (bool more = true; more;) {
        HOMEBOOTH_ASSIGN(const auto entries, reader.poll(kEntriesAtOnce));
        for (const JournalEntry& entry : entries) history.apply(entry);
        more = entries.size() >= kEntriesAtOnce;
    }
    return history;
}

} // namespace homebooth::core
