// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/memory/executor.h"

#include "core/engine/graph/differentiate.h"
#include "core/engine/memory/memory_relief.h"

#include <ATen/core/grad_mode.h>

namespace homebooth::core {
namespace {

/// Acquires a block's parameters for the length of a scope, also when the block throws.
class BlockLease {
public:
    BlockLease(ParameterStore& store, int block)
        : m_store(store)
        , m_block(block)
        , m_parameters(store.acquire(block)) {}
    ~BlockLease() { m_store.release(m_block); }
    BlockLease(const BlockLease&) = delete;
    BlockLease& operator=(const BlockLease&) = delete;

    [[nodiscard]] const std::vector<at::Tensor>& parameters() const { return m_parameters; }

private:
    ParameterStore& m_store;
    int m_block;
    const std::vector<at::Tensor>& m_parameters;
};

/// The graph of one block that was kept from forward. It reads the block's parameters where they lie, so the
/// block's chunks stay in COMPUTE as long as it does.
struct KeptGraph {
    std::unique_ptr<BlockLease> lease;
    BlockLeaves leaves;
    std::vector<at::Tensor> outputs;
};

bool hasTrainable(const BlockSpec& spec) {
    for (const ParameterSpec& parameter : spec.parameters)
        if (parameter.trainable) return true;
    return false;
}

std::vector<at::Tensor> gather(const std::vector<at::Tensor>& values, const std::vector<ValueId>& ids) {
    std::vector<at::Tensor> gathered;
    gathered.reserve(ids.size());
    for (const ValueId id : ids) gathered.push_back(values[id]);
    return gathered;
}

std::vector<int> blockOrder(const Schedule& schedule) {
    std::vector<int> order;
    for (const Node& node : schedule.nodes()) order.push_back(node.block);
    return order;
}

} // namespace

struct Executor::Pass {
    std::vector<at::Tensor> values;
    std::vector<at::Tensor> gradients;  // of values
    std::vector<bool> ownsGradient;     // may be added to in place
    std::vector<bool> needsGradient;    // per value
    std::vector<bool> needsBackward;    // per node
    std::vector<bool> readInBackward;   // per value: some node will be recomputed from it
    std::vector<Recompute> recompute;   // per node
    std::vector<KeptGraph> kept;        // per node
    std::vector<KeptProducts> products; // per node
    std::unique_ptr<BlockLease> lease;  // of the node in whose backward it is; once, whatever is tried there
    std::unique_ptr<ValueShelf> shelf;  // where values lie in RAM meanwhile
    DropoutDraw dropout = 0;

    void addGradient(ValueId value, at::Tensor gradient) {
        if (!gradient.defined()) return;
        if (!gradients[value].defined()) {
            gradients[value] = std::move(gradient);
        } else if (ownsGradient[value]) {
            gradients[value].add_(gradient);
        } else { // autograd may hand out one tensor as several gradients
            gradients[value] = gradients[value] + gradient;
            ownsGradient[value] = true;
        }
    }
};

Executor::Executor(const Network& network, ParameterStore& store)
    : m_network(network)
    , m_store(store)
    , m_recompute(network.schedule().blocks().size(), Recompute::Always)
    , m_firstUses(network.schedule().firstUses())
    , m_lastUses(network.schedule().lastUses()) {}

void Executor::setRecompute(int block, Recompute recompute) {
    TORCH_CHECK(recompute != Recompute::Never || !(m_store.streams(block) || m_store.isSpread()),
                "a kept graph would hold the parameters of a streamed block on the device, and of one that "
                "is spread over ranks on each of them");
    m_recompute.at(block) = recompute;
}

void Executor::setValuesInRam(bool inRam) {
    TORCH_CHECK(!inRam || m_store.streams(), "values of a resident store have no way to RAM");
    m_valuesInRam = inRam;
    if (inRam) return;
    m_pass.reset(); // of a pass that failed; it gives memory back
    m_shelfMemory = {};
}

std::vector<at::Tensor> Executor::run(const std::vector<at::Tensor>& inputs) {
    const at::NoGradGuard noGrad;
    const Schedule& schedule = m_network.schedule();
    TORCH_CHECK(inputs.size() == schedule.inputs().size(), "network takes ", schedule.inputs().size(),
                " inputs, got ", inputs.size());
    std::vector<at::Tensor> values(schedule.values().size());
    for (size_t i = 0; i < inputs.size(); ++i) values[schedule.inputs()[i]] = inputs[i];

    m_store.beginPass(blockOrder(schedule));
    const int count = static_cast<int>(schedule.nodes().size());
    for (int index = 0; index < count; ++index) {
        const Node& node = schedule.nodes()[index];
        {
            const BlockLease lease(m_store, node.block);
            const BlockContext context{.parameters = lease.parameters(),
                                       .parametersStay = parametersStay(node.block),
                                       .exact = m_exact};
            std::vector<at::Tensor> outputs =
                m_network.block(node.block).forward(context, gather(values, node.inputs));
            for (size_t i = 0; i < outputs.size(); ++i) values[node.outputs[i]] = std::move(outputs[i]);
        }
        for (const ValueId input : node.inputs)
            if (m_lastUses[input] == index) values[input].reset();
        if (m_observer) m_observer(index + 1, count);
    }
    m_store.endPass();
    return gather(values, schedule.outputs());
}

void Executor::setTimes(BlockTimes* times) {
    m_times = times;
    if (m_times != nullptr) m_times->nodes.resize(m_network.schedule().nodes().size());
}

void Executor::planBackward(Pass& pass, const std::vector<bool>& needInputs) const {
    const Schedule& schedule = m_network.schedule();
    pass.needsGradient.assign(schedule.values().size(), false);
    pass.needsBackward.assign(schedule.nodes().size(), false);
    pass.readInBackward.assign(schedule.values().size(), false);
    for (size_t i = 0; i < needInputs.size(); ++i) pass.needsGradient[schedule.inputs()[i]] = needInputs[i];
    for (size_t index = 0; index < schedule.nodes().size(); ++index) {
        const Node& node = schedule.nodes()[index];
        pass.recompute.push_back(m_recompute[node.block]);
        bool needed = hasTrainable(schedule.blocks()[node.block]);
        for (const ValueId input : node.inputs) needed = needed || pass.needsGradient[input];
        pass.needsBackward[index] = needed;
        for (const ValueId output : node.outputs) pass.needsGradient[output] = needed;
        if (needed && pass.recompute[index] != Recompute::Never)
            for (const ValueId input : node.inputs) pass.readInBackward[input] = true;
    }
}

template <class Work>
auto Executor::withRelief(Pass& pass, const Work& work) {
    try {
        return work();
    } catch (const std::exception&) {
        if (!memoryRanOut()) throw;
    }
    giveUpKept(pass); // outside the handler: the exception may hold on to what failed
    return work();
}

void Executor::beginTurn(Pass& pass, int turn) {
    if (!pass.shelf) return;
    const TimedScope waiting(waitingTime(), m_store.options().device);
    withRelief(pass, [&] { pass.shelf->beginTurn(turn, pass.values); });
}

void Executor::endTurn(Pass& pass, int turn) {
    if (!pass.shelf) return;
    const TimedScope waiting(waitingTime(), m_store.options().device);
    pass.shelf->endTurn(turn, pass.values);
}

void Executor::giveUpKept(Pass& pass) {
    const Schedule& schedule = m_network.schedule();
    for (size_t index = 0; index < schedule.nodes().size(); ++index) {
        const std::vector<ValueId>& inputs = schedule.nodes()[index].inputs;
        const KeptGraph graph = std::move(pass.kept[index]);
        for (size_t i = 0; i < graph.leaves.inputs.size(); ++i) // nobody else may have them any more
            if (!pass.values[inputs[i]].defined()) pass.values[inputs[i]] = graph.leaves.inputs[i].detach();
        if (pass.needsBackward[index])
            for (const ValueId input : inputs) pass.readInBackward[input] = true;
    }
    pass.recompute.assign(schedule.nodes().size(), Recompute::Always);
    pass.products.assign(schedule.nodes().size(), KeptProducts(m_worthKeeping));
    if (m_drain) m_drain(); // gradients that are on their way home may be much of what is there
    releaseIdleMemory(m_store.options().device);
    ++m_reliefs;
}

void Executor::dropDeadValues(Pass& pass, int index) const {
    for (const ValueId input : m_network.schedule().nodes()[index].inputs)
        if (m_lastUses[input] == index && !pass.readInBackward[input]) pass.values[input].reset();
}

std::vector<at::Tensor> Executor::computeForward(Pass& pass, int index, const BlockContext& given) const {
    const Node& node = m_network.schedule().nodes()[index];
    const Block& block = m_network.block(node.block);
    const std::vector<at::Tensor> inputs = gather(pass.values, node.inputs);
    BlockContext context = given;
    if (!pass.needsBackward[index] || pass.recompute[index] != Recompute::Never) {
        const at::NoGradGuard noGrad;
        if (pass.needsBackward[index] && pass.recompute[index] == Recompute::CheapParts)
            context.products = &pass.products[index];
        return block.forward(context, inputs);
    }
    const at::AutoGradMode enableGrad(true);
    std::vector<bool> needInputs;
    for (const ValueId input : node.inputs) needInputs.push_back(pass.needsGradient[input]);
    KeptGraph& kept = pass.kept[index];
    kept.leaves = makeLeaves(block.spec(), context.parameters, inputs, needInputs);
    context.parameters = kept.leaves.parameters;
    kept.outputs = block.forward(context, kept.leaves.inputs);
    std::vector<at::Tensor> outputs;
    for (const at::Tensor& output : kept.outputs) outputs.push_back(output.detach());
    return outputs;
}

void Executor::forwardNode(Pass& pass, int index) {
    const Node& node = m_network.schedule().nodes()[index];
    std::unique_ptr<BlockLease> lease;
    {
        const TimedScope waiting(waitingTime(), m_store.options().device);
        lease = std::make_unique<BlockLease>(m_store, node.block);
    }
    BlockContext context{lease->parameters(), true, pass.dropout.ofBlock(node.block), pass.dropout.part};
    context.parametersStay = parametersStay(node.block);
    const TimedScope computing(m_times != nullptr ? &m_times->nodes[index].forward : nullptr,
                               m_store.options().device);
    std::vector<at::Tensor> outputs = withRelief(pass, [&] { return computeForward(pass, index, context); });
    if (!pass.kept[index].outputs.empty()) pass.kept[index].lease = std::move(lease);
    for (size_t i = 0; i < outputs.size(); ++i) pass.values[node.outputs[i]] = std::move(outputs[i]);
}

std::vector<at::Tensor> Executor::forward(const std::vector<at::Tensor>& inputs,
                                          const std::vector<bool>& needInputs, const DropoutDraw& dropout) {
    const Schedule& schedule = m_network.schedule();
    TORCH_CHECK(inputs.size() == schedule.inputs().size() && needInputs.size() == inputs.size(),
                "network takes ", schedule.inputs().size(), " inputs, got ", inputs.size());
    auto pass = std::make_shared<Pass>();
    pass->values.resize(schedule.values().size());
    pass->gradients.resize(schedule.values().size());
    pass->ownsGradient.assign(schedule.values().size(), false);
    pass->kept.resize(schedule.nodes().size());
    pass->products.assign(schedule.nodes().size(), KeptProducts(m_worthKeeping));
    pass->dropout = dropout;
    if (m_times != nullptr) ++m_times->passes;
    planBackward(*pass, needInputs);
    for (size_t i = 0; i < inputs.size(); ++i) pass->values[schedule.inputs()[i]] = inputs[i];

    if (m_valuesInRam)
        pass->shelf = std::make_unique<ValueShelf>(m_store, m_shelfMemory, m_shelfTraffic,
                                                   turnsOfValues(schedule, pass->needsBackward));
    m_pass = pass;
    std::vector<int> order = blockOrder(schedule);
    for (auto node = schedule.nodes().size(); node-- > 0;)
        if (pass->needsBackward[node]) order.push_back(schedule.nodes()[node].block);
    const int count = static_cast<int>(schedule.nodes().size());
    m_store.beginPass(order);
    for (int index = 0; index < count; ++index) {
        beginTurn(*pass, index);
        forwardNode(*pass, index);
        dropDeadValues(*pass, index);
        endTurn(*pass, index);
        if (m_observer) m_observer(index + 1, 2 * count);
    }
    std::vector<at::Tensor> outputs = gather(pass->values, schedule.outputs());
    for (const ValueId output : schedule.outputs())
        if (!pass->readInBackward[output]) pass->values[output].reset();
    return outputs;
}

BlockGradients Executor::computeBackward(Pass& pass, int index, const std::vector<at::Tensor>& gradOutputs) {
    const Node& node = m_network.schedule().nodes()[index];
    const auto compute = [&] {
        if (pass.recompute[index] == Recompute::Never)
            return differentiate(pass.kept[index].leaves, pass.kept[index].outputs, gradOutputs);
        if (!pass.lease) pass.lease = std::make_unique<BlockLease>(m_store, node.block);
        std::vector<bool> needInputs;
        for (const ValueId input : node.inputs) needInputs.push_back(pass.needsGradient[input]);
        BlockContext context{pass.lease->parameters(), true, pass.dropout.ofBlock(node.block),
                             pass.dropout.part};
        context.parametersStay = true; // what is computed here goes with them
        KeptProducts products = std::move(pass.products[index]);
        products.startReplay();
        if (pass.recompute[index] == Recompute::CheapParts) context.products = &products;
        return m_network.block(node.block)
            .backward(context, gather(pass.values, node.inputs), gradOutputs, needInputs);
    };
    if (pass.recompute[index] != Recompute::Never) {
        const TimedScope waiting(waitingTime(), m_store.options().device);
        pass.lease = std::make_unique<BlockLease>(m_store, node.block);
    }
    const TimedScope computing(m_times != nullptr ? &m_times->nodes[index].backward : nullptr,
                               m_store.options().device);
    BlockGradients gradients = withRelief(pass, compute);
    pass.kept[index] = {};
    return gradients;
}

void Executor::handOver(Pass& pass, int index, BlockGradients& gradients, const GradientSink& sink) {
    const TimedScope updating(m_times != nullptr ? &m_times->nodes[index].handOver : nullptr,
                              m_store.options().device);
    const int block = m_network.schedule().nodes()[index].block;
    for (size_t i = 0; i < gradients.parameters.size(); ++i) {
        at::Tensor gradient = std::move(gradients.parameters[i]);
        if (!gradient.defined()) continue;
        const ParameterId id{block, static_cast<int>(i)};
        if (m_store.streams(block)) // the update happens elsewhere, and so does what becomes of its failure
            sink(id, std::move(gradient));
        else
            withRelief(pass, [&] { sink(id, gradient); });
    }
}

void Executor::passOver(int block) {
    const BlockLease counted(m_store, block); // by the planned pass
}

/// Waits for the updates of other blocks, as handing gradients over does.
void Executor::passGate(int index) const {
    if (!m_gate) return;
    const TimedScope updating(m_times != nullptr ? &m_times->nodes[index].handOver : nullptr,
                              m_store.options().device);
    m_gate(m_network.schedule().nodes()[index].block);
}

void Executor::backwardNode(Pass& pass, int index, const GradientSink& sink) {
    const Node& node = m_network.schedule().nodes()[index];
    std::vector<at::Tensor> gradOutputs;
    bool anyGradient = false;
    for (const ValueId output : node.outputs) {
        gradOutputs.push_back(std::move(pass.gradients[output]));
        anyGradient = anyGradient || gradOutputs.back().defined();
    }
    BlockGradients gradients;
    passGate(index);
    if (anyGradient)
        gradients = computeBackward(pass, index, gradOutputs);
    else if (m_store.streams(node.block) || m_store.isSpread())
        passOver(node.block);
    gradOutputs.clear();
    if (!m_store.updatesOnDevice(node.block)) pass.lease.reset(); // else the update begins with what is there
    for (size_t i = 0; i < gradients.inputs.size(); ++i) {
        const at::Tensor gradient = std::move(gradients.inputs[i]);
        if (pass.needsGradient[node.inputs[i]])
            withRelief(pass, [&] { pass.addGradient(node.inputs[i], gradient); });
    }
    handOver(pass, index, gradients, sink);
    pass.lease.reset();
}

std::vector<at::Tensor> Executor::backward(const std::vector<at::Tensor>& gradOutputs,
                                           const GradientSink& sink) {
    TORCH_CHECK(m_pass != nullptr, "backward needs a forward before it");
    const std::shared_ptr<Pass> pass = std::move(m_pass);
    const Schedule& schedule = m_network.schedule();
    TORCH_CHECK(gradOutputs.size() == schedule.outputs().size(), "network has ", schedule.outputs().size(),
                " outputs, got ", gradOutputs.size(), " gradients");
    for (size_t i = 0; i < gradOutputs.size(); ++i) pass->addGradient(schedule.outputs()[i], gradOutputs[i]);

    const at::NoGradGuard noGrad;
    const int count = static_cast<int>(schedule.nodes().size());
    for (int index = count - 1; index >= 0; --index) {
        const int turn = 2 * count - 1 - index;
        beginTurn(*pass, turn);
        if (pass->needsBackward[index]) backwardNode(*pass, index, sink);
        endTurn(*pass, turn);
        for (const ValueId input : schedule.nodes()[index].inputs)
            if (m_firstUses[input] == index) pass->values[input].reset();
        if (m_observer) m_observer(2 * count - index, 2 * count);
    }
    m_store.endPass();
    return gather(pass->gradients, schedule.inputs());
}

int64_t Executor::heldBytes() const {
    int64_t bytes = 0;
    if (!m_pass) return bytes;
    for (const at::Tensor& value : m_pass->values)
        if (value.defined()) bytes += static_cast<int64_t>(value.nbytes());
    for (const KeptProducts& products : m_pass->products) bytes += products.bytes();
    return bytes;
}

} // namespace homebooth::core
