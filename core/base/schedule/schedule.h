// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A model as data: blocks with their parameters, wired in the one order in which they always run.
// Torch-free, so that files can be checked and memory planned without loading the engine; the engine turns
// every BlockSpec into a computing Block. Nothing here knows what a model is for.
//
// Invariants:
//   1. Values are in static single assignment: one node (or a graph input) defines a value, before its uses.
//   2. Parameter names are unique within a schedule and are the diffusers / transformers keys.
//   3. Parameters of a block are consecutive in the execution order; the chunk layout relies on it.
#pragma once

#include "core/base/util/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace homebooth::core {

/// How a parameter is filled when a model is trained from scratch.
enum class Initialisation { Zeros, Ones, KaimingUniform, Normal };

/// What a parameter is stored as, when that differs from the model's own type.
enum class StorageType {
    Model,
    Float32,
    Int8 ///< of a weight, with a scale for each of its rows; see quantized_weights.h
};

struct ParameterSpec {
    std::string name;           ///< full key, e.g. "down_blocks.0.resnets.0.conv1.weight"
    std::vector<int64_t> shape; ///< as in the file
    Initialisation initialisation = Initialisation::KaimingUniform;
    double initialisationScale = 1.0; ///< standard deviation of Normal; KaimingUniform: fan-in of the module
    bool trainable = true;
    StorageType storage = StorageType::Model;
    bool integerProducts = false; ///< of Int8: what is multiplied with it may become integers, too

    [[nodiscard]] int64_t elementCount() const;
    /// What it takes in a model whose own type has elements of `modelElementBytes`.
    [[nodiscard]] int64_t byteCount(int64_t modelElementBytes) const;
};

/// A low-rank addition to one weight: y += scale * up(down(dropout(x))).
/// Indices point into the parameters of the same block.
struct AdapterSpec {
    int weight = -1;
    int down = -1;
    int up = -1;
    double scale = 1.0; ///< alpha / rank
    double dropout = 0.0;
};

/// The size of a value, symbolic in batch, resolution and sequence length:
///   table (rows > 0):        [rows, channels], whatever the batch
///   spatial (downscale > 0): [batch, channels, height / downscale, width / downscale] of the model's input
///   sequence (tokens > 0):   [batch, tokens, channels]
///   otherwise:               [batch, channels]
struct ValueSpec {
    std::string name;
    int64_t channels = 0;
    int64_t downscale = 0;
    int64_t tokens = 0;
    int64_t rows = 0;
};

/// One block: a kind that the engine knows how to compute, its integer and real attributes and parameters.
struct BlockSpec {
    std::string kind; ///< e.g. "resnet", "transformer", "downsample"; see core/engine/models
    std::string name; ///< key prefix of its parameters without the final dot, e.g. "down_blocks.0.resnets.0"
    std::map<std::string, double> attributes;
    std::map<std::string, std::string> labels; ///< e.g. {"activation", "quick_gelu"}
    std::vector<ParameterSpec> parameters;
    std::vector<AdapterSpec> adapters;

    /// The attribute `key`; asserts that it is there.
    [[nodiscard]] double attribute(const std::string& key) const;
    [[nodiscard]] int64_t integer(const std::string& key) const {
        return static_cast<int64_t>(attribute(key));
    }
    [[nodiscard]] bool flag(const std::string& key) const;
    /// Index of the parameter `name + "." + relativeName`, or -1.
    [[nodiscard]] int parameterIndex(const std::string& relativeName) const;
    /// Index into `adapters` for the weight with this index, or -1.
    [[nodiscard]] int adapterIndex(int weightIndex) const;
    [[nodiscard]] int64_t parameterCount() const;
};

using ValueId = int;

struct Node {
    int block = -1;
    std::vector<ValueId> inputs;
    std::vector<ValueId> outputs;
};

/// The static order of blocks of one network.
class Schedule {
public:
    ValueId addInput(ValueSpec value);
    /// Appends a block and its node; returns the ids of its outputs, in order.
    std::vector<ValueId> add(BlockSpec block, std::vector<ValueId> inputs, std::vector<ValueSpec> outputs);
    void addOutput(ValueId value);

    [[nodiscard]] const std::vector<BlockSpec>& blocks() const { return m_blocks; }
    [[nodiscard]] std::vector<BlockSpec>& blocks() { return m_blocks; }
    [[nodiscard]] const std::vector<Node>& nodes() const { return m_nodes; }
    [[nodiscard]] const std::vector<ValueSpec>& values() const { return m_values; }
    [[nodiscard]] const std::vector<ValueId>& inputs() const { return m_inputs; }
    [[nodiscard]] const std::vector<ValueId>& outputs() const { return m_outputs; }

    /// Index of the last node that reads each value; the node count for graph outputs; -1 if unused.
    [[nodiscard]] std::vector<int> lastUses() const;
    /// Index of the first node that reads each value; the node count if none does.
    [[nodiscard]] std::vector<int> firstUses() const;
    [[nodiscard]] int64_t parameterCount() const;
    [[nodiscard]] int64_t trainableCount() const;

private:
    std::vector<BlockSpec> m_blocks;
    std::vector<Node> m_nodes; // one per block, in execution order
    std::vector<ValueSpec> m_values;
    std::vector<ValueId> m_inputs;
    std::vector<ValueId> m_outputs;
};

} // namespace homebooth::core
