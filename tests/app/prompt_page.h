// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The page Generate, which is seen. GUI thread.
#pragma once

#include "app/pages/generate/generate_form.h"
#include "app/pages/generate/generate_page.h"
#include "app_fixture.h"

namespace homebooth::app {

class PromptPage : public GeneratePage {
public:
    explicit PromptPage(TestServices& services)
        : GeneratePage(services.all()) {
        show();
    }
    GenerateForm* const form = findChild<GenerateForm*>();
};

} // namespace homebooth::app
