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
#include <numeric>
#include <utility>

namespace homebooth::core {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

int64_t aligned(int64_t bytes) {
    constexpr int64_t kAlignment = 256; // of what a GPU reads
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

int64_t bytesInSlot(const std::vector<at::Tensor>& own) {
    return std::accumulate(own.begin(), own.end(), int64_t{0}, [](int64_t sum, const at::Tensor& one) {
        return one.defined() ? sum + aligned(static_cast<int64_t>(one.nbytes())) : sum;
    });
}

/// Of the largest piece that any visiting block of an optimizer has.
int64_t slotBytesFor(const Optimizer& optimizer) {
    int64_t bytes = 0;
    for (const ParameterId id : optimizer.trainable()) {
        if (!optimizer.visitsDevice(id.block)) continue;
        const int64_t count = std::min(DeviceUpdate::kPieceElements, optimizer.range(id).count);
        bytes = std::max(bytes, bytesInSlot(optimizer.touched(id, 0, count)));
    }
    return bytes;
}

/// The same tensors in a slot. Shapes: slot uint8 [bytes]
std::vector<at::Tensor> laidOut(const std::vector<at::Tensor>& own, const at::Tensor& slot) {
    std::vector<at::Tensor> copies;
    int64_t offset = 0;
    for (const at::Tensor& one : own) {
        copies.emplace_back();
        if (!one.defined()) continue;
        const auto bytes = static_cast<int64_t>(one.nbytes());
        copies.back() = slot.narrow(0, offset, bytes).view(one.scalar_type());
        offset += aligned(bytes);
    }
    return copies;
}

/// @param last  as Link::copyAllAfter has it
void copyAll(Link& link, const std::vector<at::Tensor>& targets, const std::vector<at::Tensor>& sources,
             LinkMark after, LinkTicket& last) {
    std::vector<LinkCopy> copies;
    for (size_t i = 0; i < sources.size(); ++i)
        if (sources[i].defined())
            copies.push_back({targets[i].data_ptr(), sources[i].const_data_ptr(),
                              static_cast<int64_t>(sources[i].nbytes())});
    link.copyAllAfter(after, copies, last);
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
    m_rehearsed.clear();
    m_toDevice.reset();
    m_toHost.reset();
    m_stream.reset();
    m_slots.reset();
    m_slotBytes = 0;
    m_store = nullptr;
}

void DeviceUpdate::reserve(const std::vector<Optimizer*>& optimizers) {
    int64_t bytes = 0;
    ParameterStore* store = nullptr;
    for (const Optimizer* optimizer : optimizers) {
        const int64_t wanted = slotBytesFor(*optimizer);
        if (wanted > 0 && store == nullptr) store = &optimizer->store();
        bytes = std::max(bytes, wanted);
    }
    if (bytes == m_slotBytes && store == m_store) return;
    close();
    if (store == nullptr) return;
    const TierScope whereItComputes(Tier::Device);
    const auto options = at::TensorOptions().dtype(at::kByte).device(store->options().device);
    m_slots = at::empty({static_cast<int64_t>(kSlots) * bytes}, options);
    try {
        open(store->options().link);
    } catch (...) {
        close();
        throw;
    }
    m_slotBytes = bytes;
    m_store = store;
}

/// The links, and the thread that works with them.
void DeviceUpdate::open(const LinkSpeed& link) {
    const at::Device device = m_slots.device();
    m_counted = {};
    std::optional<c10::StreamGuard> beside;
    if (device.is_cuda()) {
        waitForDevice(device); // what the slots were before may still be in use by the stream that computes
        m_stream = c10::impl::VirtualGuardImpl(device.type()).getStreamFromGlobalPool(device);
        beside.emplace(*m_stream); // which the links look at when they are made
    }
    m_toDevice = makeTierLink(device, LinkDirection::ToDevice, link);
    m_toHost = makeTierLink(device, LinkDirection::ToHost, link);
    if (!device.is_meta()) m_thread = std::thread([this] { work(); });
}

uint64_t DeviceUpdate::send(Optimizer& optimizer, ParameterId id, const at::Tensor& gradient) {
    TORCH_CHECK(m_store != nullptr, "no memory was reserved for the update of ",
                optimizer.store().spec(id).name, " on the device");
    if (gradient.numel() == 0) return m_sent;
    const at::Device device = gradient.device();
    auto parcel = std::make_shared<Parcel>();
    parcel->optimizer = &optimizer;
    parcel->id = id;
    parcel->gradient = flatAlias(inOrderOf(gradient, optimizer.store().parameter(id)));
    parcel->parameter = copyOnDevice(optimizer, id);
    if (device.is_meta()) {
        m_rehearsed.push_back(std::move(parcel));
        return 0;
    }
    if (device.is_cuda()) {
        parcel->made.emplace(device.type());
        parcel->made->record(c10::impl::VirtualGuardImpl(device.type()).getStream(device));
    }
    uint64_t number = 0;
    {
        const std::lock_guard lock(m_mutex);
        if (!m_failure) {
            m_waiting.push_back(parcel);
            m_onDeviceBytes += parcel->bytesOnDevice();
            number = ++m_sent;
        }
    }
    m_changed.notify_all();
    if (number == 0 || m_toHost->blocking()) settle(); // which throws what failed
    return number;
}

/// What the update of a parameter begins with, if it reads it and its block computes. Shapes: [elements]
/// @returns  undefined where it does not, and where there is no memory for it: asking again for each of a
///           block's parameters would cost more than that they come from home
at::Tensor DeviceUpdate::copyOnDevice(const Optimizer& optimizer, ParameterId id) {
    if (m_copyRefused || optimizer.hasMaster(id)) return {};
    const at::Tensor inUse = optimizer.store().copyInUse(id);
    if (!inUse.defined()) return {};
    try {
        return flatAlias(inUse).clone();
    } catch (...) {
        if (!memoryRanOut()) throw;
    }
    m_copyRefused = true;
    ++m_refusedCopies;
    return {};
}

bool DeviceUpdate::isDone(uint64_t number) const {
    const std::lock_guard lock(m_mutex);
    return number <= m_done || idle();
}

/// The oldest gradient of a rehearsal is used up.
void DeviceUpdate::leaveRehearsed() {
    const Parcel& parcel = *m_rehearsed.front();
    const Optimizer::Visit visit = parcel.optimizer->visit(parcel.id);
    static_cast<void>(m_toDevice->copy(nullptr, nullptr, visit.fetchedBytes));
    static_cast<void>(m_toHost->copy(nullptr, nullptr, visit.returnedBytes));
    m_rehearsed.pop_front();
}

void DeviceUpdate::waitUntilAtMost(int64_t bytes) {
    int64_t waiting = 0;
    for (const auto& one : m_rehearsed) waiting += one->bytesOnDevice();
    while (waiting > bytes) {
        waiting -= m_rehearsed.front()->bytesOnDevice();
        leaveRehearsed();
    }
    std::unique_lock lock(m_mutex);
    if (m_onDeviceBytes <= bytes) return;
    const Clock::time_point start = Clock::now();
    m_changed.wait(lock, [&] { return m_onDeviceBytes <= bytes; });
    m_waitedSeconds += secondsSince(start);
}

void DeviceUpdate::settle() {
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
    m_rehearsed.clear();
    m_copyRefused = false;
    std::unique_lock lock(m_mutex);
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
    m_store->addTraffic({now.bytes - m_counted.bytes, now.copies - m_counted.copies,
                         now.busySeconds - m_counted.busySeconds, 0.0}); // nobody who computes waits for it
    m_counted = now;
}

/// What has begun goes on to its end.
void DeviceUpdate::dropWaiting() {
    const size_t kept = !m_waiting.empty() && m_waiting.front()->begun > 0 ? 1 : 0;
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
    const std::shared_ptr<Parcel> parcel = m_waiting.front();
    const int64_t left = parcel->gradient.numel() - parcel->begun;
    Piece piece;
    piece.parcel = parcel;
    piece.begin = parcel->begun;
    piece.count = std::min(kPieceElements, left);
    piece.isLast = left == piece.count;
    parcel->begun += piece.count;
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
        m_pieces.at(slot) = *std::move(next);
        ++m_arriving;
        attempt([&] { begin(slot); });
        if (m_arriving <= kAhead) return;
    }
    if (m_arriving == 0) {
        finishOldest();
        return;
    }
    attempt([&] { update(m_pieces.at(slotBehind(m_leaving))); });
    --m_arriving;
    ++m_leaving;
}

void DeviceUpdate::begin(size_t slot) {
    Piece& piece = m_pieces.at(slot);
    piece.own = piece.parcel->optimizer->touched(piece.parcel->id, piece.begin, piece.count);
    piece.copies =
        laidOut(piece.own, m_slots.narrow(0, static_cast<int64_t>(slot) * m_slotBytes, m_slotBytes));
    const Parcel& parcel = *piece.parcel;
    std::vector<at::Tensor> coming = piece.own;
    if (parcel.parameter.defined())
        piece.copies.front() = parcel.parameter.narrow(0, piece.begin, piece.count);
    if (parcel.parameter.defined() || parcel.optimizer->hasMaster(parcel.id)) coming.front().reset();
    copyAll(*m_toDevice, piece.copies, coming, 0, piece.arrives); // the slot was waited for
}

void DeviceUpdate::update(Piece& piece) {
    const Parcel& parcel = *piece.parcel;
    if (parcel.made && piece.begin == 0) parcel.made->block(*m_stream);
    m_toDevice->wait(piece.arrives);
    parcel.optimizer->updateCopies(parcel.id, parcel.gradient.narrow(0, piece.begin, piece.count),
                                   piece.begin, 1.0, piece.copies,
                                   workersBesideBackward(parcel.optimizer->store()));
    copyAll(*m_toHost, piece.own, piece.copies, m_toHost->mark(), piece.leaves);
}

void DeviceUpdate::finishOldest() {
    Piece piece = std::move(m_pieces.at(m_oldest));
    m_oldest = slotBehind(1);
    --m_leaving;
    try {
        m_toHost->wait(piece.leaves);
        if (failed()) waitForPiece(piece);
    } catch (...) {
        fail(std::current_exception());
    }
    const int64_t bytes = piece.parcel->bytesOnDevice();
    piece.copies.clear();                    // of the parcel's parameter, too
    if (piece.isLast) piece.parcel->leave(); // what follows says that its memory is free
    const std::lock_guard lock(m_mutex);
    --m_underWay;
    if (piece.isLast) {
        m_onDeviceBytes -= bytes;
        ++m_done;
    }
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
