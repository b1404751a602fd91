// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The journal of a run, events.jsonl: append-only, one writer, any number of readers.
// Writer: safe from any thread. Reader and history: one thread each.
#pragma once

#include "core/base/run/journal/event_json.h"
#include "core/base/util/result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace homebooth::core {

/// Appends events, numbers and dates them. Every line is written at once where the disk has room;
/// checkpoints, resumptions and outcomes are synced to it. For these a little of the disk is kept: where
/// others have filled the rest, the journal still says how the run ended.
class JournalWriter : public EventSink {
public:
    /// Told every line (without its break) as soon as it is written; called under the writer's lock.
    using LineListener = std::function<void(const std::string& line)>;

    using Instant = std::chrono::system_clock::time_point;

    /// Opens the journal, cuts a torn last line and goes on with the next number.
    /// @param begun  what `switchedOn` said as an attempt began, of which another process writes, too: all
    ///               of its lines then go by one clock; nothing: by the clock as it is now
    /// Errors: BadInput (not writable, no regular file), OutOfResources
    [[nodiscard]] static Result<std::unique_ptr<JournalWriter>> open(const std::string& path,
                                                                     std::optional<Instant> begun = {});
    ~JournalWriter() override;
    JournalWriter(const JournalWriter&) = delete;
    JournalWriter& operator=(const JournalWriter&) = delete;

    void setListener(LineListener listener);

    /// Appends. What could not be written (full disk) is told by `failure` and written with the next event
    /// that can be: the last MiB of it or, where that is one of those three and the disk still full, the last
    /// few KiB. A torn line never stays in the middle. Of a text of more than 8 KiB, which may name all
    /// of a user's pictures, beginning and end alone are written: readers pass over lines that are too long.
    void emit(const Event& event) override;

    /// The first failed write since the last successful one; empty if all is well.
    [[nodiscard]] std::optional<Error> failure() const;

private:
    JournalWriter(int descriptor, std::string path, int64_t nextSeq, int64_t length, Instant begun);
    void write();
    void keepNewest(int64_t mostBytes);
    void dropWritten(size_t bytes);
    [[nodiscard]] bool reserve();
    [[nodiscard]] int64_t takeSleep();
    void takeNote(int failed);

    mutable std::mutex m_mutex;
    int m_descriptor = -1;
    std::string m_path;
    int64_t m_nextSeq = 1;
    // The machine, by the clock as it was then: where that is set later on, or a virtual machine is halted
    // from outside, lines keep the former time until another writer comes.
    Instant m_begun;
    int64_t m_sleptMs = 0;     // by the last line
    int64_t m_length = 0;      // of whole lines, in bytes
    int64_t m_reservedEnd = 0; // of the file's part of the disk
    std::string m_waiting;     // whole lines that are not written yet
    LineListener m_listener;
    std::optional<Error> m_failure;
};

/// Reads a journal that somebody may be writing.
class JournalReader {
public:
    explicit JournalReader(std::string path)
        : m_path(std::move(path)) {}

    /// The entries that came since the last call; unknown types, torn and damaged lines are left out.
    /// A journal that became shorter than what was read was cut by a writer: reading goes on from its end.
    /// @param most  reading pauses once there are so many (the rest of a block of 256 KiB comes along):
    ///              a long journal takes many times its size in memory. Fewer than this: that was the end
    /// Errors: BadInput if it cannot be read; a missing journal is empty, not an error
    [[nodiscard]] Result<std::vector<JournalEntry>> poll(size_t most = SIZE_MAX);

    /// Lines so far that were whole but no entry, nor one of a type or version that this program does
    /// not know.
    [[nodiscard]] int64_t damagedLines() const { return m_damaged; }

private:
    void takeLines(std::string& pending, std::vector<JournalEntry>& entries);

    std::string m_path;
    int64_t m_offset = 0;
    bool m_inTooLong = false; // at `m_offset` a line goes on that is too long to be an entry
    int64_t m_damaged = 0;
};

/// What a journal amounts to: steps after a resumption's checkpoint are dropped when it says so.
struct RunHistory {
    std::vector<StepEvent> steps;
    std::vector<ValidationEvent> validation;
    std::vector<MemoryEvent> memory;
    std::vector<PreviewEvent> previews;
    std::vector<CheckpointEvent> checkpoints;
    std::vector<WarningEvent> warnings;
    std::optional<PlanEvent> plan;
    std::optional<StateEvent> state;
    std::optional<OutcomeEvent> outcome; ///< of the last attempt; none while it goes on

    void apply(const JournalEntry& entry);
};

/// Reads a whole journal. Errors: as JournalReader::poll
[[nodiscard]] Result<RunHistory> readHistory(const std::string& journalPath);

} // namespace homebooth::core
