// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/optim/device_update.h"

#include "core/engine/memory/device_wait.h"
#include "core/engine/memory/memory_relief.h"
#include "core/engine/optim/memory_order.h"

#include <ATen/core/grad_mode.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace homebooth::core {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Little of what visits is worth a slot of full size.
int64_t mostBytesOfPiece(const std::vector<Optimizer*>& optimizers) {
    int64_t all = 0;
    for (const Optimizer* optimizer : optimizers) all += UpdatePieces::bytesOf(*optimizer);
    const auto slots = static_cast<int64_t>(DeviceUpdate::kSlots);
    return std::min(UpdatePieces::kMostBytes, all / (slots * DeviceUpdate::kPartForSlots));
}

} // namespace

DeviceUpdate::~DeviceUpdate() {
    close();
}

void DeviceUpdate::close() noexcept {
    if (m_thread.joinable()) {
        discard();
        {
            const std::lock_guard lock(m_mutex);
            m_stopping = true;
        }
        m_changed.notify_all();
        m_thread.join();
        m_stopping = false;
    }
    m_open.reset();
    m_rehearsed.clear();
    m_toDevice.reset();
    m_toHost.reset();
    m_stream.reset();
    m_slots.reset();
    m_pieces.clear();
    m_slotBytes = 0;
    m_store = nullptr;
}

void DeviceUpdate::reserve(const std::vector<Optimizer*>& optimizers) {
    const int64_t mostBytes = mostBytesOfPiece(optimizers);
    int64_t bytes = 0;
    ParameterStore* store = nullptr;
    std::map<const Optimizer*, UpdatePieces> pieces;
    for (const Optimizer* optimizer : optimizers) {
        const UpdatePieces& cut =
            pieces.emplace(optimizer, UpdatePieces(*optimizer, mostBytes)).first->second;
        if (cut.slotBytes() > 0 && store == nullptr) store = &optimizer->store();
        bytes = std::max(bytes, cut.slotBytes());
    }
    if (bytes != m_slotBytes || store != m_store) {
        close();
        if (store == nullptr) return;
        takeSlots(*store, bytes);
    }
    m_pieces = std::move(pieces);
}

void DeviceUpdate::takeSlots(ParameterStore& store, int64_t bytes) {
    const TierScope whereItComputes(Tier::Device);
    const auto options = at::TensorOptions().dtype(at::kByte).device(store.options().device);
    m_slots = at::empty({static_cast<int64_t>(kSlots) * bytes}, options);
    try {
        open(store.options().link);
    } catch (...) {
        close();
        throw;
    }
    m_slotBytes = bytes;
    m_store = &store;
}

/// The links, and the thread that works with them.
void DeviceUpdate::open(const LinkSpeed& link) {
    const at::Device device = m_slots.device();
    m_counted = {};
    m_gapBytes = 0;
    std::optional<c10::StreamGuard> beside;
    if (device.is_cuda()) {
        waitForDevice(device); // what the slots were before may still be in use by the stream that computes
        // Of high priority: what computes is ahead and fills the GPU, and the way home waits for an update.
        constexpr bool kHigh = true;
        m_stream = c10::impl::VirtualGuardImpl(device.type()).getStreamFromGlobalPool(device, kHigh);
        beside.emplace(*m_stream); // which the links look at when they are made
    }
    m_toDevice = makeTierLink(device, LinkDirection::ToDevice, link);
    m_toHost = makeTierLink(device, LinkDirection::ToHost, link);
    if (!device.is_meta()) m_thread = std::thread([this] { work(); });
}

uint64_t DeviceUpdate::send(Optimizer& optimizer, ParameterId id, const at::Tensor& gradient) {
    const auto pieces = m_pieces.find(&optimizer);
    TORCH_CHECK(pieces != m_pieces.end() && pieces->second.parametersOf(id.block) > 0,
                "no memory was reserved for the update of ", optimizer.store().spec(id).name,
                " on the device");
    if (gradient.numel() == 0) return m_opened;
    const bool isTheirs = m_open && &m_open->optimizer() == &optimizer && m_open->block() == id.block;
    if (!isTheirs || m_open->has(id.index)) publish();
    if (!m_open) beginParcel(optimizer, id.block);
    m_open->add(id.index, flatAlias(inOrderOf(gradient, optimizer.store().parameter(id))));
    const uint64_t number = m_opened;
    if (m_open->size() == pieces->second.parametersOf(id.block)) publish();
    return number;
}

/// Where memory for a block's copy is refused, all parameters come from home until everything is there:
/// asking again for each block would cost more.
void DeviceUpdate::beginParcel(Optimizer& optimizer, int block) {
    auto parcel = std::make_shared<UpdateParcel>(optimizer, block, m_opened + 1);
    try {
        if (!m_copyRefused) parcel->copyParameters();
    } catch (...) {
        if (!memoryRanOut()) throw;
        m_copyRefused = true;
        ++m_refusedCopies;
    }
    m_open = std::move(parcel);
    ++m_opened;
}

/// Gives the thread what was sent of a block. Errors: throws what an earlier update threw
void DeviceUpdate::publish() {
    if (!m_open) return;
    const std::shared_ptr<UpdateParcel> parcel = std::exchange(m_open, nullptr);
    parcel->close(m_pieces.at(&parcel->optimizer()).of(parcel->block()));
    const at::Device device = m_slots.device();
    if (device.is_meta()) {
        m_rehearsed.push_back(parcel);
        return; // nobody asks for its number
    }
    if (device.is_cuda()) {
        parcel->made.emplace(device.type());
        parcel->made->record(c10::impl::VirtualGuardImpl(device.type()).getStream(device));
    }
    bool isTaken = false;
    {
        const std::lock_guard lock(m_mutex);
        isTaken = m_failure == nullptr;
        m_sent = parcel->number();
        if (isTaken) {
            m_waiting.push_back(parcel);
            m_onDeviceBytes += parcel->bytesOnDevice();
        } else if (idle()) {
            m_done = m_sent;
        }
    }
    m_changed.notify_all();
    if (!isTaken || m_toHost->blocking()) settle(); // which throws what failed
}

bool DeviceUpdate::isDone(uint64_t number) const {
    const std::lock_guard lock(m_mutex);
    return number <= m_done;
}

/// The oldest gradient of a rehearsal is used up. @returns  bytes that are free for that
int64_t DeviceUpdate::leaveRehearsed() {
    UpdateParcel& parcel = *m_rehearsed.front();
    const int index = parcel.first();
    const Optimizer::Visit visit = parcel.optimizer().visit({parcel.block(), index});
    static_cast<void>(m_toDevice->copy(nullptr, nullptr, visit.fetchedBytes));
    static_cast<void>(m_toHost->copy(nullptr, nullptr, visit.returnedBytes));
    int64_t bytes = parcel.leaveGradient(index);
    if (parcel.first() >= 0) return bytes;
    bytes += parcel.leaveCopies();
    m_rehearsed.pop_front();
    return bytes;
}

int64_t DeviceUpdate::bytesOnDevice() const {
    int64_t bytes = 0;
    if (m_open) bytes += m_open->bytesOnDevice();
    for (const auto& one : m_rehearsed) bytes += one->bytesOnDevice();
    const std::lock_guard lock(m_mutex);
    return bytes + m_onDeviceBytes;
}

void DeviceUpdate::waitUntilAtMost(int64_t bytes, const Others& others) {
    const auto beside = [&] { return others.bytes ? others.bytes() : 0; };
    publish();
    int64_t there = m_rehearsed.empty() ? 0 : bytesOnDevice();
    while (!m_rehearsed.empty() && there + beside() > bytes) there -= leaveRehearsed();
    std::unique_lock lock(m_mutex);
    const auto enough = [&] { return m_onDeviceBytes == 0 || m_onDeviceBytes + beside() <= bytes; };
    if (enough()) return;
    const Clock::time_point start = Clock::now();
    constexpr std::chrono::microseconds kOften{200}; // others do not tell when theirs has left
    while (others.bytes && !enough()) {
        lock.unlock();
        const bool someLeft = others.letOneGo();
        lock.lock();
        if (!someLeft) m_changed.wait_for(lock, kOften, enough);
    }
    if (!others.bytes) m_changed.wait(lock, enough);
    m_waitedSeconds += secondsSince(start);
}

void DeviceUpdate::settle() {
    publish();
    const double waitedBefore = waitedSeconds();
    m_copyRefused = false;
    waitUntilAtMost(0);
    std::exception_ptr failure;
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return idle(); }); // the rest is gone in a moment
        failure = std::exchange(m_failure, nullptr);
    }
    m_tailSeconds += waitedSeconds() - waitedBefore;
    countTraffic();
    if (failure) std::rethrow_exception(failure);
}

void DeviceUpdate::discard() noexcept {
    m_open.reset();
    m_rehearsed.clear();
    m_copyRefused = false;
    std::unique_lock lock(m_mutex);
    m_sent = m_opened;
    dropWaiting();
    m_changed.wait(lock, [this] { return idle(); });
    m_failure = nullptr;
}

double DeviceUpdate::waitedSeconds() const {
    const std::lock_guard lock(m_mutex);
    return m_waitedSeconds;
}

void DeviceUpdate::countTraffic() {
    if (m_store == nullptr) return;
    LinkTraffic now = m_toDevice->traffic();
    now += m_toHost->traffic();
    now.bytes -= m_gapBytes;
    m_store->addTraffic({now.bytes - m_counted.bytes, now.copies - m_counted.copies,
                         now.busySeconds - m_counted.busySeconds, 0.0}); // nobody who computes waits for it
    m_counted = now;
}

/// What has begun goes on to its end.
void DeviceUpdate::dropWaiting() {
    const size_t kept = !m_waiting.empty() && m_waiting.front()->hasBegun() ? 1 : 0;
    for (; m_waiting.size() > kept; m_waiting.pop_back())
        m_onDeviceBytes -= m_waiting.back()->bytesOnDevice();
    if (idle()) m_done = m_sent;
    m_changed.notify_all();
}

void DeviceUpdate::work() {
    const at::NoGradGuard noGrad;
    std::optional<c10::StreamGuard> beside;
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, [this] { return m_stopping || !idle(); });
        if (idle()) return;
        std::optional<Piece> next = nextPiece();
        lock.unlock();
        attempt([&] {
            if (m_stream && !beside) beside.emplace(*m_stream);
        });
        advance(std::move(next));
        lock.lock();
    }
}

std::optional<DeviceUpdate::Piece> DeviceUpdate::nextPiece() {
    if (m_waiting.empty()) return std::nullopt;
    Piece piece;
    piece.parcel = m_waiting.front();
    piece.isFirst = !piece.parcel->hasBegun();
    piece.stretches = piece.parcel->nextPiece();
    piece.isLast = piece.parcel->piecesLeft() == 0;
    if (piece.isLast) m_waiting.pop_front();
    ++m_underWay;
    return piece;
}

/// Does what is to be done next; with nothing to begin, what is under way goes on.
void DeviceUpdate::advance(std::optional<Piece> next) {
    constexpr size_t kAhead = 1; // pieces that arrive while the one before is updated
    if (next) {
        if (m_leaving + m_arriving == kSlots) finishOldest();
        const size_t slot = slotBehind(m_leaving + m_arriving);
        m_inSlots.at(slot) = *std::move(next);
        ++m_arriving;
        attempt([&] { begin(slot); });
        if (m_arriving <= kAhead) return;
    }
    if (m_arriving == 0) {
        finishOldest();
        return;
    }
    attempt([&] { update(m_inSlots.at(slotBehind(m_leaving))); });
    --m_arriving;
    ++m_leaving;
}

void DeviceUpdate::begin(size_t slot) {
    Piece& piece = m_inSlots.at(slot);
    const UpdateParcel& parcel = *piece.parcel;
    std::vector<at::Tensor> parameters;
    for (const UpdateStretch& stretch : piece.stretches) parameters.push_back(parcel.parameter(stretch));
    piece.landed = landedIn(m_slots.narrow(0, static_cast<int64_t>(slot) * m_slotBytes, m_slotBytes),
                            parcel.optimizer(), parcel.block(), piece.stretches, parameters);
    carry(*m_toDevice, 0, piece.landed.coming, piece.arrives); // the slot was waited for
}

void DeviceUpdate::update(Piece& piece) {
    const UpdateParcel& parcel = *piece.parcel;
    const Optimizer& optimizer = parcel.optimizer();
    if (parcel.made && piece.isFirst) parcel.made->block(*m_stream);
    m_toDevice->wait(piece.arrives);
    for (size_t i = 0; i < piece.stretches.size(); ++i) {
        const UpdateStretch& stretch = piece.stretches[i];
        optimizer.updateCopies({parcel.block(), stretch.index}, parcel.gradient(stretch), stretch.begin, 1.0,
                               piece.landed.tensors[i], workersBesideBackward(optimizer.store()));
    }
    carry(*m_toHost, m_toHost->mark(), piece.landed.leaving, piece.leaves);
}

/// @param last  as Link::copyAllAfter has it
void DeviceUpdate::carry(Link& link, LinkMark after, const LandedPiece::Copies& copies, LinkTicket& last) {
    link.copyAllAfter(after, copies.all, last);
    m_gapBytes += copies.gapBytes;
}

void DeviceUpdate::finishOldest() {
    Piece piece = std::move(m_inSlots.at(m_oldest));
    m_oldest = slotBehind(1);
    --m_leaving;
    try {
        m_toHost->wait(piece.leaves);
        if (failed()) waitForPiece(piece);
    } catch (...) {
        fail(std::current_exception());
    }
    piece.landed = {}; // of the copied parameters, too: what follows says that their memory is free
    int64_t bytes = 0;
    for (const UpdateStretch& stretch : piece.stretches)
        if (stretch.ends) bytes += piece.parcel->leaveGradient(stretch.index);
    if (piece.isLast) bytes += piece.parcel->leaveCopies();
    const std::lock_guard lock(m_mutex);
    --m_underWay;
    m_onDeviceBytes -= bytes;
    if (piece.isLast) m_done = piece.parcel->number();
    if (idle()) m_done = m_sent; // dropped ones, too
    m_changed.notify_all();
}

/// Returns when nobody uses the slot, the gradient and what is at home any more, however far the piece came.
void DeviceUpdate::waitForPiece(const Piece& piece) {
    m_toDevice->wait(piece.arrives);
    m_toDevice->settle();
    waitForDevice(m_slots.device());
}

bool DeviceUpdate::failed() const {
    const std::lock_guard lock(m_mutex);
    return m_failure != nullptr;
}

/// After a failure nothing is done any more until it was reported.
template <class Work>
void DeviceUpdate::attempt(const Work& work) {
    if (failed()) return;
    try {
        work();
    } catch (...) {
        fail(std::current_exception());
    }
}

void DeviceUpdate::fail(std::exception_ptr failure) {
    const std::lock_guard lock(m_mutex);
    if (!m_failure) m_failure = std::move(failure);
    dropWaiting();
}

} // namespace homebooth::core
