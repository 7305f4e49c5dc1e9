#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Telson authors
# What the set-up decides and says on systems that lack something.
# shellcheck disable=SC2016 # the stubs are text here and expand in the test
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=sandbox.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"

# have_apt QT-VERSION KPTY-VERSION: a Debian whose apt knows these; "(none)" is apt's word for neither.
have_apt()
{
    stub apt-get ''
    stub dpkg '[ "$4" = 6.8 ] && case $2 in 6.8* | 6.9*) exit 0 ;; esac; exit 1'
    stub apt-cache "case \$2 in qt6-base-dev) echo '  Candidate: $1' ;; *) echo '  Candidate: $2' ;; esac"
}

test_builds_in_place_where_qt_and_kpty_can_be_had()
{
    have_apt 6.8.2+dfsg-9 6.13.0-1
    run_it "$setup/place"
    expect_status 0
    expect_out here
}

test_builds_in_a_root_where_qt_is_older_or_kpty_missing()
{
    local environment=()
    [ "$EUID" = 0 ] || return 0 # else it would ask for the package lists
    have_apt 6.4.2 "(none)"
    run_it "$setup/place"
    expect_out root
    have_apt 6.8.2 "(none)"
    run_it "$setup/place"
    expect_out root
}

test_the_place_can_be_forced_but_not_misspelt()
{
    local environment=(TELSON_BUILD=root)
    run_it "$setup/place"
    expect_out root
    environment=(TELSON_BUILD=ther)
    run_it "$setup/place"
    expect_status 1
    expect_err '"ther"' "here or root"
}

test_names_the_packages_and_the_command_on_fedora()
{
    stub dnf ''
    stub rpm 'case $* in *kf6-kpty-devel | *ccache) exit 1 ;; esac'
    run_it "$setup/install-here"
    expect_status 1
    expect_err "sudo dnf install ccache kf6-kpty-devel"
}

test_names_the_packages_and_the_command_on_arch()
{
    stub pacman 'echo kpty; exit 127'
    stub xargs 'exec "$@"'
    run_it "$setup/install-here"
    expect_status 1
    expect_err "sudo pacman -S --needed kpty"
}

test_is_content_where_nothing_is_missing()
{
    stub dnf ''
    stub rpm ''
    run_it "$setup/install-here"
    expect_status 0
    [ -z "$err" ] || fail "expected no word"
}

test_says_what_is_needed_on_an_unknown_system()
{
    run_it "$setup/install-here"
    expect_status 1
    expect_err "neither apt, dnf nor pacman" "Qt 6.8" "KPty" "TELSON_BUILD=here"
}

test_gives_an_administrator_the_command_where_there_is_no_sudo()
{
    have_apt 6.8.2 6.13.0
    stub dpkg-query 'echo "installed cmake"'
    as_somebody "$setup/install-here"
    expect_status 1
    expect_err "administrator's rights" "sudo is not available" "apt-get install" " g++ "
    [[ $err != *" cmake "* ]] || fail "expected no package that is installed"
}

test_does_not_wait_for_a_password_nobody_can_type()
{
    have_apt 6.8.2 6.13.0
    stub dpkg-query ''
    stub sudo 'echo "a password is required" >&2; exit 1'
    as_somebody "$setup/install-here"
    expect_status 1
    expect_err "sudo is not available"
}

test_says_that_the_disk_is_full_before_it_begins()
{
    stub df 'echo header; echo "disk 1 1 204800 99% /"'
    stub unshare ''
    run_it "$setup/install-root"
    expect_status 1
    expect_err "not enough disk space" "3000 MB" "200 MB are free" "TELSON_CACHE="
}

test_says_why_the_root_cannot_be_entered()
{
    stub unshare 'exit 1'
    run_it "$setup/install-root"
    expect_status 1
    expect_err "cannot enter the build root"
    as_somebody "$setup/enter" --probe
    expect_status 1
    expect_err "user namespace"
}

test_says_how_to_get_debootstrap_without_apt()
{
    stub unshare ''
    [ ! -x /usr/sbin/debootstrap ] || return 0
    run_it "$setup/install-root"
    expect_status 1
    expect_err "debootstrap is missing"
}

test_says_how_to_get_npm_without_apt()
{
    run_it "$setup/fetch-sources"
    expect_status 1
    expect_err "npm is missing" "tree-sitter"
}

test_says_that_npm_had_no_network()
{
    stub npm 'echo "ENOTFOUND" >&2; exit 1'
    run_it "$setup/fetch-sources"
    expect_status 1
    expect_err ENOTFOUND "could not fetch tree-sitter 0.25.1" "connect and run this again"
}

test_gives_the_reason_for_no_gateway_on_standard_output()
{
    run_it "$setup/install-gateway"
    expect_status 1
    expect_out "npm is missing, which installs the gateway"
    stub npm 'exit 1'
    run_it "$setup/install-gateway"
    expect_status 1
    expect_out "npm could not install the gateway (see $cache/log/npm-gateway)"
    stub uname 'echo aarch64'
    run_it "$setup/install-gateway"
    expect_out "the gateway's Node.js package is for x86-64, this machine is aarch64"
}

test_says_that_the_cache_folder_cannot_be_written()
{
    mkdir "$sandbox/locked"
    local environment=(TELSON_CACHE=/proc/telson)
    run_it "$setup/prepare"
    expect_status 1
    expect_err "cannot write to /proc/telson" "TELSON_CACHE="
}

run_tests
