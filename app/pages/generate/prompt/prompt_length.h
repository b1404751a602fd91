// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether the chosen model reads a text to its end. Its vocabulary is read off the GUI thread; until then,
// and for models that cannot be read, nothing is said. A learned word counts as its letters. GUI thread.
#pragma once

#include "core/base/text/clip_tokenizer.h"

#include <QObject>
#include <QString>

#include <memory>
#include <vector>

namespace homebooth::app {

class PromptLength : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    /// @param path  of the shelf; empty: none
    void setModel(const QString& path);
    struct Tokens {
        int64_t count = 0;
        int64_t most = 0; ///< that the model reads; 0: unknown
        [[nodiscard]] bool tooMany() const { return most > 0 && count > most; }
    };
    /// @param prompt  as the engine is given it
    [[nodiscard]] Tokens tokensOf(const QString& prompt) const;

Q_SIGNALS:
    void known(); ///< `tokensOf` may answer otherwise now

private:
    struct Reader {
        std::vector<core::ClipTokenizer> tokenizers;
        int64_t length = 0; ///< with the two tokens around a text
    };
    [[nodiscard]] static std::shared_ptr<const Reader> readerOf(const std::string& path);

    QString m_model;
    std::shared_ptr<const Reader> m_reader; ///< null: not known
};

} // namespace homebooth::app
