# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Telson authors
option(TELSON_BUILD_TESTS "Build the tests and their helpers" ON)
option(TELSON_WERROR "Treat compiler warnings as errors" OFF)
set(TELSON_SANITIZE "" CACHE STRING "Sanitizers to build with, as for -fsanitize= (address,undefined or thread)")

add_feature_info(TELSON_BUILD_TESTS TELSON_BUILD_TESTS "tests and their helpers")
add_feature_info(TELSON_WERROR TELSON_WERROR "compiler warnings are errors")
add_feature_info(TELSON_SANITIZE TELSON_SANITIZE "sanitizers")
