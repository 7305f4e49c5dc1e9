# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Telson authors
"""The include check finds what it is for: each rule is broken once here, and kept once."""

import unittest

import includerules


def found(path, *lines):
    return [problem for _, problem in includerules.problems_in(path, lines)]


class IncludeRulesTest(unittest.TestCase):
    def test_refuses_what_points_the_wrong_way(self):
        for path, line in [
            ("nodecore/policy/a.cpp", '#include "nodecore/exec/commandrunner.h"'),
            ("nodecore/base/a.h", '#include "nodecore/policy/policyvalues.h"'),
            ("nodecore/host/a.cpp", '#include "nodecore/gateway/transport.h"'),
            ("nodecore/exec/a.cpp", '#include "platform/posix/spawn.h"'),
            ("platform/linux/a.cpp", '#include "platform/windows/conpty.h"'),
            ("platform/posix/a.cpp", '#include "platform/linux/pidfd.h"'),
            ("app/cli/a.cpp", '#include "platform/posix/spawn.h"'),
            ("app/cli/a.cpp", '#include "tests/support/fakeclock.h"'),
            ("nodecore/host/a.cpp", '#include "../exec/commandrunner.h"'),
            ("nodecore/host/a.cpp", "#include <nlohmann/json.hpp>"),
            ("nodecore/protocol/a.h", "#include <nlohmann/json_fwd.hpp>"),
            ("nodecore/base/clock.cpp", "#include <spdlog/spdlog.h>"),
            ("nodecore/host/a.cpp", "#include <sys/stat.h>"),
            ("nodecore/host/a.cpp", "#include <QtGui/QImage>"),
            ("nodecore/host/a.cpp", "#ifdef Q_OS_WIN"),
            ("platform/posix/a.h", "#if defined(__linux__)"),
        ]:
            with self.subTest(path=path, line=line):
                self.assertTrue(found(path, line))

    def test_lets_what_is_right_through(self):
        for path, line in [
            ("nodecore/host/a.cpp", '#include "nodecore/exec/commandrunner.h"'),
            ("nodecore/service/a.cpp", '#include "nodecore/gateway/transport.h"'),
            ("platform/linux/a.cpp", '#include "platform/posix/spawn.h"'),
            ("platform/posix/a.cpp", "#ifdef __linux__"),
            ("app/cli/a.cpp", '#include "platform/factory.h"'),
            ("nodecore/protocol/a.cpp", "#include <nlohmann/json.hpp>"),
            ("tests/nodecore/a.cpp", '#include "platform/posix/spawn.h"'),
        ]:
            with self.subTest(path=path, line=line):
                self.assertFalse(found(path, line))


if __name__ == "__main__":
    unittest.main()
