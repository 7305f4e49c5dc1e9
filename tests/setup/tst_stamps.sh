#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Telson authors
# What is half-made is never trusted, and what is ready is not made again.
# shellcheck disable=SC2016 # the stubs are text here and expand in the test
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=sandbox.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"

pretend_steps()
{
    replace place 'echo here'
    replace install-here ''
    replace fetch-sources ''
}

test_the_second_set_up_does_nothing()
{
    pretend_steps
    run_it "$setup/prepare"
    expect_out here
    expect_calls "place install-here fetch-sources"
    run_it "$setup/prepare"
    expect_out here
    [ -z "$err" ] || fail "expected no word"
    expect_calls ""
}

test_a_set_up_that_failed_is_done_again()
{
    pretend_steps
    replace fetch-sources 'exit 1'
    run_it "$setup/prepare"
    expect_status 1
    expect_out ""
    pretend_steps
    : >"$calls"
    run_it "$setup/prepare"
    expect_calls "place install-here fetch-sources"
}

test_a_changed_list_or_place_sets_up_again()
{
    pretend_steps
    run_it "$setup/prepare"
    : >"$calls"
    echo "another-package" >>"$setup/packages/debian"
    run_it "$setup/prepare"
    expect_calls "place install-here fetch-sources"
    local environment=(TELSON_BUILD=here)
    run_it "$setup/prepare"
    expect_calls "place install-here fetch-sources"
}

test_a_root_that_is_gone_is_made_again()
{
    pretend_steps
    replace place 'echo root'
    replace install-root "mkdir -p '$cache/root-trixie'; touch -d '1 minute ago' '$cache/root-trixie/telson-ready'"
    run_it "$setup/prepare"
    : >"$calls"
    run_it "$setup/prepare"
    expect_calls ""
    rm -rf "$cache/root-trixie"
    run_it "$setup/prepare"
    expect_calls "place install-root fetch-sources"
}

# A system on which make-root can do its work without rights: the stubs only note what they were asked.
pretend_root_tools()
{
    stub unshare 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"'
    stub mount ''
    stub sync ''
    stub apt-config ''
    stub apt-get ''
    stub debootstrap 'for d; do case $d in *.new) mkdir -p "$d/etc/dpkg/dpkg.cfg.d" "$d/usr/sbin" "$d/proc" "$d/dev" ;; esac; done'
    stub chroot "case \"\$*\" in $1 esac"
}

steps_made()
{
    sed -n 's/.*debootstrap --force.*/debootstrap/p; s/^debootstrap .*/debootstrap/p
        s/^chroot .* \(--version\|update\|--fix-broken\|install -y --no\|clean\)\b.*/\1/p' "$calls" | tr '\n' ' '
}

expect_steps()
{
    [ "$(steps_made)" = "$1 " ] || fail "expected the steps: $1; there were: $(steps_made)"
    : >"$calls"
}

test_a_root_is_made_and_stamped()
{
    pretend_root_tools ''
    run_it "$setup/make-root"
    expect_status 0
    grep -qx cmake "$cache/root-trixie/telson-ready" || fail "expected the stamp to name the packages"
    [ -f "$cache/root-trixie/etc/localtime" ] || fail "expected a file to mount over"
    : >"$calls"
    run_it "$setup/make-root"
    expect_calls ""
}

test_an_interrupted_base_system_is_made_anew()
{
    pretend_root_tools ''
    mkdir -p "$cache/root-trixie.new/half"
    run_it "$setup/make-root"
    expect_status 0
    [ ! -e "$cache/root-trixie/half" ] || fail "expected nothing of the interrupted one"
}

test_an_interrupted_installation_is_completed()
{
    pretend_root_tools ''
    mkdir -p "$cache"/root-trixie/{etc/dpkg/dpkg.cfg.d,usr/sbin,proc,dev,kept}
    run_it "$setup/make-root"
    expect_status 0
    expect_err "not a complete one" "completing it: done"
    [ -e "$cache/root-trixie/kept" ] || fail "expected the same root"
    [ -e "$cache/root-trixie/telson-ready" ] || fail "expected the stamp"
    ! grep -q '^debootstrap' "$calls" || fail "expected no new base system"
}

test_a_root_that_cannot_be_repaired_is_made_anew()
{
    pretend_root_tools "*--version*) exit 127 ;;"
    mkdir -p "$cache"/root-trixie/{etc/dpkg/dpkg.cfg.d,usr/sbin,proc,dev,wreck}
    run_it "$setup/make-root"
    expect_status 0
    expect_err "cannot be repaired"
    [ ! -e "$cache/root-trixie/wreck" ] || fail "expected nothing of the wreck"
}

test_without_a_network_the_root_is_kept_but_not_trusted()
{
    pretend_root_tools "*' update') echo 'Could not resolve' >&2; exit 100 ;;"
    mkdir -p "$cache"/root-trixie/{etc/dpkg/dpkg.cfg.d,usr/sbin,proc,dev,kept}
    echo old >"$cache/root-trixie/telson-ready"
    run_it "$setup/make-root"
    expect_status 1
    expect_err "Could not resolve" "could not fetch the package lists" "connect and run this again"
    [ -e "$cache/root-trixie/kept" ] || fail "expected the root to be kept"
    [ ! -e "$cache/root-trixie/telson-ready" ] || fail "expected no stamp"
}

test_a_changed_list_takes_the_stamp_away_first()
{
    pretend_root_tools "*' install -y --no'*) exit 100 ;;"
    mkdir -p "$cache"/root-trixie/{etc/dpkg/dpkg.cfg.d,usr/sbin,proc,dev}
    echo old >"$cache/root-trixie/telson-ready"
    run_it "$setup/make-root"
    expect_status 1
    expect_err "could not install the packages"
    [ ! -e "$cache/root-trixie/telson-ready" ] || fail "expected no stamp"
}

# pretend_npm FILE-CONTENT: an npm that packs a folder with this in its one file.
pretend_npm()
{
    stub npm "mkdir -p package; echo '$1' >package/a.c; tar -czf small-1.0.tgz --mtime=@0 --owner=0 --group=0 package; rm -r package"
    (cd "$sandbox" && PATH=$bin:$PATH npm pack && sha512sum small-1.0.tgz | cut -d ' ' -f 1)
}

test_sources_are_taken_once_and_only_with_the_right_sum()
{
    local right
    right=$(pretend_npm "int right;")
    echo "small 1.0 $right" >"$setup/packages/npm"
    pretend_npm "int wrong;" >/dev/null
    run_it "$setup/fetch-sources"
    expect_status 1
    expect_err "SHA-512 differs" "not used"
    [ ! -e "$cache/npm/small" ] || fail "expected nothing to be taken"

    pretend_npm "int right;" >/dev/null
    run_it "$setup/fetch-sources"
    expect_status 0
    [ "$(<"$cache/npm/small/a.c")" = "int right;" ] || fail "expected the source"
    : >"$calls"
    run_it "$setup/fetch-sources"
    expect_calls ""
}

test_a_gateway_that_was_interrupted_is_installed_again()
{
    stub npm 'mkdir -p node_modules; exit 1'
    run_it "$setup/install-gateway"
    expect_status 1
    stub npm 'mkdir -p node_modules'
    run_it "$setup/install-gateway"
    expect_status 0
    : >"$calls"
    run_it "$setup/install-gateway"
    expect_status 0
    expect_calls ""
}

test_the_lock_file_names_no_registry()
{
    out='' err='' status=0
    ! grep -nE '"resolved"|registry' "$setup/gateway/package-lock.json" || fail "expected no host in the lock file"
}

run_tests
