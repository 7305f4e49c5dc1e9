#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Telson authors
# ./run and ./check: their arguments, and what they hand on. No program is built here.
# shellcheck disable=SC2016 # the stubs are text here and expand in the test
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=sandbox.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"

# A build that is up to date and has two programs.
pretend_to_be_built()
{
    local build=$tree/build/$1
    replace prepare 'echo here'
    stub ninja 'echo "ninja: no work to do."'
    mkdir -p "$build/app"
    : >"$build/build.ninja"
    printf '#!/bin/sh\necho "$PWD|$MARK|$*"\nexit 7\n' >"$build/app/telson"
    chmod 755 "$build/app/telson"
    printf '%s\n' "$build/app/telson" "$build/app/telson-vectors" >"$build/telson-programs"
    { echo "--preset $1 -DTELSON_DEPS_DIR=$cache/npm" && cat "$tree/CMakePresets.json" /etc/os-release; } \
        >"$build/telson-configured"
}

test_both_say_how_they_are_used()
{
    run_it "$tree/run" --help
    expect_status 0
    [[ $out = *"./run PROGRAM ARGS..."*"TELSON_CACHE"* ]] || fail "the help of ./run is not complete"
    run_it "$tree/check" --help
    expect_status 0
    [[ $out = *"--soak"*"CI=true"* ]] || fail "the help of ./check is not complete"
    expect_calls ""
}

test_run_refuses_an_unknown_option_before_any_set_up()
{
    replace prepare 'echo here'
    run_it "$tree/run" --bulid
    expect_status 2
    expect_err "does not know --bulid" "./run --help"
    run_it "$tree/run" --build telson
    expect_status 2
    expect_err "takes no arguments"
    expect_calls ""
}

test_run_keeps_folder_environment_arguments_and_exit_code()
{
    local environment=(MARK=kept)
    pretend_to_be_built release
    cd "$sandbox/home"
    run_it "$tree/run" telson "a b" --json
    expect_status 7
    expect_out "$sandbox/home|kept|a b --json"
    [ -z "$err" ] || fail "expected no word from ./run itself"
}

test_run_without_arguments_starts_the_node()
{
    local environment=(MARK=kept)
    pretend_to_be_built release
    cd "$sandbox/home"
    run_it "$tree/run"
    expect_status 7
    expect_out "$sandbox/home|kept|run"
}

test_run_names_the_programs_there_are()
{
    pretend_to_be_built release
    run_it "$tree/run" telsno
    expect_status 127
    expect_err '"telsno"' "telson telson-vectors"
}

test_run_enters_the_root_where_there_has_to_be_one()
{
    pretend_to_be_built release
    replace prepare 'echo root'
    replace enter 'echo "entered for: ${*##*/}"'
    run_it "$tree/run" telson status
    expect_out "entered for: build release telson status"
}

test_run_stops_where_the_set_up_fails()
{
    replace prepare 'exit 1'
    replace build ''
    run_it "$tree/run" telson
    expect_status 1
    expect_calls prepare
}

test_a_changed_preset_is_configured_again()
{
    pretend_to_be_built release
    echo >>"$tree/CMakePresets.json"
    stub cmake ''
    run_it "$tree/run" --build
    expect_status 0
    grep -q '^cmake --fresh --preset release' "$calls" || fail "expected cmake to configure"
    pretend_to_be_built release
    : >"$calls"
    run_it "$tree/run" --build
    expect_err "nothing to do"
    expect_calls "prepare ninja"
}

pretend_to_be_tested()
{
    pretend_to_be_built ci
    stub nproc 'echo 3'
    stub ctest 'echo "$TELSON_E2E_GATEWAY|$TELSON_E2E_SKIP|$*"; exit 8'
    replace install-gateway "$1"
}

test_check_leaves_out_the_long_tests_and_keeps_the_exit_code()
{
    pretend_to_be_tested ''
    run_it "$tree/check" -R policy
    expect_status 8
    expect_out "$cache/gateway||--test-dir $tree/build/ci --output-on-failure --no-tests=error -j 3 -R policy -LE soak"
}

test_check_joins_what_is_left_out()
{
    pretend_to_be_tested ''
    run_it "$tree/check" -LE e2e
    [[ $out = *" -j 3 -LE soak|e2e" ]] || fail "expected one -LE for both"
}

test_check_soak_runs_only_the_long_tests()
{
    pretend_to_be_tested ''
    run_it "$tree/check" --soak -V
    [[ $out = *" -j 3 -L soak -V" ]] || fail "expected -L soak and no -LE"
}

test_check_goes_on_without_a_gateway_and_says_why()
{
    pretend_to_be_tested 'echo "no npm here"; exit 1'
    run_it "$tree/check"
    expect_err "skipped: no npm here"
    [[ $out = "|no npm here|"* ]] || fail "expected the reason in TELSON_E2E_SKIP"
}

run_tests
