// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/collective/gloo_peers.h"

#include "core/engine/collective/meeting_file.h"
#include "core/engine/jobs/expected_failure.h"

#include <ATen/ATen.h>
#include <torch/csrc/distributed/c10d/FileStore.hpp>

namespace homebooth::core {
namespace {

constexpr const char* kLoopback = "127.0.0.1";

std::string nameOf(int rank, int ranks) {
    return "rank " + std::to_string(rank) + " of " + std::to_string(ranks);
}

std::string inWords(std::chrono::milliseconds limit) {
    return limit.count() % 1000 == 0 ? std::to_string(limit.count() / 1000) + " s"
                                     : std::to_string(limit.count()) + " ms";
}

/// What was thrown, without the stack trace of LibTorch's own exceptions.
std::string causeInFlight() {
    std::string text = "unknown";
    try {
        throw;
    } catch (const c10::Error& error) {
        text = error.what_without_backtrace();
    } catch (const std::exception& error) {
        text = error.what();
    }
    return text.substr(0, text.find('\n'));
}

Error notMet(const GlooMeeting& meeting, const std::string& cause) {
    return {ErrorCode::Internal,
            nameOf(meeting.rank, meeting.ranks) + " expected all ranks within " + inWords(meeting.meetLimit) +
                ", but they did not come together (" + cause +
                "); see how the others ended, then start all of them anew",
            meeting.file};
}

Error lostRank(const GlooMeeting& meeting, int peer, bool comes, const std::string& what,
               const std::string& cause) {
    const std::string name = "rank " + std::to_string(peer);
    const bool hangs = cause.find("Timed out") != std::string::npos; // gloo's word for its own limit
    const std::string found =
        hangs ? "nothing moved for " + inWords(meeting.stallLimit) +
                    ": it hangs, is busy for longer than that or asked for something else (" + cause +
                    "); see what " + name + " does"
              : "its connection ended (" + cause + "); see how " + name + " ended";
    return {ErrorCode::Internal,
            nameOf(meeting.rank, meeting.ranks) + " lost " + name + ": " + what +
                (comes ? " expected data from it, but " : " had data for it, but ") + found +
                ", then resume from the last checkpoint",
            {}};
}

at::Tensor bytesAt(void* bytes, int64_t count) {
    return at::from_blob(bytes, {count}, at::kByte);
}

c10::intrusive_ptr<c10d::ProcessGroupGloo> connect(const GlooMeeting& meeting) {
    const auto store = c10::make_intrusive<c10d::FileStore>(meeting.file, meeting.ranks);
    store->setTimeout(meeting.meetLimit);
    const auto options = c10d::ProcessGroupGloo::Options::create(meeting.meetLimit);
    options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname(kLoopback));
    options->threads = 1; // for gloo's own collectives, of which none is used
    return c10::make_intrusive<c10d::ProcessGroupGloo>(store, meeting.rank, meeting.ranks, options);
}

} // namespace

GlooPeers::GlooPeers(const GlooMeeting& meeting, c10::intrusive_ptr<c10d::ProcessGroupGloo> group)
    : m_meeting(meeting)
    , m_group(std::move(group)) {}

Result<std::unique_ptr<GlooPeers>> GlooPeers::meet(const GlooMeeting& meeting) {
    if (meeting.ranks < 1 || meeting.rank < 0 || meeting.rank >= meeting.ranks)
        return badInput("ranks are numbered from 0 to " + std::to_string(meeting.ranks - 1) + ", got rank " +
                        std::to_string(meeting.rank));
    HOMEBOOTH_CHECK(prepareMeetingFile(meeting.file));
    try {
        return std::unique_ptr<GlooPeers>(new GlooPeers(meeting, connect(meeting)));
    } catch (const std::exception&) {
        return notMet(meeting, causeInFlight());
    }
}

void GlooPeers::failInFlight(int peer, bool comes) const {
    throw ExpectedFailure(lostRank(m_meeting, peer, comes, m_what, causeInFlight()));
}

void GlooPeers::send(std::vector<Transfer>& transfers, int peer, MessageTag tag, const void* bytes,
                     int64_t count) {
    try {
        std::vector<at::Tensor> tensors{bytesAt(const_cast<void*>(bytes), count)}; // only read
        transfers.push_back({m_group->send(tensors, peer, tag), peer, false});
    } catch (const std::exception&) {
        failInFlight(peer, false);
    }
}

void GlooPeers::receive(std::vector<Transfer>& transfers, int peer, MessageTag tag, void* bytes,
                        int64_t count) {
    try {
        std::vector<at::Tensor> tensors{bytesAt(bytes, count)};
        transfers.push_back({m_group->recv(tensors, peer, tag), peer, true});
    } catch (const std::exception&) {
        failInFlight(peer, true);
    }
}

bool GlooPeers::attend(const c10::intrusive_ptr<c10d::Work>& work) {
    const std::lock_guard lock(m_mutex);
    m_attended = work;
    return !m_interrupted;
}

void GlooPeers::interrupt() {
    const std::lock_guard lock(m_mutex);
    m_interrupted = true;
    if (m_attended) m_attended->abort();
}

void GlooPeers::finish(const Transfer& transfer) {
    bool done = false;
    try {
        done = attend(transfer.work) && transfer.work->wait(m_meeting.stallLimit);
    } catch (const std::exception&) {
        failInFlight(transfer.peer, transfer.comes);
    }
    if (!done)
        throw ExpectedFailure(
            lostRank(m_meeting, transfer.peer, transfer.comes, m_what, "this rank ended it itself"));
}

void GlooPeers::finish(std::vector<Transfer>& transfers) {
    for (const Transfer& transfer : transfers) finish(transfer);
    attend({});
    transfers.clear();
}

} // namespace homebooth::core
