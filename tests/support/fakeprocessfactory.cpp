// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#include "tests/support/fakeprocessfactory.h"

#include <utility>

FakeProcessFactory::FakeProcessFactory(std::function<void(FakeProcess &)> script)
    : m_script(std::move(script))
{
}

std::unique_ptr<telson::core::ChildProcess> FakeProcessFactory::createPipeProcess()
{
    auto calls = std::make_shared<QStringList>();
    auto process = std::make_unique<FakeProcess>(calls, m_script);
    m_made.append({process.get(), std::move(calls)});
    return process;
}
