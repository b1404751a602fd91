// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What tests of the window read of Qt and share, precompiled. Each test includes what it uses all the same.
#pragma once

#include "tests/app/app_files.h"
#include "tests/app/app_fixture.h"

#include <QtNetwork/QtNetwork>
#include <QtTest/QtTest>
#include <QtWidgets/QtWidgets>
