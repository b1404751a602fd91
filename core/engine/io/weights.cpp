// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/io/weights.h"

#include "core/base/model/value_check.h"
#include "core/base/schedule/quantized_weights.h"
#include "core/engine/io/parameter_place.h"
#include "core/engine/io/read_ahead.h"
#include "core/engine/nn/stored_weight.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <mutex>
#include <unordered_map>

namespace homebooth::core {
namespace {

constexpr size_t kMostNamesShown = 5;

constexpr std::array<std::pair<DataType, at::ScalarType>, 10> kTypes{{
    {DataType::F64, at::kDouble},
    {DataType::F32, at::kFloat},
    {DataType::F16, at::kHalf},
    {DataType::BF16, at::kBFloat16},
    {DataType::I64, at::kLong},
    {DataType::I32, at::kInt},
    {DataType::I16, at::kShort},
    {DataType::I8, at::kChar},
    {DataType::U8, at::kByte},
    {DataType::Bool, at::kBool},
}};

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (size_t i = 0; i < std::min(names.size(), kMostNamesShown); ++i)
        text += (i > 0 ? ", " : "") + names[i];
    if (names.size() > kMostNamesShown)
        text += " and " + std::to_string(names.size() - kMostNamesShown) + " more";
    return text;
}

/// Calls `use` with the id of every parameter that the filter lets through, in execution order.
void forEach(const ParameterStore& store, const ParameterFilter& filter,
             const std::function<void(ParameterId, const ParameterSpec&)>& use) {
    const std::vector<BlockSpec>& blocks = store.schedule().blocks();
    for (size_t block = 0; block < blocks.size(); ++block)
        for (size_t index = 0; index < blocks[block].parameters.size(); ++index) {
            const ParameterSpec& spec = blocks[block].parameters[index];
            if (!filter || filter(spec)) use({static_cast<int>(block), static_cast<int>(index)}, spec);
        }
}

/// The memory of a dense tensor as one row, whatever its order.
at::Tensor asRow(const at::Tensor& tensor) {
    return tensor.as_strided({tensor.numel()}, {1});
}

/// Whether no element is NaN or infinite, nor would be in `type`: the least and the greatest tell, and need
/// no memory of the tensor's size.
bool allFiniteAs(at::ScalarType type, const at::Tensor& dense) {
    if (dense.numel() == 0) return true;
    const auto [least, most] = at::aminmax(asRow(dense));
    return std::isfinite(least.to(type).item<double>()) && std::isfinite(most.to(type).item<double>());
}

bool allFinite(const at::Tensor& dense) {
    return allFiniteAs(dense.scalar_type(), dense);
}

/// One tensor of a load.
struct PlannedTensor {
    ParameterId parameter;
    const TensorInfo* info; ///< of the source
};

/// What a load is going to do, checked before the first byte is read.
struct LoadPlan {
    std::vector<PlannedTensor> tensors; ///< in the source's order
    LoadReport report;
};

/// A disk that reads on and on is several times as fast as one that jumps about.
void sortLikeSource(std::vector<PlannedTensor>& tensors, const TensorSource& source) {
    std::unordered_map<const TensorInfo*, size_t> position;
    for (const TensorInfo& info : source.tensors()) position.emplace(source.find(info.name), position.size());
    std::sort(tensors.begin(), tensors.end(), [&](const PlannedTensor& a, const PlannedTensor& b) {
        return position.at(a.info) < position.at(b.info);
    });
}

Result<LoadPlan> planLoad(const ParameterStore& store, const TensorSource& source,
                          const LoadOptions& options) {
    LoadPlan plan;
    std::vector<std::string> mismatches;
    forEach(store, options.filter, [&](ParameterId id, const ParameterSpec& spec) {
        if (!weightOfScale(spec.name).empty()) return; // comes with its weight
        const TensorInfo* info = findTensor(source, spec.name);
        if (info == nullptr) {
            plan.report.missing.push_back(spec.name);
        } else if (info->shape != spec.shape || !isFloatingPoint(info->type)) {
            mismatches.push_back(spec.name + " (expected " + shapeText(spec.shape) + ", found " +
                                 shapeText(info->shape) + " " + std::string(dataTypeName(info->type)) + ")");
        } else {
            plan.tensors.push_back({id, info});
        }
    });
    if (!mismatches.empty())
        return badInput("loading weights: the configuration and the weights do not belong together: " +
                        listed(mismatches) + "; use the config.json that came with these weights");
    if (const size_t missing = plan.report.missing.size(); missing > 0 && !options.allowMissing)
        return badInput("loading weights: " + std::to_string(missing) +
                        (missing == 1 ? " tensor that the configuration asks for is"
                                      : " tensors that the configuration asks for are") +
                        " not in the file: " + listed(plan.report.missing) +
                        "; the file is incomplete or of another model");
    sortLikeSource(plan.tensors, source);
    return plan;
}

/// Reads one tensor into memory of its type and size.
Result<void> readFinite(const at::Tensor& target, const TensorInfo& info, const TensorSource& source) {
    const auto size = static_cast<size_t>(info.byteCount);
    HOMEBOOTH_CHECK(source.read(info.name, {static_cast<std::byte*>(target.data_ptr()), size}));
    if (allFinite(target)) return {};
    return badInput("loading weights: the tensor " + info.name +
                        " holds NaN or infinity, expected finite values; the file is damaged or its "
                        "training failed, take another copy or an earlier checkpoint",
                    fileOfTensor(source, info.name));
}

Error tooLarge(const TensorInfo& info, at::ScalarType type, const TensorSource& source) {
    return badInput("loading weights: the tensor " + info.name + " has values too large for " +
                        c10::toString(type) + "; choose fp32 or bf16",
                    fileOfTensor(source, info.name));
}

/// Reads one tensor: straight into its place where type and order agree, else through memory of its own.
Result<void> loadOne(const at::Tensor& parameter, const TensorInfo& info, const TensorSource& source) {
    const at::ScalarType type = scalarTypeOf(info.type);
    const bool direct =
        parameter.device().is_cpu() && parameter.scalar_type() == type && parameter.is_contiguous();
    const at::Tensor target = direct ? parameter : at::empty(parameter.sizes(), type);
    HOMEBOOTH_CHECK(readFinite(target, info, source));
    if (direct) return {};
    at::Tensor place = parameter;
    place.copy_(target);
    return allFinite(parameter) ? Result<void>() : tooLarge(info, parameter.scalar_type(), source);
}

/// Reads one weight and keeps it as integers and scales.
Result<void> loadQuantized(ParameterStore& store, ParameterId id, const TensorInfo& info,
                           const TensorSource& source) {
    const at::Tensor weight = at::empty(info.shape, scalarTypeOf(info.type));
    HOMEBOOTH_CHECK(readFinite(weight, info, source));
    const at::ScalarType type = store.options().type;
    if (weight.scalar_type() != type && !allFiniteAs(type, weight)) return tooLarge(info, type, source);
    putContents(store, id, weight);
    return {};
}

std::vector<const TensorInfo*> orderOf(const LoadPlan& plan) {
    std::vector<const TensorInfo*> order;
    for (const PlannedTensor& tensor : plan.tensors) order.push_back(tensor.info);
    return order;
}

/// Reads the tensors of a plan, several at a time: while one waits for the disk, others are checked,
/// converted and put in their place.
class Loading {
public:
    Loading(ParameterStore& store, const TensorSource& source, LoadPlan& plan, const CancelToken& cancel)
        : m_store(store)
        , m_source(source)
        , m_plan(plan)
        , m_cancel(cancel)
        , m_ahead(source, orderOf(plan)) {}

    Result<void> run() {
        constexpr int64_t kMostReaders = 4; // each holds a tensor or two
        const int64_t readers = std::min<int64_t>(at::get_num_threads(), kMostReaders);
        const Tier tier = currentTier(); // a thread's own
        at::parallel_for(0, readers, 1, [this, tier](int64_t, int64_t) {
            const TierScope staging(tier);
            while (const PlannedTensor* tensor = next()) read(*tensor);
        });
        if (m_error) return *m_error;
        return {};
    }

private:
    /// The next tensor. Null: all are taken, one failed, or nobody wants them any more.
    const PlannedTensor* next() {
        const std::lock_guard lock(m_mutex);
        m_plan.report.cancelled = m_plan.report.cancelled || m_cancel.requested();
        if (m_plan.report.cancelled || m_error || m_next == m_plan.tensors.size()) return nullptr;
        m_ahead.taken();
        return &m_plan.tensors[m_next++];
    }

    void read(const PlannedTensor& tensor) {
        try {
            const auto loaded = load(tensor);
            const std::lock_guard lock(m_mutex);
            if (!loaded && (!m_error || &tensor < m_faulty)) {
                m_error = loaded.error();
                m_faulty = &tensor;
            }
            if (m_error) return;
            ++m_plan.report.loadedCount;
            m_plan.report.readBytes += tensor.info->byteCount;
        } catch (...) {
            const std::lock_guard lock(m_mutex);
            m_next = m_plan.tensors.size(); // the others need not go on
            throw;
        }
    }

    [[nodiscard]] Result<void> load(const PlannedTensor& tensor) const {
        if (isQuantized(m_store, tensor.parameter))
            return loadQuantized(m_store, tensor.parameter, *tensor.info, m_source);
        return fillParameter(m_store, tensor.parameter, [&](const at::Tensor& target) {
            return loadOne(target, *tensor.info, m_source);
        });
    }

    ParameterStore& m_store;
    const TensorSource& m_source;
    LoadPlan& m_plan;
    const CancelToken& m_cancel;
    std::mutex m_mutex; // of all below and of the plan's report
    size_t m_next = 0;
    std::optional<Error> m_error; // of the first tensor in order that has one, whoever reads faster
    const PlannedTensor* m_faulty = nullptr;
    ReadAhead m_ahead;
};

uint64_t nameSeed(uint64_t seed, const std::string& name) {
    // FNV-1a (Fowler, Noll, Vo) over the name, started from the seed.
    uint64_t hash = 0xCBF29CE484222325ull ^ (seed * 0x9E3779B97F4A7C15ull);
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ull;
    return hash;
}

void initialise(at::Tensor parameter, const ParameterSpec& spec, uint64_t seed) {
    switch (spec.initialisation) {
    case Initialisation::Zeros:
        parameter.zero_();
        return;
    case Initialisation::Ones:
        parameter.fill_(1.0);
        return;
    case Initialisation::KaimingUniform:
    case Initialisation::Normal:
        break;
    }
    at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(nameSeed(seed, spec.name));
    const at::Tensor drawn = at::empty(spec.shape, at::kFloat);
    if (spec.initialisation == Initialisation::Normal) {
        drawn.normal_(0.0, spec.initialisationScale, generator);
    } else {
        // PyTorch's default for linear and convolution: Kaiming with a = sqrt(5) comes down to this bound.
        const double bound = 1.0 / std::sqrt(spec.initialisationScale);
        drawn.uniform_(-bound, bound, generator);
    }
    parameter.copy_(drawn);
}

} // namespace

Result<void> expectMerged(const at::Tensor& weight, at::ScalarType type, const std::string& name) {
    if (allFiniteAs(type, weight)) return {};
    const bool narrow = type == at::kHalf;
    std::string text = "adding a LoRA: expected numbers that ";
    text.append(narrow ? "fp16" : type == at::kBFloat16 ? "bf16" : "fp32");
    text.append(" holds, found NaN, infinity or larger ones in ").append(name);
    text.append(" with it; give the LoRA less weight, ");
    if (narrow) text.append("choose bf16 or fp32, ");
    return badInput(text.append("or leave it out"));
}

const TensorInfo* findTensor(const TensorSource& source, const std::string& name) {
    constexpr std::string_view kOptionalPrefix = "text_model."; // transformers 5 writes none
    if (const TensorInfo* info = source.find(name)) return info;
    return name.starts_with(kOptionalPrefix) ? source.find(name.substr(kOptionalPrefix.size())) : nullptr;
}

at::ScalarType scalarTypeOf(DataType type) {
    return std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& pair) { return pair.first == type; })
        ->second;
}

DataType dataTypeOf(at::ScalarType type) {
    const auto found =
        std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& pair) { return pair.second == type; });
    TORCH_CHECK(found != kTypes.end(), "tensor files have no type for ", c10::toString(type));
    return found->first;
}

Result<LoadReport> loadParameters(ParameterStore& store, const TensorSource& source,
                                  const LoadOptions& options) {
    HOMEBOOTH_ASSIGN(LoadPlan plan, planLoad(store, source, options));
    store.forgetNextPass(); // before several threads change its contents
    HOMEBOOTH_CHECK(Loading(store, source, plan, options.cancel).run());
    return std::move(plan.report);
}

void initialiseParameters(ParameterStore& store, uint64_t seed, const ParameterFilter& filter) {
    store.forgetNextPass();
    forEach(store, filter, [&](ParameterId id, const ParameterSpec& spec) {
        if (!weightOfScale(spec.name).empty()) return; // comes with its weight
        if (isQuantized(store, id)) {
            const at::Tensor weight = at::empty(spec.shape, at::kFloat);
            initialise(weight, spec, seed);
            return putContents(store, id, weight);
        }
        static_cast<void>(fillParameter(store, id, [&](const at::Tensor& target) {
            initialise(target, spec, seed);
            return Result<void>();
        }));
    });
}

StoreTensorSource::StoreTensorSource(std::vector<const ParameterStore*> stores, std::optional<DataType> type,
                                     const ParameterFilter& filter) {
    for (const ParameterStore* store : stores)
        forEach(*store, filter, [&](ParameterId id, const ParameterSpec& spec) {
            if (!weightOfScale(spec.name).empty()) return; // goes with its weight
            const at::ScalarType kept = store->parameter(id).scalar_type();
            const DataType own = dataTypeOf(isQuantized(*store, id) ? store->options().type : kept);
            m_byName.emplace(spec.name, m_tensors.size());
            m_tensors.push_back(makeTensorInfo(spec.name, type.value_or(own), spec.shape));
            m_origins.push_back({store, id});
        });
}

const TensorInfo* StoreTensorSource::find(std::string_view name) const {
    const auto found = m_byName.find(name);
    return found == m_byName.end() ? nullptr : &m_tensors[found->second];
}

Result<void> StoreTensorSource::read(std::string_view name, std::span<std::byte> destination) const {
    const auto found = m_byName.find(name);
    if (found == m_byName.end())
        return badInput("saving weights: the model has no parameter " + std::string(name));
    const TensorInfo& info = m_tensors[found->second];
    if (static_cast<int64_t>(destination.size()) != info.byteCount)
        return badInput("saving weights: the parameter " + info.name + " has " +
                        std::to_string(info.byteCount) + " bytes, the destination " +
                        std::to_string(destination.size()));
    const Origin& origin = m_origins[found->second];
    // Written through a tensor over the destination, so that cast and order change need no second buffer.
    at::Tensor target = at::from_blob(destination.data(), info.shape, scalarTypeOf(info.type));
    const auto held = origin.store->hold(origin.id, false);
    const at::Tensor parameter = origin.store->parameter(origin.id).detach();
    if (!isQuantized(*origin.store, origin.id)) {
        target.copy_(parameter);
        return {};
    }
    const ParameterId scales = scalesOf(*origin.store, origin.id);
    const auto alsoHeld = origin.store->hold(scales, false);
    target.copy_(StoredWeight(parameter, origin.store->parameter(scales)).whole(at::kFloat));
    return {};
}

} // namespace homebooth::core
