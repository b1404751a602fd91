// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the parameters of a component among the tensors of its files and says what does not fit.
// Stateless; any thread.
#pragma once

#include "core/base/model/mapped_source.h"

#include <functional>
#include <set>

namespace homebooth::core {

/// The tensors of one or more files under one roof.
class TensorPool {
public:
    struct Entry {
        std::shared_ptr<const TensorReader> file;
        const TensorInfo* info = nullptr; ///< owned by `file`
    };

    /// Errors: BadInput for a name that another file has already
    [[nodiscard]] Result<void> add(const std::shared_ptr<const TensorReader>& file);
    [[nodiscard]] const Entry* find(const std::string& name) const;
    [[nodiscard]] const std::map<std::string, Entry>& entries() const { return m_entries; }
    /// Of the files, see TensorReader; of several the first one's.
    [[nodiscard]] const std::string& leftOut() const { return m_leftOut; }

private:
    std::map<std::string, Entry> m_entries;
    std::string m_leftOut;
};

constexpr std::string_view kFp8Words = "found fp8"; ///< in what is said of weights that were left out

/// The Error for weights that are missing since they were left out. @param type  see TensorReader::leftOut
[[nodiscard]] Error leftOutError(const std::string& type, const std::string& path);

/// The places where a parameter may lie in the files, best first.
using Candidates = std::function<std::vector<CompVisTensor>(const LayoutEntry&)>;

/// What a search found: the source, and the names in the pool that it uses.
struct MatchedComponent {
    std::shared_ptr<const TensorSource> source;
    std::set<std::string> used;
};

/// Matches every parameter of `layout`. @param what for messages, e.g. "UNet"
/// @param mayRemain  says of a tensor of the pool that nothing claims whether it may be there
/// Errors: BadInput listing missing, extra and wrong-shaped tensors, or saying that some were left out
[[nodiscard]] Result<MatchedComponent>
matchComponent(const std::string& what, const ComponentLayout& layout, const TensorPool& pool,
               const Candidates& candidates, const std::function<bool(const std::string&)>& mayRemain,
               const std::string& path);

} // namespace homebooth::core
