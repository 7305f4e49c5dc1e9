# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Telson authors
find_package(Qt6 6.8 REQUIRED COMPONENTS Core Network)
if(TELSON_BUILD_TESTS)
    # The fake gateway of the tests is a WebSocket server.
    find_package(Qt6 6.8 REQUIRED COMPONENTS Test WebSockets)
endif()
find_package(nlohmann_json 3.11 REQUIRED)
find_package(spdlog 1.12 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(Sodium REQUIRED IMPORTED_TARGET libsodium)
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    # Terminals come with the exec room; the package is required from the start, so that a build
    # machine that lacks it is noticed today.
    find_package(KF6Pty REQUIRED)
endif()
