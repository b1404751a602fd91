// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Gradients of one block that wait on the device for their updates, with a copy of the parameters that the
// block has computed with, and the pieces in which they go. Filled by one thread, then used up by another
// one.
#pragma once

#include "core/engine/optim/update_pieces.h"

#include <ATen/ATen.h>
#include <c10/core/Event.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace homebooth::core {

class UpdateParcel {
public:
    UpdateParcel(Optimizer& optimizer, int block, uint64_t number);

    [[nodiscard]] Optimizer& optimizer() const { return *m_optimizer; }
    [[nodiscard]] int block() const { return m_block; }
    /// Counts parcels up from 1.
    [[nodiscard]] uint64_t number() const { return m_number; }

    /// Copies what updates of the block's parameters begin with, where they read it and the block computes:
    /// consecutive ones at once. Errors: throws c10::OutOfMemoryError; nothing is copied then
    void copyParameters();
    /// @param gradient  flat, in the parameter's memory order
    void add(int index, at::Tensor gradient);
    [[nodiscard]] bool has(int index) const { return m_gradients.at(static_cast<size_t>(index)).defined(); }
    /// The first parameter whose gradient is here; -1: there is none.
    [[nodiscard]] int first() const;
    /// Gradients that were added.
    [[nodiscard]] int64_t size() const { return m_size; }
    /// No more come: takes of the block's pieces what there are gradients for.
    void close(const std::vector<UpdatePiece>& pieces);

    /// Pieces that have not begun.
    [[nodiscard]] size_t piecesLeft() const { return m_pieces.size() - m_begun; }
    [[nodiscard]] bool hasBegun() const { return m_begun > 0; }
    [[nodiscard]] UpdatePiece nextPiece() { return std::move(m_pieces.at(m_begun++)); }
    /// Shapes: [count]
    [[nodiscard]] at::Tensor gradient(const UpdateStretch& stretch) const;
    /// Of the parameter's copy; undefined: there is none. Shapes: [count]
    [[nodiscard]] at::Tensor parameter(const UpdateStretch& stretch) const;

    /// Of gradients and copies.
    [[nodiscard]] int64_t bytesOnDevice() const;
    /// The gradient of a parameter is used up. @returns  bytes that are free for that
    int64_t leaveGradient(int index);
    /// So are the copies. @returns  likewise
    int64_t leaveCopies();

    std::optional<c10::Event> made; ///< when the gradients are there, on a GPU

private:
    /// A parameter within the copy of some that lie behind one another.
    struct Copied {
        at::Tensor all; // uint8; undefined: it is only written, or comes from home
        int64_t begin = 0;
        int64_t bytes = 0;
        at::ScalarType type = at::kFloat;
    };
    [[nodiscard]] bool isRead(int index) const;
    void copyRun(int first, int end);

    Optimizer* m_optimizer;
    int m_block;
    uint64_t m_number;
    std::vector<at::Tensor> m_gradients; // by parameter
    std::vector<Copied> m_copies;        // likewise
    int64_t m_size = 0;
    std::vector<UpdatePiece> m_pieces;
    size_t m_begun = 0;
};

} // namespace homebooth::core
