// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Loading, saving and initialising parameters: conversions, refusals, and no second copy in memory.
#include "core/base/arch/clip_layout.h"
#include "core/base/schedule/quantized_weights.h"
#include "core/engine/io/weights.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <malloc.h>
#include <mutex>
#include <unistd.h>

using namespace homebooth::core;

namespace {

/// Tensors held in memory, by name.
class MemorySource : public TensorSource {
public:
    void add(const std::string& name, const at::Tensor& tensor) {
        const at::Tensor dense = tensor.contiguous();
        m_tensors.push_back(makeTensorInfo(name, dataTypeOf(dense.scalar_type()), dense.sizes().vec()));
        m_data[name] = dense;
    }
    const std::vector<TensorInfo>& tensors() const override { return m_tensors; }
    const TensorInfo* find(std::string_view name) const override {
        for (const TensorInfo& info : m_tensors)
            if (info.name == name) return &info;
        return nullptr;
    }
    Result<void> read(std::string_view name, std::span<std::byte> destination) const override {
        {
            const std::lock_guard lock(*m_mutex); // several threads read
            m_readNames.emplace_back(name);
        }
        const at::Tensor& tensor = m_data.at(std::string(name));
        std::memcpy(destination.data(), tensor.data_ptr(), destination.size());
        return {};
    }
    const std::vector<std::string>& readNames() const { return m_readNames; }

private:
    std::vector<TensorInfo> m_tensors;
    std::map<std::string, at::Tensor> m_data;
    std::unique_ptr<std::mutex> m_mutex = std::make_unique<std::mutex>();
    mutable std::vector<std::string> m_readNames;
};

ParameterSpec parameter(const std::string& name, std::vector<int64_t> shape) {
    ParameterSpec spec;
    spec.name = name;
    spec.shape = std::move(shape);
    return spec;
}

Schedule scheduleOf(const std::vector<ParameterSpec>& parameters) {
    Schedule schedule;
    const ValueId input = schedule.addInput({.name = "x"});
    BlockSpec block;
    block.kind = "test";
    block.parameters = parameters;
    schedule.addOutput(schedule.add(std::move(block), {input}, {{.name = "y"}}).front());
    return schedule;
}

/// A convolution, whose order in memory differs from the file's, and a vector.
Schedule smallSchedule() {
    return scheduleOf({parameter("conv.weight", {4, 3, 3, 3}), parameter("conv.bias", {4})});
}

MemorySource smallSource() {
    MemorySource source;
    source.add("conv.weight", at::randn({4, 3, 3, 3}));
    source.add("conv.bias", at::randn({4}));
    source.add("something.else", at::zeros({1}, at::kLong));
    return source;
}

at::Tensor fetch(const TensorSource& source, const std::string& name) {
    const TensorInfo* info = source.find(name);
    at::Tensor tensor = at::empty(info->shape, scalarTypeOf(info->type));
    const auto bytes = static_cast<size_t>(info->byteCount);
    EXPECT_TRUE(source.read(name, {static_cast<std::byte*>(tensor.data_ptr()), bytes}).ok());
    return tensor;
}

std::string refusalOf(ParameterStore& store, const TensorSource& source, const LoadOptions& options = {}) {
    const auto report = loadParameters(store, source, options);
    return report ? std::string() : report.error().text();
}

void expectContains(const std::string& text, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << text;
}

int64_t peakResidentBytes() {
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word)
        if (word == "VmHWM:") {
            int64_t kibibytes = 0;
            status >> kibibytes;
            return kibibytes * 1024;
        }
    return 0;
}

} // namespace

TEST(Weights, areReadInTheSourcesOrder) {
    const Schedule schedule = smallSchedule(); // its weight comes first
    MemorySource source;
    source.add("conv.bias", at::randn({4}));
    source.add("conv.weight", at::randn({4, 3, 3, 3}));
    ParameterStore store(schedule, {});
    at::set_num_threads(1);
    ASSERT_TRUE(loadParameters(store, source).ok());
    const std::vector<std::string> expected = {"conv.bias", "conv.weight"};
    EXPECT_EQ(source.readNames(), expected);
}

TEST(Weights, areTheSameHoweverManyThreadsReadThem) {
    std::vector<ParameterSpec> specs;
    MemorySource source;
    for (int64_t i = 0; i < 50; ++i) {
        specs.push_back(parameter("row" + std::to_string(i), {3 + i}));
        source.add(specs.back().name, at::randn({3 + i}, at::kDouble));
    }
    const Schedule schedule = scheduleOf(specs);
    for (const int threads : {1, 2, 7}) {
        at::set_num_threads(threads);
        ParameterStore store(schedule, {});
        const auto report = loadParameters(store, source);
        ASSERT_TRUE(report.ok());
        EXPECT_EQ(report->loadedCount, 50);
        for (const ParameterSpec& spec : specs)
            EXPECT_TRUE(
                at::equal(store.parameter(store.find(spec.name)), fetch(source, spec.name).to(at::kFloat)));
    }
}

TEST(Weights, arriveUnchangedWhateverTheirOrderInMemory) {
    const Schedule schedule = smallSchedule();
    const MemorySource source = smallSource();
    ParameterStore store(schedule, {});
    const auto report = loadParameters(store, source);
    ASSERT_TRUE(report.ok()) << report.error().text();
    EXPECT_EQ(report.value().loadedCount, 2);
    EXPECT_EQ(report.value().readBytes, (4 * 27 + 4) * 4);
    for (const char* name : {"conv.weight", "conv.bias"})
        EXPECT_TRUE(at::equal(store.parameter(store.find(name)), fetch(source, name))) << name;
}

TEST(Weights, areConvertedToTheStoresType) {
    const Schedule schedule = smallSchedule();
    const MemorySource source = smallSource();
    for (const at::ScalarType type : {at::kHalf, at::kBFloat16, at::kFloat}) {
        ParameterStore store(schedule, {.type = type});
        ASSERT_TRUE(loadParameters(store, source).ok());
        EXPECT_TRUE(
            at::equal(store.parameter(store.find("conv.weight")), fetch(source, "conv.weight").to(type)));
        EXPECT_TRUE(at::equal(store.parameter(store.find("conv.bias")), fetch(source, "conv.bias").to(type)));
    }
}

TEST(Weights, leaveTheStoreByNameAndInTheAskedType) {
    const Schedule schedule = smallSchedule();
    ParameterStore store(schedule, {});
    initialiseParameters(store, 1);
    const StoreTensorSource same({&store}, std::nullopt);
    const StoreTensorSource half({&store}, DataType::F16);
    EXPECT_EQ(same.tensors().size(), 2u);
    EXPECT_EQ(half.find("conv.weight")->byteCount, 4 * 27 * 2);
    const at::Tensor weight = store.parameter(store.find("conv.weight"));
    EXPECT_TRUE(at::equal(fetch(same, "conv.weight"), weight));
    EXPECT_TRUE(at::equal(fetch(half, "conv.weight"), weight.to(at::kHalf)));
    ParameterStore again(schedule, {});
    ASSERT_TRUE(loadParameters(again, same).ok());
    EXPECT_TRUE(at::equal(again.parameter(again.find("conv.weight")), weight));

    std::vector<std::byte> tooSmall(3);
    EXPECT_FALSE(same.read("conv.bias", tooSmall).ok());
    EXPECT_FALSE(same.read("nothing", tooSmall).ok());
}

TEST(Weights, filtersChooseWhatIsLoadedAndSaved) {
    const Schedule schedule = smallSchedule();
    ParameterStore store(schedule, {});
    store.parameter(store.find("conv.weight")).fill_(7.0);
    const ParameterFilter biases = [](const ParameterSpec& spec) { return spec.name.ends_with("bias"); };
    ASSERT_TRUE(loadParameters(store, smallSource(), {.filter = biases}).ok());
    EXPECT_EQ(store.parameter(store.find("conv.weight")).min().item<float>(), 7.0f);
    EXPECT_EQ(StoreTensorSource({&store}, std::nullopt, biases).tensors().size(), 1u);
}

TEST(Weights, missingTensorsAreNamedUnlessAllowed) {
    const Schedule schedule = smallSchedule();
    ParameterStore store(schedule, {});
    store.parameter(store.find("conv.bias")).fill_(3.0);
    MemorySource source;
    source.add("conv.weight", at::randn({4, 3, 3, 3}));
    expectContains(refusalOf(store, source),
                   {"1 tensor that the configuration asks for is not", "conv.bias", "incomplete"});
    const auto report = loadParameters(store, source, {.allowMissing = true});
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report.value().missing, std::vector<std::string>{"conv.bias"});
    EXPECT_EQ(store.parameter(store.find("conv.bias")).sum().item<float>(), 12.0f);
}

TEST(Weights, wrongShapesAreRefusedBeforeAnythingIsRead) {
    const Schedule schedule = smallSchedule();
    ParameterStore store(schedule, {});
    store.parameter(store.find("conv.weight")).fill_(7.0);
    MemorySource source;
    source.add("conv.weight", at::randn({4, 3, 3, 3}));
    source.add("conv.bias", at::randn({5}));
    expectContains(refusalOf(store, source), {"conv.bias", "[4]", "[5]", "config.json"});
    EXPECT_EQ(store.parameter(store.find("conv.weight")).min().item<float>(), 7.0f);
}

TEST(Weights, integersAreNoWeights) {
    const Schedule schedule = smallSchedule();
    ParameterStore store(schedule, {});
    MemorySource source;
    source.add("conv.weight", at::randn({4, 3, 3, 3}));
    source.add("conv.bias", at::ones({4}, at::kInt));
    expectContains(refusalOf(store, source), {"conv.bias", "I32"});
}

TEST(Weights, theFirstTensorThatIsNotFiniteIsNamed) {
    const Schedule schedule = smallSchedule();
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
          -std::numeric_limits<double>::infinity()})
        for (const at::ScalarType type : {at::kFloat, at::kHalf, at::kBFloat16}) {
            MemorySource source;
            at::Tensor weight = at::randn({4, 3, 3, 3});
            weight.select(0, 2).fill_(bad);
            source.add("conv.weight", weight.to(type));
            source.add("conv.bias", at::full({4}, bad));
            ParameterStore store(schedule, {});
            expectContains(refusalOf(store, source), {"conv.weight", "NaN or infinity"});
        }
}

TEST(Weights, valuesThatDoNotFitAreRefused) {
    const Schedule schedule = smallSchedule();
    MemorySource source;
    source.add("conv.weight", at::randn({4, 3, 3, 3}) * 1e6);
    source.add("conv.bias", at::zeros({4}));
    ParameterStore store(schedule, {.type = at::kHalf});
    expectContains(refusalOf(store, source), {"conv.weight", "too large", "bf16"});
    ParameterStore wide(schedule, {.type = at::kBFloat16});
    EXPECT_EQ(refusalOf(wide, source), "");
}

/// Their scales would hold them, but what is computed with would not.
TEST(Weights, integersOfValuesThatDoNotFitAreRefusedAsWell) {
    const Schedule schedule = frozenSchedule(smallSchedule(), Quantization::Int8);
    ASSERT_EQ(schedule.blocks().front().parameters.front().storage, StorageType::Int8);
    for (const auto& [type, factor] : {std::pair(at::kHalf, 1e6), std::pair(at::kFloat, 1e39)}) {
        MemorySource source;
        source.add("conv.weight", at::randn({4, 3, 3, 3}, at::kDouble) * factor);
        source.add("conv.bias", at::zeros({4}));
        ParameterStore store(schedule, {.type = type});
        expectContains(refusalOf(store, source), {"conv.weight", "too large"});
    }
}

TEST(Weights, textEncodersLoadWithoutTheirPrefix) {
    const Schedule schedule = scheduleOf({parameter("text_model.final_layer_norm.weight", {4})});
    ParameterStore store(schedule, {});
    MemorySource source;
    source.add("final_layer_norm.weight", at::full({4}, 2.0));
    ASSERT_TRUE(loadParameters(store, source).ok());
    EXPECT_EQ(store.parameter({0, 0}).sum().item<float>(), 8.0f);
}

TEST(Weights, loadingStopsBetweenTensors) {
    /// Its reader is asked to stop while the first tensor is read.
    class Interrupted : public MemorySource {
    public:
        Result<void> read(std::string_view name, std::span<std::byte> destination) const override {
            cancel.request();
            ++reads;
            return MemorySource::read(name, destination);
        }
        CancelToken cancel;
        mutable int reads = 0;
    } source;
    source.add("conv.weight", at::randn({4, 3, 3, 3}));
    source.add("conv.bias", at::randn({4}));
    const Schedule schedule = smallSchedule();
    ParameterStore store(schedule, {});
    LoadOptions options;
    options.cancel = source.cancel;
    at::set_num_threads(1);
    const auto report = loadParameters(store, source, options);
    ASSERT_TRUE(report);
    EXPECT_TRUE(report->cancelled);
    EXPECT_EQ(report->loadedCount, 1);
    EXPECT_EQ(source.reads, 1);
}

/// By how much the kernel's count of resident pages may be wrong: what each processor has not added to
/// it yet. Bounded, so that a tensor more a reader is still seen.
int64_t residentSlackBytes() {
    constexpr int64_t kLeast = int64_t{1} << 20;
    constexpr int64_t kMost = int64_t{12} << 20;
    const int64_t processors = ::sysconf(_SC_NPROCESSORS_ONLN);
    const int64_t pages = processors * std::max<int64_t>(32, 2 * processors);
    return std::clamp(pages * ::sysconf(_SC_PAGESIZE), kLeast, kMost);
}

TEST(Weights, loadingTakesTheStoreAndTwoTensorsAReader) {
    /// A source that makes its data while it is read, so that only the loader's own memory counts.
    class PatternSource : public MemorySource {
    public:
        Result<void> read(std::string_view, std::span<std::byte> destination) const override {
            std::memset(destination.data(), 0, destination.size());
            return {};
        }
        const std::vector<TensorInfo>& tensors() const override { return infos; }
        const TensorInfo* find(std::string_view name) const override {
            for (const TensorInfo& info : infos)
                if (info.name == name) return &info;
            return nullptr;
        }
        std::vector<TensorInfo> infos;
    };
    constexpr int64_t kMebibyte = 1 << 20;
    constexpr int kCount = 24;
    PatternSource source;
    std::vector<ParameterSpec> parameters;
    for (int i = 0; i < kCount; ++i) { // 8 MiB each in fp32; convolutions change their order on the way
        const std::vector<int64_t> shape{512, 512, 2, 4};
        parameters.push_back(parameter("p" + std::to_string(i), shape));
        source.infos.push_back(makeTensorInfo("p" + std::to_string(i), DataType::F32, shape));
    }
    const Schedule schedule = scheduleOf(parameters);
    constexpr int kReaders = 2;
    at::set_num_threads(kReaders);
    mallopt(M_MMAP_THRESHOLD, kMebibyte); // what is freed is gone, instead of counting as resident heap
    std::ofstream peak("/proc/self/clear_refs");
    if (!(peak << 5 << std::flush)) GTEST_SKIP() << "this system does not let a peak start again";
    const int64_t before = peakResidentBytes();
    ParameterStore store(schedule, {});
    ASSERT_TRUE(loadParameters(store, source).ok());
    const int64_t taken = peakResidentBytes() - before;
    const int64_t slack = residentSlackBytes();
    EXPECT_GE(taken, kCount * 8 * kMebibyte - slack);
    // The store, two tensors on the way of each reader, and what the heap takes besides.
    EXPECT_LE(taken, kCount * 8 * kMebibyte + kReaders * 2 * 8 * kMebibyte + 3 * kMebibyte + slack);
}

TEST(Initialisation, dependsOnSeedAndNameOnly) {
    const Schedule forward = scheduleOf({parameter("a", {64, 8}), parameter("b", {64, 8})});
    const Schedule backward = scheduleOf({parameter("b", {64, 8}), parameter("a", {64, 8})});
    ParameterStore first(forward, {});
    ParameterStore::Options small;
    small.chunkBytes = 512;
    ParameterStore second(backward, small);
    ParameterStore third(forward, {});
    initialiseParameters(first, 5);
    initialiseParameters(second, 5);
    initialiseParameters(third, 6);
    for (const char* name : {"a", "b"}) {
        EXPECT_TRUE(at::equal(first.parameter(first.find(name)), second.parameter(second.find(name))));
        EXPECT_FALSE(at::equal(first.parameter(first.find(name)), third.parameter(third.find(name))));
    }
    EXPECT_FALSE(at::equal(first.parameter(first.find("a")), first.parameter(first.find("b"))));
}

TEST(Initialisation, hasTheSpecifiedDistribution) {
    ParameterSpec uniform = parameter("uniform", {100000});
    uniform.initialisationScale = 16.0; // fan-in
    ParameterSpec normal = parameter("normal", {100000});
    normal.initialisation = Initialisation::Normal;
    normal.initialisationScale = 0.02;
    ParameterSpec ones = parameter("ones", {8});
    ones.initialisation = Initialisation::Ones;
    ParameterSpec zeros = parameter("zeros", {8});
    zeros.initialisation = Initialisation::Zeros;
    const Schedule schedule = scheduleOf({uniform, normal, ones, zeros});
    ParameterStore store(schedule, {});
    initialiseParameters(store, 3);
    const at::Tensor u = store.parameter({0, 0});
    EXPECT_LE(u.abs().max().item<double>(), 0.25);
    EXPECT_NEAR(u.std().item<double>(), 0.25 / std::sqrt(3.0), 0.002);
    EXPECT_NEAR(u.mean().item<double>(), 0.0, 0.002);
    EXPECT_NEAR(store.parameter({0, 1}).std().item<double>(), 0.02, 0.0003);
    EXPECT_EQ(store.parameter({0, 2}).sum().item<double>(), 8.0);
    EXPECT_EQ(store.parameter({0, 3}).abs().sum().item<double>(), 0.0);
}

TEST(Initialisation, isDrawnInFp32ThenCast) {
    const Schedule schedule = scheduleOf({parameter("a", {64, 8})});
    ParameterStore wide(schedule, {});
    ParameterStore narrow(schedule, {.type = at::kBFloat16});
    initialiseParameters(wide, 9);
    initialiseParameters(narrow, 9);
    EXPECT_TRUE(at::equal(narrow.parameter({0, 0}), wide.parameter({0, 0}).to(at::kBFloat16)));
}

TEST(Types, goBothWays) {
    for (const DataType type : {DataType::F64, DataType::F32, DataType::F16, DataType::BF16, DataType::I64,
                                DataType::I32, DataType::I16, DataType::I8, DataType::U8, DataType::Bool}) {
        EXPECT_EQ(dataTypeOf(scalarTypeOf(type)), type);
        EXPECT_EQ(static_cast<int64_t>(c10::elementSize(scalarTypeOf(type))), byteWidth(type));
    }
    EXPECT_THROW(static_cast<void>(dataTypeOf(at::kComplexFloat)), c10::Error);
}
