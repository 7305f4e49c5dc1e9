# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Telson authors

# Qt Test defines the build folder of each test, for a function that is not used here; with one definition
# for all of them they can share a precompiled header.
get_target_property(telson_test_definitions Qt6::Test INTERFACE_COMPILE_DEFINITIONS)
list(FILTER telson_test_definitions EXCLUDE REGEX "QT_TESTCASE_(BUILD|SOURCE)DIR")
set_target_properties(Qt6::Test PROPERTIES INTERFACE_COMPILE_DEFINITIONS "${telson_test_definitions}")

# telson_test(tst_name [SOURCES file...] [LIBRARIES target...] [LABELS label...] [TIMEOUT seconds])
#
# One Qt Test program; SOURCES is tst_name.cpp unless given. The time-out only guards against hangs.
function(telson_test name)
    cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;LIBRARIES;LABELS" ${ARGN})
    if(NOT arg_SOURCES)
        set(arg_SOURCES ${name}.cpp)
    endif()
    if(NOT arg_LABELS)
        set(arg_LABELS unit)
    endif()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 120)
    endif()
    add_executable(${name} ${arg_SOURCES})
    target_link_libraries(${name} PRIVATE
        telson_test_support Telson::core Telson::settings Qt6::Test ${arg_LIBRARIES})
    target_compile_definitions(${name} PRIVATE
        TELSON_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data")
    target_precompile_headers(${name} REUSE_FROM telson_test_support)
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES
        LABELS "${arg_LABELS}"
        TIMEOUT ${arg_TIMEOUT}
        ENVIRONMENT "QT_QPA_PLATFORM=offscreen")
endfunction()
