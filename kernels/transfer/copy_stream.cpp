// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/transfer/copy_stream.h"

#include <cuda_runtime_api.h>

#include <array>
#include <mutex>
#include <utility>

namespace homebooth::kernels {
namespace {

constexpr size_t kSlots = 256; // calls of `copy` under way before the next one waits for the oldest
/// Marks before the first one's event is used again and names more than it did: the copy that waits for it
/// comes later then, never too early. More than a backward makes gradients: where the host is that far ahead
/// of the GPU, all of them would leave behind the last one.
constexpr size_t kMarks = 4096;

/// Waits of the computing stream that are timed at a time: where the host is that far ahead of it, others are
/// not.
constexpr size_t kWaits = 256;

/// An error that is told here is not to be found once more by whoever launches something next.
cudaError_t told(cudaError_t error) {
    if (error != cudaSuccess) (void)cudaGetLastError();
    return error;
}

struct Slot {
    cudaEvent_t begin = nullptr;
    cudaEvent_t end = nullptr;
    uint64_t ticket = 0; ///< of the copies that they belong to; 0: none, or they were counted
};

/// The computing stream stands still from the one to the other.
struct Stall {
    cudaEvent_t begin = nullptr;
    cudaEvent_t end = nullptr;
    bool isOpen = false; ///< it was not counted yet
};

} // namespace

struct CopyStream::State {
    State(int index, void* work)
        : device(index)
        , computing(static_cast<cudaStream_t>(work)) {}
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        if (stream != nullptr) cudaStreamSynchronize(stream);
        for (Slot& slot : slots)
            for (cudaEvent_t event : {slot.begin, slot.end})
                if (event != nullptr) cudaEventDestroy(event);
        for (cudaEvent_t event : marks)
            if (event != nullptr) cudaEventDestroy(event);
        for (Stall& stall : stalls)
            for (cudaEvent_t event : {stall.begin, stall.end})
                if (event != nullptr) cudaEventDestroy(event);
        if (stream != nullptr) cudaStreamDestroy(stream);
    }

    cudaError_t make() {
        cudaError_t error = cudaSetDevice(device);
        if (error == cudaSuccess) error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        for (Slot& slot : slots)
            for (cudaEvent_t* event : {&slot.begin, &slot.end})
                if (error == cudaSuccess) error = cudaEventCreate(event);
        return error;
    }

    Slot& slotOf(uint64_t ticket) { return slots[ticket % kSlots]; }

    /// Adds a copy that is done to what the link was busy.
    void count(Slot& slot) {
        float milliseconds = 0.0F;
        if (slot.ticket != 0 &&
            told(cudaEventElapsedTime(&milliseconds, slot.begin, slot.end)) == cudaSuccess)
            busySeconds += static_cast<double>(milliseconds) / 1e3;
        slot.ticket = 0;
    }

    /// Records what the computing stream has been given; it may be the default one, which each device has.
    cudaError_t record(uint64_t mark) {
        cudaEvent_t& event = marks[mark % kMarks];
        cudaError_t error = cudaSetDevice(device);
        if (event == nullptr && error == cudaSuccess)
            error = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
        return error == cudaSuccess ? cudaEventRecord(event, computing) : error;
    }

    /// Makes the slot of the next copy free.
    cudaError_t takeSlot(uint64_t ticket) {
        Slot& slot = slotOf(ticket);
        if (slot.ticket == 0) return cudaSuccess;
        const cudaError_t error = cudaEventSynchronize(slot.end);
        if (error == cudaSuccess) count(slot);
        return error;
    }

    void count(Stall& stall) {
        float milliseconds = 0.0F;
        if (!stall.isOpen || told(cudaEventQuery(stall.end)) != cudaSuccess) return;
        if (told(cudaEventElapsedTime(&milliseconds, stall.begin, stall.end)) == cudaSuccess)
            stalledSeconds += static_cast<double>(milliseconds) / 1e3;
        stall.isOpen = false;
    }

    /// Makes the computing stream wait for copies.
    cudaError_t wait(cudaEvent_t copied) {
        if (told(cudaEventQuery(copied)) == cudaSuccess) return cudaStreamWaitEvent(computing, copied, 0);
        Stall& stall = stalls[nextStall % kWaits];
        count(stall);
        const bool timed = !stall.isOpen;
        cudaError_t error = cudaSuccess;
        for (cudaEvent_t* event : {&stall.begin, &stall.end})
            if (*event == nullptr && error == cudaSuccess) error = cudaEventCreate(event);
        if (timed && error == cudaSuccess) error = cudaEventRecord(stall.begin, computing);
        if (error == cudaSuccess) error = cudaStreamWaitEvent(computing, copied, 0);
        if (timed && error == cudaSuccess) error = cudaEventRecord(stall.end, computing);
        stall.isOpen = stall.isOpen || error == cudaSuccess;
        if (timed) ++nextStall;
        return error;
    }

    const int device;
    const cudaStream_t computing;
    cudaStream_t stream = nullptr;
    std::array<Slot, kSlots> slots{};
    std::array<cudaEvent_t, kMarks> marks{}; // made when they are first used
    std::array<Stall, kWaits> stalls{};      // likewise
    std::mutex mutex;                        // guards what follows, the slots' tickets and the stalls
    uint64_t lastMark = 0;
    uint64_t lastTicket = 0;
    double busySeconds = 0.0;
    size_t nextStall = 0;
    double stalledSeconds = 0.0;
};

CopyStream::CopyStream(std::unique_ptr<State> state)
    : m_state(std::move(state)) {}

CopyStream::~CopyStream() = default;

int CopyStream::create(int device, void* computing, std::unique_ptr<CopyStream>& made) {
    auto state = std::make_unique<State>(device, computing);
    const cudaError_t error = told(state->make());
    if (error == cudaSuccess) made.reset(new CopyStream(std::move(state)));
    return error;
}

int CopyStream::mark(uint64_t& mark) {
    const std::lock_guard lock(m_state->mutex);
    const uint64_t next = m_state->lastMark + 1;
    const cudaError_t error = told(m_state->record(next));
    if (error == cudaSuccess) mark = m_state->lastMark = next;
    return error;
}

int CopyStream::copy(std::span<const Copy> copies, uint64_t after, uint64_t& ticket) {
    State& state = *m_state;
    const std::lock_guard lock(state.mutex);
    const uint64_t next = state.lastTicket + 1;
    cudaError_t error = cudaSetDevice(state.device); // whichever thread this is
    if (error == cudaSuccess) error = state.takeSlot(next);
    Slot& slot = state.slotOf(next);
    if (error == cudaSuccess && after != 0)
        error = cudaStreamWaitEvent(state.stream, state.marks[after % kMarks], 0);
    if (error == cudaSuccess) error = cudaEventRecord(slot.begin, state.stream);
    for (const Copy& one : copies)
        if (error == cudaSuccess)
            error = cudaMemcpyAsync(one.target, one.source, static_cast<size_t>(one.bytes), cudaMemcpyDefault,
                                    state.stream);
    if (error == cudaSuccess) error = cudaEventRecord(slot.end, state.stream);
    if (error == cudaSuccess)
        ticket = slot.ticket = state.lastTicket = next;
    else
        (void)cudaStreamSynchronize(state.stream); // no ticket names what may be on its way of them
    return told(error);
}

int CopyStream::order(uint64_t ticket) {
    State& state = *m_state;
    const std::lock_guard lock(state.mutex);
    if (ticket == 0 || ticket + kSlots <= state.lastTicket)
        return cudaSuccess; // done before its slot was reused
    cudaError_t error = cudaSetDevice(state.device);
    if (error == cudaSuccess) error = state.wait(state.slotOf(ticket).end);
    return told(error);
}

int CopyStream::wait(uint64_t ticket) {
    State& state = *m_state;
    cudaEvent_t end = nullptr;
    {
        const std::lock_guard lock(state.mutex);
        if (ticket == 0 || ticket + kSlots <= state.lastTicket) return cudaSuccess;
        end = state.slotOf(ticket).end;
    }
    return told(cudaEventSynchronize(end));
}

double CopyStream::stalledSeconds() const {
    State& state = *m_state;
    const std::lock_guard lock(state.mutex);
    for (Stall& stall : state.stalls) state.count(stall);
    return state.stalledSeconds;
}

double CopyStream::busySeconds() const {
    State& state = *m_state;
    const std::lock_guard lock(state.mutex);
    for (Slot& slot : state.slots) {
        if (slot.ticket == 0) continue;
        if (told(cudaEventQuery(slot.end)) == cudaSuccess) state.count(slot);
    }
    return state.busySeconds;
}

int pinHostMemory(void* data, int64_t bytes) {
    return told(cudaHostRegister(data, static_cast<size_t>(bytes), cudaHostRegisterPortable));
}

int unpinHostMemory(void* data) {
    return told(cudaHostUnregister(data));
}

const char* transferError(int code) {
    return cudaGetErrorString(static_cast<cudaError_t>(code));
}

} // namespace homebooth::kernels
