// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/pickle/torch_tensors.h"

#include "core/base/formats/safetensors_header.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace homebooth::core {
namespace {

using Kind = PickleValue::Kind;

constexpr size_t kMostNameBytes = size_t{16} << 20; // of all tensors together
constexpr std::string_view kRebuild = "torch._utils._rebuild_";

/// Classes of values, without a module's functions that do anything.
constexpr std::array<std::string_view, 54> kHarmless{"_codecs.encode",
                                                     "__builtin__.bytearray",
                                                     "__builtin__.complex",
                                                     "__builtin__.dict",
                                                     "__builtin__.frozenset",
                                                     "__builtin__.int",
                                                     "__builtin__.list",
                                                     "__builtin__.long",
                                                     "__builtin__.set",
                                                     "__builtin__.slice",
                                                     "__builtin__.tuple",
                                                     "__builtin__.xrange",
                                                     "argparse.Namespace",
                                                     "builtins.bytearray",
                                                     "builtins.complex",
                                                     "builtins.dict",
                                                     "builtins.frozenset",
                                                     "builtins.int",
                                                     "builtins.list",
                                                     "builtins.range",
                                                     "builtins.set",
                                                     "builtins.slice",
                                                     "builtins.tuple",
                                                     "collections.Counter",
                                                     "collections.OrderedDict",
                                                     "collections.defaultdict",
                                                     "collections.deque",
                                                     "datetime.date",
                                                     "datetime.datetime",
                                                     "datetime.timedelta",
                                                     "numpy.core.multiarray._reconstruct",
                                                     "numpy.core.multiarray.scalar",
                                                     "numpy.core.numeric._frombuffer",
                                                     "numpy._core.multiarray._reconstruct",
                                                     "numpy._core.multiarray.scalar",
                                                     "numpy._core.numeric._frombuffer",
                                                     "numpy.dtype",
                                                     "numpy.ndarray",
                                                     "pathlib.PosixPath",
                                                     "pathlib.WindowsPath",
                                                     "torch.Size",
                                                     "torch.Tensor",
                                                     "torch.device",
                                                     "torch.nn.modules.container.ParameterDict",
                                                     "torch.nn.modules.container.ParameterList",
                                                     "torch.nn.parameter.Buffer",
                                                     "torch.nn.parameter.Parameter",
                                                     "torch.nn.parameter.UninitializedParameter",
                                                     "torch.per_channel_affine",
                                                     "torch.per_tensor_affine",
                                                     "torch.torch_version.TorchVersion",
                                                     "torch._tensor._rebuild_from_type_v2",
                                                     "torch.serialization._get_layout",
                                                     "typing.Any"};
/// Settings and notes that trainers keep beside weights.
constexpr std::array<std::string_view, 4> kTrainers{"pytorch_lightning.", "lightning.pytorch.",
                                                    "lightning_fabric.", "omegaconf."};

struct NamedType {
    std::string_view name;
    std::optional<DataType> type;
    int64_t otherWidth = 1; // bytes of a number, where models do not have the type

    [[nodiscard]] int64_t width() const { return type ? byteWidth(*type) : otherWidth; }
};

/// Of storages and of numbers, behind "torch.".
constexpr std::array<NamedType, 41> kTypes{{{"DoubleStorage", DataType::F64},
                                            {"FloatStorage", DataType::F32},
                                            {"HalfStorage", DataType::F16},
                                            {"BFloat16Storage", DataType::BF16},
                                            {"LongStorage", DataType::I64},
                                            {"IntStorage", DataType::I32},
                                            {"ShortStorage", DataType::I16},
                                            {"CharStorage", DataType::I8},
                                            {"ByteStorage", DataType::U8},
                                            {"BoolStorage", DataType::Bool},
                                            {"storage.UntypedStorage", DataType::U8},
                                            {"UntypedStorage", DataType::U8},
                                            {"ComplexFloatStorage", {}, 8},
                                            {"ComplexDoubleStorage", {}, 16},
                                            {"QInt8Storage", {}, 1},
                                            {"QInt32Storage", {}, 4},
                                            {"QUInt8Storage", {}, 1},
                                            {"float64", DataType::F64},
                                            {"float32", DataType::F32},
                                            {"float16", DataType::F16},
                                            {"bfloat16", DataType::BF16},
                                            {"int64", DataType::I64},
                                            {"int32", DataType::I32},
                                            {"int16", DataType::I16},
                                            {"int8", DataType::I8},
                                            {"uint8", DataType::U8},
                                            {"bool", DataType::Bool},
                                            {"complex64", {}, 8},
                                            {"complex128", {}, 16},
                                            {"float8_e4m3fn", {}, 1},
                                            {"float8_e5m2", {}, 1},
                                            {"qint8", {}, 1},
                                            {"qint32", {}, 4},
                                            {"quint8", {}, 1},
                                            {"uint16", {}, 2},
                                            {"uint32", {}, 4},
                                            {"uint64", {}, 8},
                                            {"complex32", {}, 4},
                                            {"float8_e4m3fnuz", {}, 1},
                                            {"float8_e5m2fnuz", {}, 1},
                                            {"float8_e8m0fnu", {}, 1}}};

const NamedType* typeOf(std::string_view global) {
    constexpr std::string_view kModule = "torch.";
    constexpr std::string_view kOfCuda = "cuda.";
    if (!global.starts_with(kModule)) return nullptr;
    global.remove_prefix(kModule.size());
    if (global.starts_with(kOfCuda)) global.remove_prefix(kOfCuda.size());
    const auto* const found =
        std::find_if(kTypes.begin(), kTypes.end(), [&](const NamedType& one) { return one.name == global; });
    return found == kTypes.end() ? nullptr : found;
}

bool isHarmless(std::string_view global) {
    const auto begins = [&](std::string_view module) { return global.starts_with(module); };
    return typeOf(global) != nullptr || begins(kRebuild) ||
           std::find(kHarmless.begin(), kHarmless.end(), global) != kHarmless.end() ||
           std::any_of(kTrainers.begin(), kTrainers.end(), begins);
}

/// The items of a tuple or list; else none.
const std::vector<const PickleValue*>& itemsOf(const PickleValue& value) {
    static const std::vector<const PickleValue*> kNone;
    return value.kind == Kind::Sequence ? value.items : kNone;
}

/// What a tensor or parameter was put together from: its function's name and arguments, as nobody called it.
struct Recipe {
    std::string_view function; ///< behind kRebuild; empty: it is no tensor
    const PickleValue* arguments = nullptr;
};

Recipe recipeOf(const PickleValue* value) {
    constexpr int kMostWrapped = 4;
    for (int i = 0; i < kMostWrapped && value->kind == Kind::Call; ++i) {
        const PickleValue& function = *value->items[0];
        const PickleValue& arguments = *value->items[1];
        const auto& items = itemsOf(arguments);
        if (function.kind != Kind::Global || items.empty()) return {};
        if (function.text == "torch._tensor._rebuild_from_type_v2" && items.size() >= 3 &&
            items[0]->kind == Kind::Global && items[0]->text.starts_with(kRebuild))
            return {std::string_view(items[0]->text).substr(kRebuild.size()), items[2]};
        if (!function.text.starts_with(kRebuild)) return {};
        const std::string_view what = std::string_view(function.text).substr(kRebuild.size());
        if (!what.starts_with("parameter")) return {what, &arguments};
        value = items[0];
    }
    return {};
}

/// Numbers of a shape or of strides, none of them negative.
std::optional<std::vector<int64_t>> numbersOf(const PickleValue& value) {
    const bool isSize = value.kind == Kind::Call && value.items[0]->isGlobal("torch.Size") &&
                        !itemsOf(*value.items[1]).empty();
    const PickleValue& plain = isSize ? *itemsOf(*value.items[1]).front() : value;
    if (plain.kind != Kind::Sequence || plain.items.size() > kRankLimit) return std::nullopt;
    std::vector<int64_t> numbers;
    for (const PickleValue* const item : plain.items) {
        if (item->kind != Kind::Integer || item->integer < 0) return std::nullopt;
        numbers.push_back(item->integer);
    }
    return numbers;
}

/// Whether every element lies in the storage. @param elements  of that
bool staysWithin(const TorchTensor& tensor, int64_t elements) {
    int64_t last = tensor.begin;
    for (size_t axis = 0; axis < tensor.info.shape.size(); ++axis) {
        const int64_t extent = tensor.info.shape[axis];
        if (extent == 0) return tensor.begin <= elements;
        int64_t reach = 0;
        if (__builtin_mul_overflow(extent - 1, tensor.strides[axis], &reach) ||
            __builtin_add_overflow(last, reach, &last))
            return false;
    }
    return last < elements;
}

/// Whether no more bytes are described than there may be, for a tensor that repeats its numbers.
bool repeatsLittle(const TorchTensor& tensor, int64_t mostBytes) {
    int64_t count = 1;
    for (const int64_t extent : tensor.info.shape)
        if (__builtin_mul_overflow(count, extent, &count)) return false;
    return count <= mostBytes / byteWidth(tensor.info.type);
}

class TensorSearch {
public:
    TensorSearch(const Pickle& pickle, int64_t mostBytes)
        : m_pickle(pickle)
        , m_mostBytes(mostBytes) {}

    Result<TorchContent> run() {
        for (const PickleValue& value : m_pickle.values)
            if (value.kind == Kind::Persistent) HOMEBOOTH_CHECK(addStorage(value));
        HOMEBOOTH_CHECK(search(*m_pickle.value, "", 0));
        return std::move(m_found);
    }

private:
    static Error fault(const std::string& what) {
        return badInput(what + "; copy or download the file again");
    }
    /// Of what is right in its way, but not read here.
    static Error notRead(const std::string& what) {
        return badInput(what + "; get the .safetensors version");
    }

    /// ("storage", type, key, place, elements[, view]).
    Result<void> addStorage(const PickleValue& value) {
        const auto& id = itemsOf(*value.items[0]);
        if (id.size() < 5 || !id[0]->isText() || id[0]->text != "storage" || id[1]->kind != Kind::Global ||
            !id[2]->isText() || id[4]->kind != Kind::Integer || id[4]->integer < 0)
            return fault("expected the place of a tensor's numbers, found something else");
        if (id[2]->text.size() > kNameLimitBytes)
            return fault("expected a short key of a storage, found a long one");
        if (id.size() > 5 && id[5]->kind != Kind::None)
            return notRead("expected whole storages, found a part of one, as very old files have them");
        const NamedType* const type = typeOf(id[1]->text);
        if (type == nullptr) return notRead("expected a type of numbers, found " + printable(id[1]->text));
        const TorchStorage storage{type->type, type->width(), id[4]->integer};
        if (storage.elements > m_mostBytes / storage.width)
            return fault("expected at most " + std::to_string(m_mostBytes) + " bytes in storage " +
                         printable(id[2]->text) + ", found " + std::to_string(id[4]->integer) + " numbers");
        if (m_found.storages.try_emplace(id[2]->text, storage).first->second != storage)
            return fault("expected one description of storage " + printable(id[2]->text) + ", found two");
        return {};
    }

    /// A dict, or that which a module of parameters keeps among its attributes; else null.
    const PickleValue* dictOf(const PickleValue& value) {
        if (value.kind == Kind::Dict) return &value;
        const bool keeps = value.kind == Kind::Call && value.items.size() > 2 &&
                           value.items[0]->isGlobal("torch.nn.modules.container.ParameterDict") &&
                           value.items[2]->kind == Kind::Dict;
        if (!keeps) return nullptr;
        const PickleValue& attributes = *value.items[2];
        const auto [known, isNew] = m_parameters.try_emplace(&attributes, nullptr);
        if (!isNew) return known->second;
        const PickleValue* const kept = attributes.at("_parameters");
        if (kept != nullptr && kept->kind == Kind::Dict) known->second = kept;
        return known->second;
    }

    /// @param depth  so that dicts which lead to each other come to an end
    Result<void> search(const PickleValue& dict, const std::string& prefix, int depth) {
        constexpr int kDeepest = 6;
        if (dict.kind != Kind::Dict || depth > kDeepest || !m_seen.insert(&dict).second) return {};
        noteStep(dict);
        const PickleValue* const inner = dict.at("state_dict");
        if (inner != nullptr && inner->kind == Kind::Dict) return search(*inner, prefix, depth + 1);
        for (size_t i = 0; i + 1 < dict.items.size(); i += 2) {
            const PickleValue& key = *dict.items[i];
            const PickleValue& value = *dict.items[i + 1];
            const Recipe recipe = recipeOf(&value);
            const PickleValue* const inside = dictOf(value);
            const bool named = key.isText() || key.kind == Kind::Integer;
            if (!named || (inside == nullptr && !isTensor(recipe))) continue; // nothing of a model
            if (key.text.size() > kNameLimitBytes)
                return notRead("expected short names, found one that is long");
            const std::string name = prefix + (key.isText() ? key.text : std::to_string(key.integer));
            if (inside != nullptr)
                HOMEBOOTH_CHECK(search(*inside, name + ".", depth + 1));
            else
                HOMEBOOTH_CHECK(addTensor(name, recipe));
        }
        return {};
    }

    void noteStep(const PickleValue& dict) {
        const PickleValue* const step = dict.at("global_step");
        if (step != nullptr && step->kind == Kind::Integer)
            m_found.metadata.emplace("global_step", std::to_string(step->integer));
    }

    static bool isTensor(const Recipe& recipe) {
        return recipe.function == "tensor" || recipe.function == "tensor_v2" ||
               recipe.function == "tensor_v3";
    }

    /// What is to be done with the numbers besides, such as to change their signs.
    static bool saysMore(const Recipe& recipe) {
        const auto& from = itemsOf(*recipe.arguments);
        return recipe.function == "tensor_v2" && from.size() > 6 && from[6]->kind != Kind::None &&
               !(from[6]->kind == Kind::Dict && from[6]->items.empty());
    }

    Result<void> addTensor(const std::string& name, const Recipe& recipe) {
        const auto& from = itemsOf(*recipe.arguments);
        if (const auto wrong = nameFault(name)) return notRead("expected the name of a tensor: " + *wrong);
        const auto unclear = [&] {
            return fault("expected where the tensor \"" + name + "\" lies, found nothing clear");
        };
        if (from.size() < 4 || from[0]->kind != Kind::Persistent || from[1]->kind != Kind::Integer ||
            from[1]->integer < 0)
            return unclear();
        auto shape = numbersOf(*from[2]);
        auto strides = numbersOf(*from[3]);
        if (!shape || !strides || shape->size() != strides->size()) return unclear();
        const std::string& key = itemsOf(*from[0]->items[0])[2]->text;
        const TorchStorage& storage = m_found.storages.at(key);
        std::optional<DataType> type = storage.type;
        if (recipe.function == "tensor_v3") { // whose storages are of bytes
            const NamedType* const own =
                from.size() > 6 && from[6]->kind == Kind::Global ? typeOf(from[6]->text) : nullptr;
            if (own == nullptr) return unclear();
            type = own->type;
        }
        if (!type) return {}; // models do not have it
        TorchTensor tensor{{name, *type, std::move(*shape), 0}, key, from[1]->integer, std::move(*strides)};
        if (saysMore(recipe))
            return notRead("expected plain numbers in the tensor \"" + name + "\", found more");
        if (!repeatsLittle(tensor, m_mostBytes))
            return notRead("the tensor \"" + name + "\" repeats its numbers beyond the size of its file");
        if (!staysWithin(tensor, storage.bytes() / byteWidth(*type)))
            return fault("the tensor \"" + name + "\" reaches beyond its storage");
        tensor.info = makeTensorInfo(name, *type, std::move(tensor.info.shape));
        if (!m_names.insert(name).second) return notRead("two tensors are called \"" + name + "\"");
        m_nameBytes += name.size();
        if (m_names.size() > kTensorLimit || m_nameBytes > kMostNameBytes)
            return fault("more than " + std::to_string(kTensorLimit) + " tensors");
        m_found.tensors.push_back(std::move(tensor));
        return {};
    }

    const Pickle& m_pickle;
    int64_t m_mostBytes;
    TorchContent m_found;
    std::set<const PickleValue*> m_seen;
    /// By the attributes, which any number of modules may share: each dict is looked through once.
    std::map<const PickleValue*, const PickleValue*> m_parameters;
    std::set<std::string> m_names;
    size_t m_nameBytes = 0;
};

} // namespace

std::string commandIn(const Pickle& pickle) {
    for (const PickleValue& value : pickle.values)
        if (value.kind == Kind::Global && !isHarmless(value.text)) return value.text;
    return {};
}

Result<TorchContent> findTensors(const Pickle& pickle, int64_t mostBytes) {
    return TensorSearch(pickle, mostBytes).run();
}

} // namespace homebooth::core
