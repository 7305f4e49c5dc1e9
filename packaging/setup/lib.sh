# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Telson authors
# shellcheck shell=bash
# What the set-up scripts share: where things are, how they speak to people, how they wait for each other.
# All they say goes to standard error: standard output belongs to the program that ./run starts.

# shellcheck disable=SC2034 # the scripts that source this file use them
setup=$(cd -- "${BASH_SOURCE[0]%/*}" && pwd -P)
top=${setup%/packaging/setup}
cache=${TELSON_CACHE:-${XDG_CACHE_HOME:-${HOME:?is not set, and the set-up keeps its files below it}/.cache}/telson}
# shellcheck disable=SC2034
root=$cache/root-trixie

say()
{
    printf 'telson: %s\n' "$1" >&2
}

# die LINE...: what is missing and why in the first line, the way out in the others.
die()
{
    say "$1"
    shift
    [ $# = 0 ] || printf '        %s\n' "$@" >&2
    exit 1
}

# step TEXT COMMAND...: says what is done, does it, and says how long it took.
step()
{
    local text=$1 began=$SECONDS
    shift
    say "$text ..."
    "$@" || return
    say "$text: done in $((SECONDS - began)) s"
}

# logged NAME COMMAND...: the output goes to a log, and is shown (its end) only if the command fails.
logged()
{
    local log=$cache/log/$1
    shift
    mkdir -p "$cache/log"
    if ! "$@" >"$log" 2>&1; then
        tail -n 15 "$log" >&2
        say "the lines above are the end of $log"
        return 1
    fi
}

# wait_for_lock NAME: one set-up at a time; held until this process ends or calls exec 8>&-.
wait_for_lock()
{
    mkdir -p "$cache"
    exec 8>"$cache/$1.lock"
    if ! flock --nonblock 8; then
        say "another set-up is at work on the same ($1): waiting for it"
        flock 8
    fi
}

# need_space MEGABYTES WHAT
need_space()
{
    local free
    mkdir -p "$cache"
    free=$(df -Pk -- "$cache" | awk 'NR == 2 { print int($4 / 1024) }')
    if [ "$free" -lt "$1" ]; then
        die "not enough disk space: $2 needs $1 MB below $cache, $free MB are free." \
            "Free some, or name a folder on another disk: TELSON_CACHE=/path/to/folder $0"
    fi
}

# packages LIST...: the package names in packages/LIST, without comments.
packages()
{
    local list
    for list in "$@"; do
        sed 's/#.*//' "$setup/packages/$list"
    done | tr -s ' \t\n' '\n' | sed '/^$/d'
}

# as_typed WORD...: the command as a person would type it.
as_typed()
{
    local word line=
    for word in "$@"; do
        [[ $word =~ ^[A-Za-z0-9_./=:+-]+$ ]] || word=${word@Q}
        line+="${line:+ }$word"
    done
    printf '%s' "$line"
}

# as_root WHY COMMAND...: runs COMMAND with the administrator's rights, or says what to do without them.
as_root()
{
    local why=$1 sudo=(sudo)
    shift
    if [ "$EUID" = 0 ]; then
        "$@"
        return
    fi
    [ -t 0 ] || sudo+=(-n) # nobody is there to type a password
    if ! command -v sudo >/dev/null || { [ ! -t 0 ] && ! sudo -n true 2>/dev/null; }; then
        die "$why needs the administrator's rights, and sudo is not available to $(id -un)." \
            "Run this as a user who may use sudo, or let an administrator run this once:" \
            "  $(as_typed "$@")"
    fi
    say "$why needs the administrator's rights: $(as_typed sudo "$@")"
    "${sudo[@]}" "$@"
}

# apt_install WHY PACKAGE...: a source of packages that cannot be reached need not be one that matters here.
apt_install()
{
    local why=$1
    shift
    local install="apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300 $*"
    as_root "$why" env DEBIAN_FRONTEND=noninteractive sh -c "apt-get update; $install" >&2 ||
        die "apt-get could not install: $*" \
            "Its own messages are above. Without a network, connect and run this again."
}

# What is pinned can come from npm's own cache; and without a network nobody wants to wait for minutes.
# shellcheck disable=SC2034
npm_patience=(--prefer-offline --fetch-retry-mintimeout=2000 --fetch-retry-maxtimeout=5000)
