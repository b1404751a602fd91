// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/pickle/pickle_reader.h"

#include "core/base/formats/safetensors_header.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>

namespace homebooth::core {
namespace {

using Kind = PickleValue::Kind;

constexpr size_t kMostValues = 1'000'000;
constexpr size_t kMostItems = 4'000'000; // of all sequences, dicts and calls together

class Machine {
public:
    explicit Machine(std::string_view bytes)
        : m_bytes(bytes) {}

    Result<Pickle> run() {
        while (m_pickle.value == nullptr) {
            m_begin = m_at;
            HOMEBOOTH_ASSIGN(const uint64_t code, number(1));
            const Operation& operation = kOperations.at(code);
            if (operation.act == nullptr) return unknown(code);
            HOMEBOOTH_ASSIGN(const uint64_t argument, number(operation.argumentBytes));
            m_code = static_cast<uint8_t>(code);
            HOMEBOOTH_CHECK((this->*operation.act)(argument));
            if (m_pickle.values.size() > kMostValues || m_stack.size() > kMostValues || m_items > kMostItems)
                return fault("at most " + std::to_string(kMostValues) + " values", "more");
        }
        m_pickle.bytes = m_at;
        return std::move(m_pickle);
    }

private:
    using Act = Result<void> (Machine::*)(uint64_t);
    struct Operation {
        Act act = nullptr;
        size_t argumentBytes = 0; ///< of the number behind the code, which is the act's argument
    };
    struct Code {
        uint8_t code;
        Act act;
        size_t argumentBytes;
    };
    static const std::array<Code, 53> kCodes;
    static std::array<Operation, 256> operations();
    static const std::array<Operation, 256> kOperations;

    [[nodiscard]] Error fault(const std::string& expected, const std::string& found) const {
        return badInput("expected " + expected + " at byte " + std::to_string(m_begin) +
                        " of the pickle, found " + found);
    }
    [[nodiscard]] Error unknown(uint64_t code) const {
        return fault("what torch.save writes", "code " + std::to_string(code));
    }
    [[nodiscard]] Error cutOff() const {
        return fault("more", "the end: it is damaged or " + std::string(kCutOffWords));
    }

    // Bytes.
    Result<uint64_t> number(size_t count) {
        HOMEBOOTH_ASSIGN(const std::string_view bytes, take(count));
        uint64_t value = 0;
        for (size_t i = 0; i < count; ++i)
            value |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
        return value;
    }
    Result<std::string_view> take(uint64_t count) {
        if (count > m_bytes.size() - m_at) return cutOff();
        const std::string_view taken = m_bytes.substr(m_at, count);
        m_at += count;
        return taken;
    }
    Result<std::string_view> line() {
        const size_t end = m_bytes.find('\n', m_at);
        if (end == std::string_view::npos) return cutOff();
        const std::string_view taken = m_bytes.substr(m_at, end - m_at);
        m_at = end + 1;
        return taken;
    }

    // The stack.
    PickleValue& push(PickleValue value) {
        m_stack.push_back(&m_pickle.values.emplace_back(std::move(value)));
        return *m_stack.back();
    }
    [[nodiscard]] size_t floor() const { return m_marks.empty() ? 0 : m_marks.back(); }
    Result<PickleValue*> popped() {
        if (m_stack.size() <= floor()) return fault("a value to work with", "none");
        PickleValue* const value = m_stack.back();
        m_stack.pop_back();
        return value;
    }
    Result<PickleValue*> top() {
        if (m_stack.size() <= floor()) return fault("a value to work with", "none");
        return m_stack.back();
    }
    /// What lies above the last mark; both are taken away.
    Result<std::vector<const PickleValue*>> aboveMark() {
        if (m_marks.empty()) return fault("a mark before", "none");
        const auto begin = m_stack.begin() + static_cast<std::ptrdiff_t>(m_marks.back());
        std::vector<const PickleValue*> items(begin, m_stack.end());
        m_stack.erase(begin, m_stack.end());
        m_marks.pop_back();
        m_items += items.size();
        return items;
    }

    // What codes do.
    Result<void> nothing(uint64_t /*argument*/) { return {}; }
    Result<void> none(uint64_t /*argument*/) {
        push({});
        return {};
    }
    Result<void> yes(uint64_t /*argument*/) {
        push({Kind::Bool, 1});
        return {};
    }
    Result<void> no(uint64_t /*argument*/) {
        push({Kind::Bool, 0});
        return {};
    }
    Result<void> unsignedInteger(uint64_t argument) {
        push({Kind::Integer, static_cast<int64_t>(argument)});
        return {};
    }
    Result<void> signedInteger(uint64_t argument) {
        push({Kind::Integer, static_cast<int32_t>(static_cast<uint32_t>(argument))});
        return {};
    }
    /// Of as many bytes, in two's complement.
    Result<void> longInteger(uint64_t count) {
        HOMEBOOTH_ASSIGN(const std::string_view bytes, take(count));
        if (count > sizeof(uint64_t)) {
            push({Kind::Bytes, 0, 0.0, std::string(bytes)});
            return {};
        }
        const bool negative = !bytes.empty() && static_cast<signed char>(bytes.back()) < 0;
        uint64_t value = negative ? ~uint64_t{0} : 0;
        for (size_t i = count; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
        push({Kind::Integer, static_cast<int64_t>(value)});
        return {};
    }
    /// Written from its highest byte on, unlike all else.
    Result<void> real(uint64_t argument) {
        push({Kind::Real, 0, std::bit_cast<double>(__builtin_bswap64(argument))});
        return {};
    }
    Result<void> text(uint64_t count) { return string(Kind::Text, count); }
    Result<void> bytes(uint64_t count) { return string(Kind::Bytes, count); }
    Result<void> string(Kind kind, uint64_t count) {
        HOMEBOOTH_ASSIGN(const std::string_view taken, take(count));
        push({kind, 0, 0.0, std::string(taken)});
        return {};
    }
    Result<void> mark(uint64_t /*argument*/) {
        m_marks.push_back(m_stack.size());
        return m_marks.size() > kMostValues ? Result<void>(fault("fewer marks", "a million"))
                                            : Result<void>();
    }
    Result<void> emptySequence(uint64_t /*argument*/) {
        push({Kind::Sequence});
        return {};
    }
    Result<void> sequence(uint64_t /*argument*/) {
        HOMEBOOTH_ASSIGN(auto items, aboveMark());
        push({Kind::Sequence}).items = std::move(items);
        return {};
    }
    /// Of one to three.
    Result<void> shortTuple(uint64_t /*argument*/) {
        std::vector<const PickleValue*> items(m_code - 0x84U);
        for (size_t i = items.size(); i-- > 0;) {
            HOMEBOOTH_ASSIGN(items[i], popped());
        }
        push({Kind::Sequence}).items = std::move(items);
        return {};
    }
    Result<void> emptyDict(uint64_t /*argument*/) {
        push({Kind::Dict});
        return {};
    }
    Result<void> dict(uint64_t /*argument*/) {
        HOMEBOOTH_ASSIGN(auto items, aboveMark());
        PickleValue& made = push({Kind::Dict});
        return add(made, Kind::Dict, items);
    }
    /// To a container; what an object would do with it nobody asks.
    Result<void> add(PickleValue& target, Kind wanted, const std::vector<const PickleValue*>& items) {
        if (target.kind == Kind::Call) return {};
        if (target.kind != wanted || (wanted == Kind::Dict && items.size() % 2 != 0))
            return fault(wanted == Kind::Dict ? "a dict and pairs for it" : "a list", "something else");
        m_items += items.size();
        target.items.insert(target.items.end(), items.begin(), items.end());
        return {};
    }
    Result<void> append(uint64_t /*argument*/) {
        HOMEBOOTH_ASSIGN(const PickleValue* const item, popped());
        HOMEBOOTH_ASSIGN(PickleValue* const list, top());
        return add(*list, Kind::Sequence, {item});
    }
    Result<void> extend(uint64_t /*argument*/) {
        HOMEBOOTH_ASSIGN(const auto items, aboveMark());
        HOMEBOOTH_ASSIGN(PickleValue* const list, top());
        return add(*list, Kind::Sequence, items);
    }
    Result<void> setItem(uint64_t /*argument*/) {
        HOMEBOOTH_ASSIGN(const PickleValue* const value, popped());
        HOMEBOOTH_ASSIGN(const PickleValue* const key, popped());
        HOMEBOOTH_ASSIGN(PickleValue* const target, top());
        return add(*target, Kind::Dict, {key, value});
    }
    Result<void> setItems(uint64_t /*argument*/) {
        HOMEBOOTH_ASSIGN(const auto items, aboveMark());
        HOMEBOOTH_ASSIGN(PickleValue* const target, top());
        return add(*target, Kind::Dict, items);
    }
    Result<void> drop(uint64_t /*argument*/) {
        HOMEBOOTH_ASSIGN([[maybe_unused]] const PickleValue* const dropped, popped());
        return {};
    }
    Result<void> dropToMark(uint64_t /*argument*/) {
        HOMEBOOTH_ASSIGN([[maybe_unused]] const auto dropped, aboveMark());
        return {};
    }
    Result<void> again(uint64_t /*argument*/) {
        HOMEBOOTH_ASSIGN(PickleValue* const value, top());
        m_stack.push_back(value);
        return {};
    }
    Result<void> remember(uint64_t place) {
        HOMEBOOTH_ASSIGN(PickleValue* const value, top());
        if (place >= kMostValues) return fault("a place below " + std::to_string(kMostValues), "a later one");
        if (place >= m_memo.size()) m_memo.resize(place + 1, nullptr);
        if (std::exchange(m_memo[place], value) == nullptr) ++m_remembered;
        return {};
    }
    Result<void> rememberNext(uint64_t /*argument*/) { return remember(m_remembered); }
    Result<void> recall(uint64_t place) {
        if (place >= m_memo.size() || m_memo[place] == nullptr)
            return fault("a value that was kept before", "none");
        m_stack.push_back(m_memo[place]);
        return {};
    }
    Result<void> global(uint64_t /*argument*/) {
        HOMEBOOTH_ASSIGN(const std::string_view module, line());
        HOMEBOOTH_ASSIGN(const std::string_view name, line());
        push({Kind::Global, 0, 0.0, std::string(module) + "." + std::string(name)});
        return {};
    }
    Result<void> globalOfStack(uint64_t /*argument*/) {
        HOMEBOOTH_ASSIGN(const PickleValue* const name, popped());
        HOMEBOOTH_ASSIGN(const PickleValue* const module, popped());
        if (!name->isText() || !module->isText()) return fault("the name of a class", "something else");
        m_joinedBytes += module->text.size() + name->text.size(); // a kept text may be joined many times
        if (m_joinedBytes > static_cast<size_t>(kMostPickleBytes))
            return fault("at most " + std::to_string(kMostPickleBytes) + " bytes in names", "more");
        push({Kind::Global, 0, 0.0, module->text + "." + name->text});
        return {};
    }
    /// Nothing is called. Dicts that remember their order, or have defaults, are dicts.
    Result<void> call(uint64_t /*argument*/) {
        HOMEBOOTH_ASSIGN(const PickleValue* const arguments, popped());
        HOMEBOOTH_ASSIGN(const PickleValue* const function, popped());
        const bool isDict = function->isGlobal("collections.OrderedDict") ||
                            function->isGlobal("collections.defaultdict") ||
                            function->isGlobal("builtins.dict") || function->isGlobal("__builtin__.dict");
        if (isDict)
            push({Kind::Dict});
        else
            push({Kind::Call}).items = {function, arguments};
        return {};
    }
    Result<void> callWithNames(uint64_t argument) {
        HOMEBOOTH_CHECK(drop(argument));
        return call(argument);
    }
    /// Attributes of an object.
    Result<void> build(uint64_t /*argument*/) {
        HOMEBOOTH_ASSIGN(const PickleValue* const attributes, popped());
        HOMEBOOTH_ASSIGN(PickleValue* const object, top());
        if (object->kind == Kind::Call && object->items.size() == 2) object->items.push_back(attributes);
        return {};
    }
    Result<void> persistent(uint64_t /*argument*/) {
        HOMEBOOTH_ASSIGN(const PickleValue* const id, popped());
        push({Kind::Persistent}).items = {id};
        return {};
    }
    Result<void> stop(uint64_t /*argument*/) {
        HOMEBOOTH_ASSIGN(m_pickle.value, popped());
        return {};
    }

    std::string_view m_bytes;
    size_t m_at = 0;
    size_t m_begin = 0; // of the present code
    uint8_t m_code = 0;
    Pickle m_pickle;
    std::vector<PickleValue*> m_stack;
    std::vector<size_t> m_marks;      // sizes of the stack
    std::vector<PickleValue*> m_memo; // by place; null: nothing was kept there
    size_t m_remembered = 0;
    size_t m_items = 0;
    size_t m_joinedBytes = 0; // of names that were put together on the stack
};

/// In the order of pickletools.
const std::array<Machine::Code, 53> Machine::kCodes{{
    {'K', &Machine::unsignedInteger, 1},
    {'M', &Machine::unsignedInteger, 2},
    {'J', &Machine::signedInteger, 4},
    {0x8a, &Machine::longInteger, 1},
    {0x8b, &Machine::longInteger, 4},
    {'U', &Machine::text, 1},
    {'T', &Machine::text, 4},
    {0x8c, &Machine::text, 1},
    {'X', &Machine::text, 4},
    {0x8d, &Machine::text, 8},
    {'C', &Machine::bytes, 1},
    {'B', &Machine::bytes, 4},
    {0x8e, &Machine::bytes, 8},
    {0x96, &Machine::bytes, 8},
    {'N', &Machine::none, 0},
    {0x88, &Machine::yes, 0},
    {0x89, &Machine::no, 0},
    {'G', &Machine::real, 8},
    {']', &Machine::emptySequence, 0},
    {'a', &Machine::append, 0},
    {'e', &Machine::extend, 0},
    {'l', &Machine::sequence, 0},
    {')', &Machine::emptySequence, 0},
    {'t', &Machine::sequence, 0},
    {0x85, &Machine::shortTuple, 0},
    {0x86, &Machine::shortTuple, 0},
    {0x87, &Machine::shortTuple, 0},
    {'}', &Machine::emptyDict, 0},
    {'d', &Machine::dict, 0},
    {'s', &Machine::setItem, 0},
    {'u', &Machine::setItems, 0},
    {0x8f, &Machine::emptySequence, 0},
    {0x90, &Machine::extend, 0},
    {0x91, &Machine::sequence, 0},
    {'0', &Machine::drop, 0},
    {'2', &Machine::again, 0},
    {'(', &Machine::mark, 0},
    {'1', &Machine::dropToMark, 0},
    {'h', &Machine::recall, 1},
    {'j', &Machine::recall, 4},
    {'q', &Machine::remember, 1},
    {'r', &Machine::remember, 4},
    {0x94, &Machine::rememberNext, 0},
    {'c', &Machine::global, 0},
    {0x93, &Machine::globalOfStack, 0},
    {'R', &Machine::call, 0},
    {'b', &Machine::build, 0},
    {0x81, &Machine::call, 0},
    {0x92, &Machine::callWithNames, 0},
    {0x80, &Machine::nothing, 1},
    {'.', &Machine::stop, 0},
    {0x95, &Machine::nothing, 8},
    {'Q', &Machine::persistent, 0},
}};

std::array<Machine::Operation, 256> Machine::operations() {
    std::array<Operation, 256> all{};
    for (const Code& one : kCodes) all.at(one.code) = {one.act, one.argumentBytes};
    return all;
}

const std::array<Machine::Operation, 256> Machine::kOperations = Machine::operations();

} // namespace

const PickleValue* PickleValue::at(std::string_view key) const {
    for (size_t i = 0; kind == Kind::Dict && i + 1 < items.size(); i += 2)
        if (items[i]->isText() && items[i]->text == key) return items[i + 1];
    return nullptr;
}

Result<Pickle> readPickle(std::string_view bytes) {
    return Machine(bytes).run();
}

} // namespace homebooth::core
