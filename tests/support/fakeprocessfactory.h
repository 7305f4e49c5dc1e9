// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/exec/processfactory.h"
#include "tests/support/fakeprocess.h"

#include <QtCore/QList>
#include <QtCore/QPointer>

#include <functional>

/// Makes `FakeProcess`es and keeps hold of them for the test.
class FakeProcessFactory final : public telson::core::ProcessFactory
{
public:
    /// `script` runs from the event loop after each start; without one the test acts by hand.
    explicit FakeProcessFactory(std::function<void(FakeProcess &)> script = {});

    [[nodiscard]] std::unique_ptr<telson::core::ChildProcess> createPipeProcess() override;

    [[nodiscard]] qsizetype count() const
    {
        return m_made.size();
    }
    [[nodiscard]] FakeProcess *at(qsizetype index) const
    {
        return m_made.at(index).process;
    }
    /// See `FakeProcess::Calls`; there also when the process is gone.
    [[nodiscard]] QStringList callsOf(qsizetype index) const
    {
        return *m_made.at(index).calls;
    }

private:
    struct Made
    {
        QPointer<FakeProcess> process;
        FakeProcess::Calls calls;
    };

    std::function<void(FakeProcess &)> m_script;
    QList<Made> m_made;
};
