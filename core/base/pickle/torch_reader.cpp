// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/pickle/torch_reader.h"

#include "core/base/formats/file_kind.h"
#include "core/base/formats/safetensors_header.h"
#include "core/base/pickle/pickle_reader.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <utility>

namespace homebooth::core {
namespace {

using namespace std::string_view_literals;
using Kind = PickleValue::Kind;

constexpr std::string_view kAdvice = "; the file is damaged, copy or download it again";

Error withAdvice(const std::string& what) {
    return badInput(what + std::string(kAdvice));
}

/// The type of a tensor in fp8, such as "float8_e4m3fn"; empty: there is none. Such types are named behind
/// what else describes a tensor, whose storage is one of bytes.
std::string fp8In(const Pickle& pickle) {
    constexpr size_t kPlace = 6;
    constexpr std::string_view kModule = "torch.";
    constexpr std::string_view kBegin = "torch.float8_";
    for (const PickleValue& value : pickle.values) {
        if (value.kind != Kind::Sequence || value.items.size() <= kPlace ||
            value.items[0]->kind != Kind::Persistent)
            continue;
        const PickleValue& type = *value.items[kPlace];
        if (type.kind == Kind::Global && type.text.starts_with(kBegin))
            return type.text.substr(kModule.size());
    }
    return {};
}

/// Whether elements follow each other row by row.
bool isDense(const TorchTensor& tensor) {
    if (tensor.info.byteCount == 0) return true;
    int64_t expected = 1;
    for (size_t axis = tensor.strides.size(); axis-- > 0;) {
        const int64_t extent = tensor.info.shape[axis];
        if (extent > 1 && tensor.strides[axis] != expected) return false;
        expected *= extent;
    }
    return true;
}

/// How many elements lie between the first and the last one, these included.
int64_t spanOf(const TensorInfo& info, const std::vector<int64_t>& strides) {
    int64_t last = 0;
    for (size_t axis = 0; axis < strides.size(); ++axis) last += (info.shape[axis] - 1) * strides[axis];
    return last + 1;
}

/// Elements in the order of their indices. @param from  as the strides have them; Shapes: of one element each
void gather(const TensorInfo& info, const std::vector<int64_t>& strides, std::span<const std::byte> from,
            std::span<std::byte> to) {
    const auto width = static_cast<size_t>(byteWidth(info.type));
    std::vector<int64_t> index(strides.size(), 0);
    int64_t element = 0;
    for (size_t done = 0; done < to.size(); done += width) {
        std::memcpy(to.data() + done, from.data() + static_cast<size_t>(element) * width, width);
        for (size_t axis = strides.size(); axis-- > 0;) {
            element += strides[axis];
            if (++index[axis] < info.shape[axis]) break;
            element -= info.shape[axis] * strides[axis];
            index[axis] = 0;
        }
    }
}

} // namespace

Result<std::shared_ptr<TorchReader>> TorchReader::open(const std::string& path) {
    HOMEBOOTH_ASSIGN(const FileKind kind, detectFileKind(path));
    if (kind != FileKind::PickleZip && kind != FileKind::PickleLegacy)
        return wrongKindError(kind, "a .ckpt file", path);
    HOMEBOOTH_ASSIGN(FileReader file, FileReader::open(path));
    std::shared_ptr<TorchReader> opened(new TorchReader(path, std::move(file)));
    const auto done = kind == FileKind::PickleZip ? opened->openZip() : opened->openOld();
    if (!done) {
        const std::string& fault = done.error().message;
        const bool advised = fault.find(';') != std::string::npos;
        return badInput("cannot read this .ckpt file: " + fault + (advised ? "" : std::string(kAdvice)),
                        path);
    }
    return opened;
}

/// A pickle that wants nothing else called.
Result<Pickle> TorchReader::checked(std::string_view bytes) const {
    HOMEBOOTH_ASSIGN(Pickle pickle, readPickle(bytes));
    if (const std::string command = commandIn(pickle); !command.empty())
        return badInput("it " + std::string(kCommandWords) + " (\"" + printable(command) +
                        "\"); none was run, get the .safetensors version");
    return pickle;
}

Result<void> TorchReader::openZip() {
    constexpr std::string_view kPickle = "data.pkl";
    HOMEBOOTH_ASSIGN(const auto members, readZipIndex(file()));
    const auto isPickle = [&](const auto& member) {
        const std::string_view name = member.first;
        return name == kPickle || (name.ends_with(kPickle) && name[name.size() - kPickle.size() - 1] == '/' &&
                                   std::count(name.begin(), name.end(), '/') == 1);
    };
    const auto found = std::find_if(members.begin(), members.end(), isPickle);
    if (found == members.end()) return withAdvice("expected a member data.pkl, found none");
    if (found->second.bytes > kMostPickleBytes)
        return withAdvice("expected at most " + std::to_string(kMostPickleBytes) +
                          " bytes in data.pkl, found " + std::to_string(found->second.bytes));
    const std::string folder = found->first.substr(0, found->first.size() - kPickle.size());
    if (const auto order = members.find(folder + "byteorder"); order != members.end()) {
        HOMEBOOTH_ASSIGN(const std::string text,
                         file().read(order->second.offset, std::min<int64_t>(order->second.bytes, 16)));
        if (text != "little")
            return badInput("expected numbers in the order of a PC, found \"" + printable(text) +
                            "\"; get the .safetensors version");
    }
    HOMEBOOTH_ASSIGN(const std::string bytes, file().read(found->second.offset, found->second.bytes));
    HOMEBOOTH_ASSIGN(const Pickle pickle, checked(bytes));
    HOMEBOOTH_ASSIGN(TorchContent content, findTensors(pickle, fileBytes()));
    m_leftOut = fp8In(pickle);
    HOMEBOOTH_ASSIGN(const auto places, zipPlaces(content, members, folder));
    take(std::move(content), places);
    return {};
}

Result<std::map<std::string, int64_t>> TorchReader::zipPlaces(const TorchContent& content,
                                                              const std::map<std::string, ZipMember>& members,
                                                              const std::string& folder) const {
    std::map<std::string, int64_t> places;
    for (const auto& [key, storage] : content.storages) {
        const auto member = members.find(folder + "data/" + key);
        const int64_t bytes = member == members.end() ? 0 : member->second.bytes;
        if (member == members.end() || bytes != storage.bytes())
            return withAdvice("expected " + std::to_string(storage.bytes()) + " bytes in storage " +
                              printable(key) + ", found " + std::to_string(bytes));
        places.emplace(key, member->second.offset);
    }
    return places;
}

Result<void> TorchReader::openOld() {
    constexpr std::string_view kMark = "\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19"sv;
    constexpr int64_t kVersion = 1001;
    HOMEBOOTH_ASSIGN(const std::string head, file().read(0, std::min(fileBytes(), kMostPickleBytes)));
    size_t at = 0;
    const auto next = [&]() -> Result<Pickle> {
        HOMEBOOTH_ASSIGN(Pickle pickle, checked(std::string_view(head).substr(at)));
        at += pickle.bytes;
        return pickle;
    };
    // One at a time, so that never more than one fills the memory.
    HOMEBOOTH_ASSIGN(Pickle pickle, next());
    if (pickle.value->kind != Kind::Bytes || pickle.value->text != kMark)
        return badInput("expected what torch.save writes, " + std::string(kOtherPickleWords) +
                        "; check that it is the right file");
    HOMEBOOTH_ASSIGN(pickle, next());
    const bool known = pickle.value->integer == kVersion;
    HOMEBOOTH_ASSIGN(pickle, next());
    const PickleValue* const little = pickle.value->at("little_endian");
    if (!known || (little != nullptr && little->integer != 1))
        return badInput("expected version 1001 with numbers in the order of a PC, found another one; get the "
                        ".safetensors version");
    HOMEBOOTH_ASSIGN(pickle, next());
    HOMEBOOTH_ASSIGN(TorchContent content, findTensors(pickle, fileBytes()));
    m_leftOut = fp8In(pickle);
    HOMEBOOTH_ASSIGN(pickle, next());
    HOMEBOOTH_ASSIGN(const auto places, oldPlaces(content, pickle, static_cast<int64_t>(at)));
    take(std::move(content), places);
    return {};
}

/// @param offset  of the first storage
Result<std::map<std::string, int64_t>> TorchReader::oldPlaces(const TorchContent& content, const Pickle& keys,
                                                              int64_t offset) const {
    constexpr int64_t kCountBytes = 8;
    const int64_t end = fileBytes();
    std::map<std::string, int64_t> places;
    for (const PickleValue* const key : keys.value->items) {
        const auto storage = content.storages.find(key->text);
        if (storage == content.storages.end())
            return withAdvice("expected a storage of a tensor, found " + printable(key->text));
        const int64_t bytes = storage->second.bytes();
        if (end - offset < kCountBytes || end - offset - kCountBytes < bytes)
            return withAdvice("expected " + std::to_string(bytes) + " bytes in storage " +
                              printable(key->text) + ", found the end of the file: it was " +
                              std::string(kCutOffWords));
        int64_t count = 0;
        HOMEBOOTH_CHECK(file().readInto(offset, std::as_writable_bytes(std::span(&count, 1))));
        if (count != storage->second.elements)
            return withAdvice("expected " + std::to_string(storage->second.elements) +
                              " numbers in storage " + printable(key->text) + ", found " +
                              std::to_string(count));
        places.emplace(key->text, offset + kCountBytes);
        offset += kCountBytes + bytes;
    }
    for (const TorchTensor& tensor : content.tensors)
        if (!places.contains(tensor.storage))
            return withAdvice("expected storage " + printable(tensor.storage) + ", found none");
    return places;
}

/// @param storages  where each begins in the file
void TorchReader::take(TorchContent content, const std::map<std::string, int64_t>& storages) {
    const auto begin = [&](const TorchTensor& tensor) {
        return storages.at(tensor.storage) + tensor.begin * byteWidth(tensor.info.type);
    };
    std::stable_sort(content.tensors.begin(), content.tensors.end(),
                     [&](const TorchTensor& a, const TorchTensor& b) { return begin(a) < begin(b); });
    std::vector<TensorInfo> infos;
    for (TorchTensor& tensor : content.tensors) {
        m_places.push_back(
            {begin(tensor), isDense(tensor) ? std::vector<int64_t>() : std::move(tensor.strides)});
        infos.push_back(std::move(tensor.info));
    }
    setContents(std::move(infos), std::move(content.metadata));
}

Result<void> TorchReader::readStored(size_t tensor, int64_t byteOffset,
                                     std::span<std::byte> destination) const {
    if (destination.empty()) return {};
    if (m_places[tensor].strides.empty())
        return file().readInto(m_places[tensor].offset + byteOffset, destination);
    const int64_t bytes = tensors()[tensor].byteCount;
    if (std::ssize(destination) == bytes) return readGathered(tensor, destination);
    std::vector<std::byte> whole(static_cast<size_t>(bytes));
    HOMEBOOTH_CHECK(readGathered(tensor, whole));
    std::copy_n(whole.begin() + byteOffset, destination.size(), destination.begin());
    return {};
}

Result<void> TorchReader::readGathered(size_t tensor, std::span<std::byte> destination) const {
    const TensorInfo& info = tensors()[tensor];
    const Place& place = m_places[tensor];
    std::vector<std::byte> stored(static_cast<size_t>(spanOf(info, place.strides) * byteWidth(info.type)));
    HOMEBOOTH_CHECK(file().readInto(place.offset, stored));
    gather(info, place.strides, stored, destination);
    return {};
}

} // namespace homebooth::core
