// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors
#pragma once

#include "nodecore/exec/childprocess.h"

#include <memory>

namespace telson::core {

/// Seam: makes processes. Real: `PlatformProcessFactory`; tests: `FakeProcessFactory`.
class ProcessFactory
{
public:
    ProcessFactory() = default;
    ProcessFactory(const ProcessFactory &) = delete;
    ProcessFactory &operator=(const ProcessFactory &) = delete;
    virtual ~ProcessFactory() = default;

    /// A fresh process with pipes. Never null; it does not outlive the factory.
    [[nodiscard]] virtual std::unique_ptr<ChildProcess> createPipeProcess() = 0;
};

} // namespace telson::core
