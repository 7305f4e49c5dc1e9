# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Telson authors

# Telson::settings carries every compile setting that our own targets share.
add_library(telson_settings INTERFACE)
add_library(Telson::settings ALIAS telson_settings)
target_compile_features(telson_settings INTERFACE cxx_std_23)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_AUTOMOC ON)
# Function-level sections let the linker drop what a program does not use.
target_compile_options(telson_settings INTERFACE
    $<$<CXX_COMPILER_ID:GNU,Clang,AppleClang>:-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
        -Woverloaded-virtual -Wold-style-cast -Wcast-align -Wunused
        -Wimplicit-fallthrough -fstack-protector-strong -ffunction-sections -fdata-sections>
    # Lets ccache see through precompiled headers.
    $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>
    $<$<CXX_COMPILER_ID:MSVC>:/W4 /utf-8 /permissive->)
target_link_options(telson_settings INTERFACE
    $<$<PLATFORM_ID:Linux>:-Wl,--gc-sections,--as-needed,-z,relro,-z,now>)
if(TELSON_WERROR)
    target_compile_options(telson_settings INTERFACE
        $<$<CXX_COMPILER_ID:GNU,Clang,AppleClang>:-Werror> $<$<CXX_COMPILER_ID:MSVC>:/WX>)
endif()
if(TELSON_SANITIZE)
    target_compile_options(telson_settings INTERFACE
        -fsanitize=${TELSON_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(telson_settings INTERFACE -fsanitize=${TELSON_SANITIZE})
endif()
target_compile_definitions(telson_settings INTERFACE
    QT_NO_KEYWORDS QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_CONTEXTLESS_CONNECT
    QT_NO_NARROWING_CONVERSIONS_IN_CONNECT QT_USE_QSTRINGBUILDER
    TELSON_VERSION="${PROJECT_VERSION}"
    $<$<PLATFORM_ID:Windows>:NOMINMAX WIN32_LEAN_AND_MEAN UNICODE _UNICODE>)
target_include_directories(telson_settings INTERFACE "${PROJECT_SOURCE_DIR}")
