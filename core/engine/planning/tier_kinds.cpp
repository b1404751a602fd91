// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/planning/tier_kinds.h"

#include <algorithm>

namespace homebooth::core {
namespace {

/// Gives kinds their bytes of a peak until there is none left: what is known of each is its own largest size,
/// and they need not all be largest at the same moment.
class Shares {
public:
    explicit Shares(int64_t peakBytes)
        : m_left(peakBytes) {}
    int64_t take(int64_t bytes) {
        const int64_t taken = std::clamp<int64_t>(bytes, 0, m_left);
        m_left -= taken;
        return taken;
    }
    [[nodiscard]] int64_t rest() const { return m_left; }

private:
    int64_t m_left;
};

} // namespace

TierPeaks tierPeaksOf(const Rehearsal& need) {
    TierPeaks peaks;
    Shares onDevice(need.devicePeakBytes);
    peaks.device.parameterBytes = onDevice.take(need.parameterBytes);
    peaks.device.stateBytes = onDevice.take(need.stateBytesOnDevice);
    peaks.device.gradientBytes =
        onDevice.take(need.gradientBytes - need.gradientBytesInRam - need.gradientBytesOnDisk);
    peaks.device.activationBytes = onDevice.rest();
    Shares inRam(need.ramPeakBytes);
    peaks.ram.parameterBytes = inRam.take(need.homeBytesInRam);
    peaks.ram.stateBytes = inRam.take(need.stateBytesInRam);
    peaks.ram.gradientBytes = inRam.take(need.gradientBytesInRam);
    peaks.ram.activationBytes = inRam.take(need.valueBytesInRam);
    peaks.ram.workspaceBytes = inRam.rest();
    peaks.swap.parameterBytes = need.homeFileBytes + need.frozenFileBytes;
    peaks.swap.gradientBytes = need.gradientPlaceBytes;
    peaks.swap.workspaceBytes = need.originalPlaceBytes;
    peaks.swap.stateBytes = need.stateFileBytes - need.gradientPlaceBytes - need.originalPlaceBytes;
    return peaks;
}

} // namespace homebooth::core
