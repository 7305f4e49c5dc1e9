# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Telson authors
# shellcheck shell=bash disable=SC2034 # some names are for the tests that source this file
# What the tests of the set-up share: a copy of the scripts in a temporary folder, a PATH that holds only
# what a test puts there, and a few checks. A test is a function whose name is a claim; run_tests runs
# every function whose name begins with "test_", each in a sandbox of its own.

checkout=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
ordinary_tools=(awk bash cat chmod cmp cp cut dirname env find flock grep gzip head id ls mkdir mv rm sed sh sha512sum
    sleep sort tail tar touch tr)

make_sandbox()
{
    sandbox=$(mktemp -d "${TMPDIR:-/tmp}/telson-setup-XXXXXX")
    chmod 755 "$sandbox"
    bin=$sandbox/bin tree=$sandbox/tree setup=$sandbox/tree/packaging/setup
    mkdir -p "$bin" "$tree/packaging" "$sandbox/home"
    cp -R "$checkout/run" "$checkout/check" "$checkout/CMakePresets.json" "$tree/"
    cp -R "$checkout/packaging/setup" "$tree/packaging/"
    ln -s "${tools[@]}" "$bin/"
    stub df 'echo header; echo "disk 1 1 99999999 1% /"'
    stub uname 'echo x86_64'
    cache=$sandbox/home/.cache/telson
    calls=$sandbox/calls # what the stubs were asked
    : >"$calls"
}

# stub NAME SCRIPT: a program that notes its call and then does SCRIPT.
stub()
{
    rm -f "$bin/$1"
    printf '#!%s\necho "%s $*" >>"%s"\n%s\n' "$(command -v bash)" "$1" "$sandbox/calls" "$2" >"$bin/$1"
    chmod 755 "$bin/$1"
}

# replace SCRIPT BODY: the same for one of the set-up's own scripts.
replace()
{
    printf '#!%s\necho "%s $*" >>"%s"\n%s\n' "$(command -v bash)" "$1" "$sandbox/calls" "$2" >"$setup/$1"
}

# run_it COMMAND...: sets $status, $out and $err.
run_it()
{
    status=0
    env -i PATH="$bin" HOME="$sandbox/home" "${environment[@]}" "$@" \
        >"$sandbox/out" 2>"$sandbox/err" </dev/null || status=$?
    out=$(<"$sandbox/out") err=$(<"$sandbox/err")
}

# as_somebody COMMAND...: the same without the administrator's rights, whoever runs the test.
as_somebody()
{
    if [ "$EUID" != 0 ]; then
        run_it "$@"
        return
    fi
    chmod -R a+rwX "$sandbox"
    run_it "$(command -v setpriv)" --reuid 65534 --regid 65534 --clear-groups "$@"
}

fail()
{
    printf '  %s\n  exit code: %s\n  standard output: %s\n  standard error: %s\n' "$1" "$status" "$out" "$err"
    exit 1
}

expect_status()
{
    [ "$status" = "$1" ] || fail "expected the exit code $1"
}

expect_out()
{
    [ "$out" = "$1" ] || fail "expected on standard output: $1"
}

# expect_err TEXT...: each is in what was said to the person.
expect_err()
{
    local text
    for text in "$@"; do
        [[ $err = *"$text"* ]] || fail "expected on standard error: $text"
    done
}

expect_calls()
{
    local made
    made=$(cut -d ' ' -f 1 "$calls" | tr '\n' ' ')
    [ "$made" = "${1:+$1 }" ] || fail "expected the calls: $1; there were: $made"
    : >"$calls"
}

run_tests()
{
    local name failed=0 environment=() tools=()
    for name in "${ordinary_tools[@]}"; do
        tools+=("$(command -v "$name")")
    done
    for name in $(compgen -A function test_); do
        if (make_sandbox && trap 'rm -rf "$sandbox"' EXIT && "$name"); then
            echo "ok   $name"
        else
            echo "FAIL $name"
            failed=1
        fi
    done
    return "$failed"
}
